/* A bot for Kibitz: docs/bots.md has the protocol. It plays any legal play.
 *
 *     cc -O2 -o random_bot examples/bots/random_bot.c
 *     kibitz compare love-letter random bot:./random_bot
 *
 * It reads of JSON no more than it needs: the values of the keys of the outermost object, and the
 * elements of a list. A text is never decoded: what is answered is a piece of what was asked. */

#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* The place behind a value. */
static const char *skip(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                if (*at == '\\' && at[1]) at++;
            if (*at) at++;
        } else if (*at == '{' || *at == '[') {
            depth++, at++;
        } else if (*at == '}' || *at == ']') {
            depth--, at++;
        } else {
            at++;
        }
        /* A number, true, false or null ends where its list or object goes on. */
    } while (*at && (depth > 0 || !strchr(",]}: \t\r\n", *at)));
    return at;
}

static const char *blank(const char *at) {
    while (*at && strchr(" \t\r\n", *at)) at++;
    return at;
}

/* The value of a key of the outermost object; NULL if there is none. */
static const char *value(const char *line, const char *key) {
    const char *at = blank(line);
    size_t size = strlen(key);
    if (*at != '{') return NULL;
    at = blank(at + 1);
    while (*at == '"') {
        const char *name = at + 1;
        at = blank(skip(at));
        if (*at != ':') return NULL;
        at = blank(at + 1);
        if (!strncmp(name, key, size) && name[size] == '"') return at;
        at = blank(skip(at));
        if (*at == ',') at = blank(at + 1);
    }
    return NULL;
}

static int is_text(const char *at, const char *text) {
    size_t size = strlen(text);
    return at && *at == '"' && !strncmp(at + 1, text, size) && at[size + 1] == '"';
}

/* How many elements a list has; the one at place n is put into *found. */
static size_t element(const char *at, size_t n, const char **found) {
    size_t count = 0;
    if (!at || *at != '[') return 0;
    at = blank(at + 1);
    while (*at && *at != ']') {
        if (count++ == n) *found = at;
        at = blank(skip(at));
        if (*at == ',') at = blank(at + 1);
    }
    return count;
}

static uint64_t state = 1;

/* SplitMix64: the same seed, the same decisions. */
static uint64_t below(uint64_t n) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % n;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *type = value(line, "type"), *id = value(line, "id");
        int digits = id ? (int)(skip(id) - id) : 0;
        if (is_text(type, "quit")) break;
        if (is_text(type, "hello")) {
            printf("{\"type\":\"hello\",\"id\":%.*s,\"protocol\":1,\"name\":\"random bot in C\"}\n",
                   digits, id);
        } else if (is_text(type, "game")) {
            const char *seed = value(line, "seed"); /* a text, for it has 64 bits */
            if (seed) state = strtoull(seed + 1, NULL, 10);
            printf("{\"type\":\"ready\",\"id\":%.*s}\n", digits, id);
        } else if (is_text(type, "choose")) {
            const char *plays = value(line, "plays"), *play = NULL;
            size_t count = element(plays, 0, &play);
            if (!count) return 1;
            element(plays, (size_t)below(count), &play);
            printf("{\"type\":\"play\",\"id\":%.*s,\"play\":%.*s}\n", digits, id,
                   (int)(skip(play) - play), play);
        } /* `end`, `error`, and whatever a later version says, want no answer */
        fflush(stdout);
    }
    free(line);
    return 0;
}
