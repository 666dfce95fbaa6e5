"""What else there is at a table: captures, refusals, undo, coming back, hints, looking back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from kibitz.table.record import read_records
from kibitz.table.session import Session
from tests.web.serving import PATIENCE, ServerProcess
from tests.web.static.visitor import (
    END,
    HAND,
    MY_TURN,
    NARROW,
    WIDE,
    Visitor,
    love_letter_by_mouse,
    tablic_by_mouse,
)

Visit = Callable[[tuple[int, int]], Visitor]
VALUES = {"A": 11, "J": 12, "Q": 13, "K": 14}


def value(card: str) -> int:
    rank = card[:-1]
    return VALUES.get(rank) or int(rank)


def first_plays(seed: int) -> list[tuple[str, Sequence[str]]]:
    """What may be played first at a table with this seed: card and captured cards."""
    view = Session("tablic", [None, "greedy"], seed).view(0)
    scene = view.game.presenter.scene(view)
    return [(play.parts["card"], play.parts["captures"]) for play in scene.plays]


def several_groups() -> tuple[int, str, Sequence[str]]:
    """A seed whose first turn has a capture of two groups, and that capture."""
    for seed in range(1, 500):
        for card, captures in first_plays(seed):
            plain = not any(one.startswith("A") for one in captures)
            if plain and sum(map(value, captures)) == 2 * value(card):
                return seed, card, captures
    raise AssertionError("no such deal")


def on_the_table(card: str) -> str:
    return f'.spread button[data-card="{card}"]'


def in_the_hand(card: str) -> str:
    return f'{HAND}[data-card="{card}"]'


def test_a_capture_of_several_groups_is_put_together_card_by_card(visit: Visit) -> None:
    seed, card, captures = several_groups()
    visitor = visit(NARROW).enter()
    visitor.sit("tablic", "person", "greedy", seed=seed)
    visitor.find(in_the_hand(card)).click()
    for i, one in enumerate(captures):
        assert "fits" in (visitor.find(on_the_table(one)).get_attribute("class") or "")
        visitor.find(on_the_table(one)).click()
        assert visitor.find(on_the_table(one)).get_attribute("aria-pressed") == "true"
        assert visitor.find("[data-act=take]").inner_text() == f"Take {i + 1}"
    assert "each make" in visitor.find(".choice .prompt").inner_text()
    with visitor.sending():
        visitor.find("[data-act=take]").click()
    visitor.wait()
    pile = visitor.find(".seat.own .pile").get_attribute("data-cards") or ""
    for one in (card, *captures):
        assert f'"{one}"' in pile
    visitor.check()


def test_the_suits_of_plain_cards_do_not_matter(visit: Visit) -> None:
    """Two cards of one rank in the hand: either may be clicked."""
    for seed in range(1, 500):
        plays = first_plays(seed)
        view = Session("tablic", [None, "greedy"], seed).view(0)
        hand = next(z for z in view.game.presenter.scene(view).zones if z.seat == 0)
        named = {card for card, _ in plays}
        twins = [
            one.text
            for one in hand.cards
            if one.text not in named and any(c and card[:-1] == one.text[:-1] for card, c in plays)
        ]
        if twins:
            break
    visitor = visit(WIDE).enter()
    visitor.sit("tablic", "person", "greedy", seed=seed)
    visitor.find(in_the_hand(twins[0])).click()
    with visitor.sending():
        visitor.find("[data-act=all]").click()
    visitor.wait()
    assert f'"{twins[0]}"' in (visitor.find(".seat.own .pile").get_attribute("data-cards") or "")


def test_a_wrong_set_is_refused_with_its_rule(visit: Visit) -> None:
    visitor = visit(WIDE).enter()
    visitor.sit("tablic", "person", "greedy", seed=1)
    visitor.find(HAND).first.click()
    for card in visitor.find(".spread button.card").all():
        card.click()
    visitor.find("[data-act=take]").click()
    assert "Rule 3.2: those cards" in visitor.find(".refusal").inner_text()
    assert visitor.find(MY_TURN).count() == 1  # one may choose anew
    visitor.errors = [one for one in visitor.errors if "422" not in one]  # the browser logs it
    visitor.find(".refusal button").click()
    visitor.page.wait_for_selector("#rule-3-2:focus")
    assert "splits into disjoint groups" in visitor.find("#rule-3-2").inner_text()
    visitor.find(HAND).first.click()
    assert visitor.find(".refusal").count() == 0
    visitor.check()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_beginner_is_shown_how_to_capture_until_he_knows(
    visit: Visit, size: tuple[int, int]
) -> None:
    visitor = visit(size).enter()
    visitor.sit("tablic", "person", "greedy", seed=several_groups()[0])
    visitor.find("[data-act=show]").click()
    visitor.page.wait_for_selector("[data-act=take]:focus")
    assert visitor.find(".spread .chosen").count() > 0
    assert "make" in visitor.find(".choice .prompt").inner_text()
    with visitor.sending():
        visitor.keys("Enter")
    visitor.wait()
    assert visitor.find(".seat.own .pile:enabled").count() == 1
    visitor.find("[data-act=known]").click()
    assert visitor.find("aside.coach").count() == 0
    visitor.page.reload()
    visitor.wait()
    assert visitor.find("aside.coach").count() == 0
    visitor.sit("love-letter", "person", "greedy", seed=1)
    assert visitor.find("aside.coach").count() == 1, "that is another game"
    visitor.check()


def test_undo_reload_and_resume_lead_back_to_the_table(visit: Visit) -> None:
    visitor = visit(NARROW).enter()
    visitor.sit("tablic", "person", "greedy", seed=3)
    before = visitor.find(".seat.own .hand").inner_html()
    tablic_by_mouse(visitor)
    visitor.wait()
    visitor.page.wait_for_selector("[data-act=undo]")
    visitor.find("[data-act=undo]").click()
    expect(visitor.find(HAND)).to_have_count(6)
    assert visitor.find(".seat.own .hand").inner_html() == before
    tablic_by_mouse(visitor)
    visitor.wait()
    cards = visitor.find(".felt").inner_text()
    visitor.page.reload()
    visitor.wait()
    assert visitor.find(".felt").inner_text() == cards
    visitor.page.goto(visitor.server.base)
    visitor.page.wait_for_selector(".tables .yours")
    there = visitor.find(".tables .yours a").first.get_attribute("href")
    assert visitor.find("#resume a").get_attribute("href") == there
    visitor.find("#resume a").click()
    visitor.wait()
    assert visitor.find(".felt").inner_text() == cards
    visitor.check()


def test_the_page_comes_back_by_itself_when_the_server_does(
    browser: Browser, tmp_path: Path
) -> None:
    """Killed in mid-game and started again, as another process at the same address."""
    server = ServerProcess(tmp_path)
    try:
        visitor = Visitor(browser, server, WIDE).enter()
        visitor.sit("love-letter", "person", "greedy", seed=1)
        visitor.wait()
        cards = visitor.find(".felt").inner_text()
        server.stop()
        visitor.page.wait_for_selector("#status:has-text('broken')")
        server = ServerProcess(tmp_path, port=server.port)
        visitor.page.wait_for_selector("#status:not(:has-text('broken'))", state="attached")
        assert visitor.find(".felt").inner_text() == cards
        love_letter_by_mouse(visitor)
        visitor.wait()
        visitor.context.close()
    finally:
        server.stop()


def test_a_hint_says_why_and_what_the_others_may_hold(visit: Visit) -> None:
    visitor = visit(WIDE).enter()
    visitor.sit("love-letter", "person", "greedy", seed=4)
    visitor.wait()
    visitor.find("#tab-hint").click()
    visitor.find("#hint-by").select_option("greedy")
    visitor.find("#side").get_by_text("Give me a hint").click()
    visitor.page.wait_for_selector(".sentence", timeout=PATIENCE * 1000)
    assert visitor.find(".side .bars").count() >= 2
    shares = visitor.find(".bars.tight .number").all_inner_texts()
    assert shares and all(one.endswith("%") for one in shares)
    visitor.check()


def test_a_record_is_downloaded_and_opened(visit: Visit, tmp_path: Path) -> None:
    visitor = visit(WIDE).enter()
    visitor.sit("twenty-one", "person", "random", seed=1)

    def choose(one: Visitor) -> None:
        with one.sending():
            one.find(".choice [data-play]").first.click()

    visitor.play(choose)
    there = visitor.page.url
    with visitor.page.expect_download() as downloading:
        visitor.find(".choice.end a[download]").click()
    file = tmp_path / "game.jsonl"
    downloading.value.save_as(file)
    assert read_records(file)[-1].game == "twenty-one"
    visitor.page.goto(visitor.server.base)
    visitor.page.wait_for_selector("#file:enabled")
    visitor.find("#file").set_input_files(file)
    visitor.page.wait_for_selector(END)
    assert visitor.page.url != there
    visitor.find("[data-act=turns]").click()
    visitor.page.wait_for_selector(".stepper")
    visitor.check()


@pytest.mark.parametrize("game", ["love-letter", "tablic"])
def test_a_hint_is_shown_on_the_table_and_played(visit: Visit, game: str) -> None:
    """It is chosen, and not sent before the person confirms it."""
    visitor = visit(NARROW).enter()
    visitor.sit(game, "person", "greedy", seed=4)
    visitor.wait()
    visitor.find("[data-act=hint]").click()
    visitor.page.wait_for_selector("[data-act=show-hint]", timeout=PATIENCE * 1000)
    version = visitor.version()
    visitor.find("[data-act=show-hint]").click()
    visitor.page.wait_for_selector(f"{HAND}.chosen")
    assert visitor.version() == version
    assert visitor.find(".side.open").count() == 0
    with visitor.sending():
        visitor.keys("Enter")  # what confirms it has the focus
    visitor.wait()
    assert visitor.version() > version
    visitor.check()


def test_what_an_opponent_thought_is_told_in_its_words(visit: Visit) -> None:
    visitor = visit(WIDE).enter()
    visitor.sit("love-letter", "person", "greedy", seed=6)
    visitor.play(love_letter_by_mouse)
    visitor.find("[data-act=turns]").click()
    visitor.page.wait_for_selector(".stepper")
    visitor.keys("ArrowRight")
    visitor.find(".stepper input[type=checkbox]").check()
    assert visitor.find(".seat.own .who").inner_text().startswith("You")
    visitor.find(".stepper").get_by_text("What did it think?").click()
    visitor.page.wait_for_selector("#side .sentence", timeout=PATIENCE * 1000)
    said = visitor.find("#side .sheet").inner_text()
    assert said.startswith("What Greedy told itself in turn 2\n\n“You” is Greedy here.")
    assert "seat 1 may hold" in said
    visitor.check()
    visitor.page.goto(visitor.server.base)
    visitor.page.wait_for_selector(".tables li")
    assert "after 1 round" in visitor.find(".tables li").first.inner_text()


def test_the_plate_says_how_strong_an_opponent_is(visit: Visit) -> None:
    visitor = visit(WIDE).enter()
    visitor.sit("tablic", "person", "level:medium", seed=1)
    assert visitor.find(".opponents .who").inner_text().split("\n") == ["Human-like", "medium"]
    visitor.sit("tablic", "person", "human", seed=1)
    assert "medium" in visitor.find(".opponents .who").inner_text(), "that is the same"
    visitor.sit("tablic", "person", "pimc:worlds=7", seed=1)
    assert visitor.find(".opponents .who").inner_text().split("\n") == ["Pimc", "seat 2"]


def test_a_finished_round_is_stepped_through_and_reviewed(visit: Visit) -> None:
    visitor = visit(WIDE).enter()
    visitor.sit("love-letter", "person", "greedy", seed=6)
    made = visitor.play(love_letter_by_mouse)
    visitor.find("[data-act=turns]").click()
    visitor.page.wait_for_selector(".stepper")
    steps = int(visitor.find(".stepper input[type=range]").get_attribute("max") or 0)
    assert steps >= made
    assert visitor.find(".opponents .hand .card.back").count() == 1
    visitor.find(".stepper input[type=checkbox]").check()
    assert visitor.find(".opponents .hand .card.back").count() == 0
    visitor.keys("ArrowRight")
    assert visitor.find(".stepper .prompt").inner_text().startswith("2 of")
    visitor.find(".stepper").get_by_text("Done").click()
    visitor.find("[data-act=review]").click()
    visitor.find("#side").get_by_text("Review the game").click()
    visitor.page.wait_for_selector(".decisions button", timeout=PATIENCE * 1000)
    assert visitor.find(".decisions button").count() == made
    visitor.find(".decisions button").first.click()
    visitor.page.wait_for_selector(".felt .choice:has-text('Turn')")
    name = visitor.find(".seat.own .hand .card.taken").get_attribute("data-card")
    assert str(name).capitalize() in visitor.find(".felt .choice .prompt").inner_text()
    visitor.check()
