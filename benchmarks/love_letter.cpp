// Love Letter for two, played at random, in plain C++: what our compiled Python is measured by.
//
//     g++ -O3 -march=native -o love_letter benchmarks/love_letter.cpp
//     ./love_letter ROUNDS SEED
//
// The rules are those of src/kibitz/games/love_letter/RULES.md, whose numbers stand in the
// comments: five Guards, and all who tie win. Both seats draw from the legal plays, each as
// likely, and draw again instead of laying down the Princess. Nothing is kept of what the seats
// know. Seat 0 begins.
//
// It writes one line: rounds, rounds that seat 0 won alone, tied rounds, and plays.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

enum Card { NONE, GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS };

// splitmix64, as in src/kibitz/jit/rng.py.
struct Random {
    uint64_t state;

    uint64_t next() {
        uint64_t z = (state += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    // From 0 to n - 1, exactly uniform (Lemire 2019).
    uint32_t below(uint32_t n) {
        uint64_t product = (next() >> 32) * n;
        if (uint32_t(product) < n) {
            const uint32_t least = -n % n;
            while (uint32_t(product) < least) product = (next() >> 32) * n;
        }
        return product >> 32;
    }
};

struct Play {
    Card card;
    int target;  // a seat, or -1
    Card guess;
};

struct Round {
    Card deck[16];
    int top;           // the next card to draw
    Card hand[2];      // NONE: out
    Card drawn;        // by the seat to move
    bool protects[2];  // rule 4.4
    int spent[2];      // the strength of the discards
    int turn;
    bool over;

    void deal(Random& random) {
        static const Card cards[16] = {GUARD,  GUARD, GUARD,    GUARD,    GUARD,  PRIEST,
                                       PRIEST, BARON, BARON,    HANDMAID, HANDMAID, PRINCE,
                                       PRINCE, KING,  COUNTESS, PRINCESS};
        for (int i = 0; i < 16; i++) deck[i] = cards[i];
        for (int i = 15; i > 0; i--) std::swap(deck[i], deck[random.below(i + 1)]);
        // Rules 2.1 to 2.3: deck[0] is aside, three cards are open, and each seat has one.
        hand[0] = deck[4];
        hand[1] = deck[5];
        top = 6;
        for (int seat = 0; seat < 2; seat++) protects[seat] = false, spent[seat] = 0;
        turn = 0;
        over = false;
        draw();
    }

    // Rules 3.1 and 4.4.
    void draw() {
        protects[turn] = false;
        drawn = deck[top++];
    }

    // The legal plays; how many. Rules 3.4, 4.1, 4.7 and 5.
    int legal(Play* plays) const {
        const Card held[2] = {hand[turn], drawn};
        const bool royal =
            held[0] == PRINCE || held[0] == KING || held[1] == PRINCE || held[1] == KING;
        if ((held[0] == COUNTESS || held[1] == COUNTESS) && royal) {
            plays[0] = {COUNTESS, -1, NONE};
            return 1;
        }
        const int other = 1 - turn, target = protects[other] ? -1 : other;
        int n = 0;
        for (int i = 0; i < 2; i++) {
            const Card card = held[i];
            if (i == 1 && card == held[0]) break;
            switch (card) {
                case GUARD:
                    if (target < 0) {
                        plays[n++] = {card, -1, NONE};
                    } else {
                        for (int guess = PRIEST; guess <= PRINCESS; guess++)
                            plays[n++] = {card, target, Card(guess)};
                    }
                    break;
                case PRIEST: case BARON: case KING:
                    plays[n++] = {card, target, NONE};
                    break;
                case PRINCE:
                    if (target >= 0) plays[n++] = {card, target, NONE};
                    plays[n++] = {card, turn, NONE};
                    break;
                default:
                    plays[n++] = {card, -1, NONE};
            }
        }
        return n;
    }

    // Rule 6.1.
    void leave(int seat) {
        spent[seat] += hand[seat];
        hand[seat] = NONE;
    }

    void play(const Play& play) {
        const int me = turn, target = play.target;
        if (play.card == hand[me]) hand[me] = drawn;
        spent[me] += play.card;
        switch (play.card) {
            case GUARD:
                if (target >= 0 && hand[target] == play.guess) leave(target);
                break;
            case BARON:
                if (target >= 0 && hand[me] != hand[target])
                    leave(hand[me] < hand[target] ? me : target);
                break;
            case HANDMAID:
                protects[me] = true;
                break;
            case PRINCE:
                if (hand[target] == PRINCESS) {
                    leave(target);
                } else {
                    spent[target] += hand[target];
                    hand[target] = top < 16 ? deck[top++] : deck[0];
                }
                break;
            case KING:
                if (target >= 0) std::swap(hand[me], hand[target]);
                break;
            case PRINCESS:
                leave(me);
                break;
            default:
                break;
        }
        if (!hand[0] || !hand[1] || top == 16) {  // rules 7.1 and 7.2
            over = true;
        } else {
            turn = 1 - me;
            draw();
        }
    }

    // 1, 0 for a tie, or -1, for seat 0. Rules 7.1 to 7.4.
    int result() const {
        if (hand[0] != hand[1]) return hand[0] > hand[1] ? 1 : -1;
        return (spent[0] > spent[1]) - (spent[0] < spent[1]);
    }
};

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "love_letter ROUNDS SEED\n");
        return 2;
    }
    const long rounds = std::atol(argv[1]);
    Random random{std::strtoull(argv[2], nullptr, 10)};
    long won = 0, tied = 0, plays = 0;
    Round round;
    Play legal[16];
    for (long i = 0; i < rounds; i++) {
        round.deal(random);
        while (!round.over) {
            const int n = round.legal(legal);
            int chosen = random.below(n);
            while (legal[chosen].card == PRINCESS) chosen = random.below(n);
            round.play(legal[chosen]);
            plays++;
        }
        const int result = round.result();
        won += result > 0;
        tied += result == 0;
    }
    std::printf("%ld %ld %ld %ld\n", rounds, won, tied, plays);
}
