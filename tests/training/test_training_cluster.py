"""Training on a real cluster of two workers finds what one process finds."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from kibitz.training.run import crew_for, train
from kibitz.training.task import Task
from tests.arena.cluster import running_cluster
from tests.training.bots import keeper, task
from tests.training.test_optimizers import small


@pytest.mark.filterwarnings("ignore")  # what its packages warn of is not ours
def test_a_cluster_finds_the_same_also_if_a_worker_dies(tmp_path: Path) -> None:
    """A user's file goes along: the workers do not have it."""
    wanted = [task(keeper(tmp_path)), small(optimizer="cma", fresh=30)]
    here = [train(each) for each in wanted]
    with running_cluster(tmp_path) as cluster:
        assert [_there(each, cluster.address) for each in wanted] == here
        dying = threading.Timer(0.5, os.killpg, (cluster.workers[0].pid, signal.SIGKILL))
        dying.start()
        longer = task(tmp_path / "keeper.py", games=60)
        there = _there(longer, cluster.address)
        dying.join()
        assert cluster.workers[0].wait() == -signal.SIGKILL
    assert there == train(longer)


def _there(wanted: Task, address: str) -> Any:
    with crew_for(wanted, 1, address) as crew:
        return train(wanted, crew=crew)
