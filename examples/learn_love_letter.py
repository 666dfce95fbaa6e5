"""An agent learns two-player Love Letter by playing `greedy`: PPO in NumPy alone, some minutes.

    python examples/learn_love_letter.py learned
    kibitz compare love-letter examples/learn_love_letter.py:policy=learned/policy.npz greedy

The first command writes what it has learned, and a picture of how, into a folder. The second
sits it down: this file is also a strategy, which plays what `policy` has. `--quick` is a small
run, to see that it works.

A round is an episode. The agent sees the 72 numbers of docs/environments.md and takes one of the
19 actions; it gets 1, 0 or -1 at the end of the round and nothing before. PPO: Schulman and
others, "Proximal Policy Optimization Algorithms" (2017).
"""

import os
import sys
from functools import cache
from pathlib import Path

if __name__ == "__main__":  # matrices as small as these are quicker in one thread
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import kibitz
from kibitz import Option, Player, Strategy
from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.games.codec import codec_of
from kibitz.report.plots import BLUE, GREY, ORANGE, draw_plots, new_figure

OPPONENT = "greedy"
GAMES = 1024  # that are played at once
STEPS = 16  # in each of them, from one update to the next
EPOCHS, BATCH = 3, 2048  # how often an update sees each step, and how many at a time
HIDDEN = 128
RATE = 1e-3  # of learning, at the beginning; at the end it is 0
CLIP = 0.2  # a probability is moved by this part at most in one update
ENTROPY = 0.01  # so much of a result is a policy worth that stays undecided by one nat
TRACE = 0.95  # lambda of generalised advantage estimation
UPDATES, PAIRS = 300, 2000


# -- the network: numbers in, a preference for each action and a value out ------------------------


def new_network(size, actions, source):
    """Weights of one hidden layer, for the policy and the value."""
    return {
        "hidden": source.normal(0, np.sqrt(2 / size), (size, HIDDEN)).astype(np.float32),
        "hidden_bias": np.zeros(HIDDEN, np.float32),
        "policy": source.normal(0, 0.01, (HIDDEN, actions)).astype(np.float32),
        "policy_bias": np.zeros(actions, np.float32),
        "value": np.zeros((HIDDEN, 1), np.float32),
        "value_bias": np.zeros(1, np.float32),
    }


def forward(net, seen, mask):
    """The hidden layer, the probability of each action, and the value, of each row."""
    hidden = np.maximum(seen @ net["hidden"] + net["hidden_bias"], 0)
    scores = np.where(mask, hidden @ net["policy"] + net["policy_bias"], -np.inf)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return hidden, chances, (hidden @ net["value"] + net["value_bias"])[:, 0]


def gradient(net, batch):
    """Of the loss of PPO: the clipped gain of the policy, its entropy, and the value's error."""
    hidden, chances, values = forward(net, batch["seen"], batch["mask"])
    rows, n = np.arange(len(values)), np.float32(len(values))
    ratio = chances[rows, batch["action"]] / batch["chance"]
    gain = batch["gain"]
    # Where the policy has moved far enough in the direction of the gain, nothing pulls any more.
    pull = np.where(np.where(gain > 0, ratio > 1 + CLIP, ratio < 1 - CLIP), 0, gain * ratio)
    logs = np.log(np.maximum(chances, 1e-30))
    entropy = -(chances * logs).sum(axis=1, keepdims=True)
    scores = pull[:, None] * chances + ENTROPY * chances * (logs + entropy)
    scores[rows, batch["action"]] -= pull
    scores /= n
    value = ((values - batch["result"]) / n)[:, None]
    below = (scores @ net["policy"].T + value @ net["value"].T) * (hidden > 0)
    return {
        "hidden": batch["seen"].T @ below,
        "hidden_bias": below.sum(axis=0),
        "policy": hidden.T @ scores,
        "policy_bias": scores.sum(axis=0),
        "value": hidden.T @ value,
        "value_bias": value.sum(axis=0),
    }


class Adam:
    """Kingma and Ba (2015): each weight moves by its mean gradient, as a part of its size."""

    def __init__(self, net):
        self.net, self.steps = net, 0
        self.mean, self.square = ({key: 0 * w for key, w in net.items()} for _ in range(2))

    def step(self, found, rate):
        self.steps += 1
        for key, g in found.items():
            self.mean[key] += 0.1 * (g - self.mean[key])
            self.square[key] += 0.001 * (g * g - self.square[key])
            mean = self.mean[key] / (1 - 0.9**self.steps)
            square = self.square[key] / (1 - 0.999**self.steps)
            self.net[key] -= np.float32(rate) * mean / (np.sqrt(square) + 1e-8)


# -- learning ------------------------------------------------------------------------------------


def play(envs, net, state, source):
    """Some steps of every game, and the results of the rounds that ended."""
    told, results = [], []
    for _ in range(STEPS):
        seen, mask = state["observation"], state["action_mask"]
        _, chances, value = forward(net, seen, mask)
        lots = source.random((len(value), 1)) * chances.sum(axis=1, keepdims=True)
        action = (chances.cumsum(axis=1) > lots).argmax(axis=1)
        state, reward, ended, _, _ = envs.step(action)
        chance = chances[np.arange(len(value)), action]
        told.append(
            {"seen": seen, "mask": mask, "action": action, "chance": chance}
            | {"value": value, "reward": reward.astype(np.float32), "ended": ended}
        )
        results += reward[ended].tolist()
    return told, state, results


def add_gains(told, value):
    """What each action brought beyond what its position was worth (GAE); from the last backwards.
    A step's reward belongs to its own round, and the next row begins another one if it ended."""
    gain = 0 * value
    for step in reversed(told):
        goes_on = ~step["ended"]
        error = step["reward"] + value * goes_on - step["value"]
        gain = error + TRACE * gain * goes_on
        step["gain"], step["result"] = gain, gain + step["value"]
        value = step["value"]


def learn(seed=1, updates=UPDATES, say=print):
    """The network, and the curve: agent steps so far, and the score since the last point."""
    import gymnasium

    import kibitz.interop.gymnasium  # noqa: F401  registers the environment

    envs = gymnasium.make_vec("kibitz/LoveLetter-v0", num_envs=GAMES, opponent=OPPONENT)
    state, _ = envs.reset(seed=seed)
    source = np.random.default_rng(seed)
    size, actions = state["observation"].shape[1], state["action_mask"].shape[1]
    adam = Adam(new_network(size, actions, source))
    curve = []
    for update in range(updates):
        told, state, results = play(envs, adam.net, state, source)
        add_gains(told, forward(adam.net, state["observation"], state["action_mask"])[2])
        steps = {key: np.concatenate([step[key] for step in told]) for key in told[0]}
        for _ in range(EPOCHS):
            order = source.permutation(GAMES * STEPS)
            for at in range(0, len(order), BATCH):
                batch = {key: of_all[order[at : at + BATCH]] for key, of_all in steps.items()}
                adam.step(gradient(adam.net, batch), RATE * (1 - update / updates))
        curve.append(((update + 1) * GAMES * STEPS, (1 + np.mean(results)) / 2))
        if update % 20 == 19 or update == updates - 1:
            say(f"{curve[-1][0]:>9,} steps: scores {curve[-1][1]:.1%} while it learns")
    return adam.net, curve


def draw(curve, match):
    figure, (axes,) = new_figure(height=3)
    steps, scores = zip(*curve, strict=True)
    axes.plot(steps, scores, color=BLUE, label="while it learns, with lots")
    low, high = match.ci95
    reach = [[match.score - low], [high - match.score]]
    axes.errorbar(steps[-1:], [match.score], reach, fmt="o", capsize=4, color=ORANGE)
    axes.plot([], [], "o", color=ORANGE, label="in the end, on fresh shuffles")
    axes.axhline(0.5, color=GREY, linewidth=0.8)
    axes.set_xlabel("steps of the agent")
    axes.set_ylabel(f"score against {OPPONENT}")
    axes.xaxis.set_major_formatter(lambda steps, _: f"{steps / 1e6:g} M")
    axes.yaxis.set_major_formatter(lambda score, _: f"{score:.0%}")
    axes.legend(loc="lower right")
    return figure


def main(folder, quick=False, seed=1):
    """Learn, play on fresh shuffles, and write the policy and the picture."""
    folder.mkdir(parents=True, exist_ok=True)
    net, curve = learn(seed, 2 if quick else UPDATES)
    policy = folder / "policy.npz"
    np.savez(policy, **net)
    player = f"{__file__}:policy={policy}"
    pairs = 20 if quick else PAIRS
    match = kibitz.compare("love-letter", [player, OPPONENT], pairs, seed=seed).matches[0]
    low, high = match.ci95
    print(f"fresh shuffles: {match.score:.1%} ({low:.1%} – {high:.1%}), {pairs} pairs")
    (svg, _) = draw_plots({"curve": lambda: draw(curve, match)})["curve"]
    (folder / "curve.svg").write_bytes(svg)
    print(f"{policy}, {folder / 'curve.svg'}")


# -- the strategy --------------------------------------------------------------------------------


class Learned(Strategy):
    """Plays what it has learned: the likeliest action of its policy."""

    options = (Option("policy", "learned/policy.npz", "what learning has written", file=True),)

    def check_game(self, game):
        read(self.settings["policy"])  # or refuse before anything is played
        if (game.name, game.players) != ("love-letter", 2):
            raise UnsuitableGame("it has learned love-letter for two players")

    def sit(self, game, seat, rng):
        return LearnedPlayer(codec_of(game), read(self.settings["policy"]))


class LearnedPlayer(Player):
    def __init__(self, codec, net):
        self.codec, self.net = codec, net

    def choose(self, view):
        seen, mask = self.codec.observation(view), self.codec.mask(view)
        _, chances, _ = forward(self.net, seen[None], mask[None])
        return self.codec.play_of(view, [int(chances[0].argmax())])


@cache
def read(path):
    """The weights in a file, read once."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return dict(file)
    except (OSError, ValueError):
        raise BadText(f"policy={path}: no learned policy is there; this file writes one") from None


if __name__ == "__main__":
    folders = [word for word in sys.argv[1:] if word != "--quick"]
    main(Path(folders[0] if folders else "learned"), quick="--quick" in sys.argv)
