"""All that knows Numba: kernels, intrinsics, the cache on disk; random numbers and hashing."""
