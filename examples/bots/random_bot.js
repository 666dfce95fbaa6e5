#!/usr/bin/env node
// A bot for Kibitz: docs/bots.md has the protocol. It plays any legal play.
//
//     kibitz compare love-letter random "bot:node examples/bots/random_bot.js"

"use strict";

const readline = require("node:readline");

let state = 1n;

// SplitMix64: the same seed, the same decisions.
function below(n) {
  state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
  let z = state;
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return Number((z ^ (z >> 31n)) % BigInt(n));
}

function answer(message) {
  switch (message.type) {
    case "hello":
      return { type: "hello", protocol: 1, name: "random bot in JavaScript" };
    case "game":
      state = BigInt(message.seed); // a text: it may be larger than a number here can be
      return { type: "ready" };
    case "choose":
      return { type: "play", play: message.plays[below(message.plays.length)] };
    case "quit":
      process.exit(0);
    case "error":
      console.error(message.message); // into the log
      return null;
    default:
      return null; // `end`, and whatever a later version says
  }
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  const said = answer(message);
  if (said !== null) {
    said.id = message.id; // the number of the question
    process.stdout.write(JSON.stringify(said) + "\n");
  }
});
lines.on("close", () => process.exit(0));
