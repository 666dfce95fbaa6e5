"""Several at one table: links that open one seat, who looks on, strategies among themselves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.static.visitor import (
    END,
    MY_TURN,
    NARROW,
    OUTSIDE,
    WIDE,
    Visitor,
    love_letter_by_mouse,
)

Visit = Callable[[tuple[int, int]], Visitor]


def test_two_play_in_two_browsers_and_a_link_opens_its_seat_only(visit: Visit) -> None:
    host, friend = visit(WIDE).enter(), visit(NARROW)
    made = host.sit("love-letter", "person", "person", seed=2)
    base = host.server.base
    friend.page.goto(base + made["links"]["2"])
    friend.page.wait_for_selector(".seat.own")
    assert friend.page.url == f"{base}/table/{made['id']}/2/"
    own = friend.find(".seat.own .hand .card").get_attribute("data-card")
    assert host.find(".opponents .hand .card").get_attribute("data-card") is None
    assert own
    host.page.wait_for_selector(MY_TURN)
    assert friend.find(MY_TURN).count() == 0
    assert "turn of" in friend.find(".choice").inner_text()
    # What the friend's browser holds opens no other seat.
    assert friend.page.request.get(f"{base}/table/{made['id']}/1/events").status in (401, 403)
    assert friend.page.request.get(f"{base}/api/tables").status in (401, 403)
    players = [host, friend]
    for _ in range(200):
        mover = next((one for one in players if one.find(MY_TURN).count()), None)
        if mover:
            love_letter_by_mouse(mover)
        if all(one.find(END).count() for one in players):
            break
        host.page.wait_for_timeout(100)
    assert all(one.find(END).count() for one in players)
    host.check()
    friend.check()


def test_many_tabs_that_are_all_in_sight(visit: Visit) -> None:
    """More than a browser has connections: the one used longest ago rests, and comes back."""
    visitor = visit(WIDE).enter()
    first = visitor.page
    tabs = []
    for seed in range(8):
        visitor.page = visitor.context.new_page()
        visitor.sit("twenty-one", "person", "random", seed=seed)
        visitor.wait()
        tabs.append(visitor.page)
    resting = "#status:has-text('rests')"
    tabs[0].wait_for_selector(resting)
    assert visitor.page.locator(resting).count() == 0
    tabs[0].locator("#title").click()
    tabs[0].wait_for_selector("#status:not(:has-text('rests'))", state="attached")
    version = tabs[0].locator("#felt").get_attribute("data-version")
    tabs[0].locator(".choice [data-play]").first.click()
    tabs[0].wait_for_selector(f"#felt.choosing:not([data-version='{version}'])")
    first.reload()
    first.wait_for_selector(".tables li")
    assert visitor.errors == []


def test_who_has_no_key_is_told_what_to_open(visit: Visit) -> None:
    host, stranger = visit(WIDE).enter(), visit(WIDE)
    made = host.sit("love-letter", "person", "greedy", seed=2)
    stranger.page.goto(f"{host.server.base}/table/{made['id']}/1/")
    stranger.page.wait_for_selector(".waiting:has-text('Open the link')")
    stranger.page.goto(host.server.base)
    stranger.page.wait_for_selector(".failure:has-text('kibitz serve has printed')")
    assert stranger.foreign == []


def test_strategies_are_watched_step_by_step_and_from_each_seat(visit: Visit) -> None:
    visitor = visit(NARROW).enter()
    visitor.sit("tablic", "greedy", "greedy", seed=1)
    visitor.page.wait_for_selector("[data-act=step]")
    assert visitor.find(".hand .card.back").count() == 0
    visitor.find("[data-act=step]").click()
    visitor.page.wait_for_selector(".log li.new", state="attached")
    assert visitor.find(".hand .card").count() == 11
    visitor.find(".choice [aria-label=View]").select_option("2")
    visitor.page.wait_for_selector(".hand .card.back")
    assert visitor.find(".seat.own .hand .card:not(.back)").count() == 6
    visitor.find("[data-act=run]").click()
    visitor.page.wait_for_selector(".log li:nth-child(3)", state="attached")
    visitor.find("[data-act=run]").click()
    visitor.check()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_four_open_hands_are_on_the_felt(visit: Visit, size: tuple[int, int]) -> None:
    visitor = visit(size).enter()
    visitor.sit("tablic:players=4", *["level:medium"] * 4, seed=1)
    visitor.page.wait_for_selector("[data-act=step]")
    assert visitor.find(".seat .hand .card[data-card]").count() == 24
    assert visitor.page.evaluate(OUTSIDE) == 0
    visitor.check()


def test_a_table_is_made_in_the_lobby_by_keys_alone(visit: Visit) -> None:
    visitor = visit(WIDE).enter()
    visitor.tab_to(".tile[data-game=tablic]")
    visitor.keys("Enter")
    visitor.tab_to("#players")
    visitor.keys("3")
    visitor.tab_to(".table-form [type=submit]")
    visitor.keys("Enter")
    visitor.page.wait_for_selector(".seat.own .hand .card")
    assert visitor.find(".opponents .seat").count() == 2
    visitor.check()
