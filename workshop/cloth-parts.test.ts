import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clothParts, fields, seedOf, threadsOf } from "#app/features/book-covers/cover-cloth.ts";
import { clothFile, coloursFile, everyPart } from "./cloth-parts.ts";
import { weave } from "./pictures/lib/weave.ts";

const wide = { left: 0, top: 160, columns: 6, rows: 4 };
const narrow = { left: 10, top: 0, columns: 2, rows: 9 };

test("A cloth is two alternating motifs, mirrored about the middle, with one accent", () => {
  const at = (path: string) => path.match(/M\d+ \d+/g);
  const cloth = weave(seedOf("Atlas"), { left: 0, top: 40, columns: 3, rows: 2 });
  expect(at(cloth.accent)).toEqual(["M40 40"]);
  expect(at(cloth.first)).toEqual(["M0 40", "M80 40", "M40 80"]);
  expect(at(cloth.second)).toEqual(["M0 80", "M80 80"]);
  expect(cloth.ground).toBe("M0 80h40v40h-40zM80 80h40v40h-40z");
  expect(cloth.accent).toBe("M40 40m20 4a16 16 0 1 0 .1 0zm0 5a11 11 0 1 1-.1 0zm0 5a6 6 0 1 0 .1 0z");
});

test("Stairs climb towards the middle from both sides", () => {
  const field = { left: 0, top: 0, columns: 4, rows: 2 };
  const [left, right] = ["v40h40v-10h-10v-10h-10v-10h-10v-10z", "m40 0v40h-40v-10h10v-10h10v-10h10v-10z"];
  expect(weave(1, field).first).toContain(`M0 0${left}M120 0${right}`);
  expect(weave(0, field).second).toBe(`M0 40${left}M120 40${right}`);
});

test("The files of cloths and their colours are up to date: if this fails, run `npm run draw -- cloth`", () => {
  expect(readFileSync("app/features/book-covers/cloth.svg", "utf8")).toBe(clothFile());
  expect(readFileSync("app/styles/cover-colours.css", "utf8")).toBe(coloursFile());
});

test("The parts that a cover names are the cloth of its title, in each layout", () => {
  const paths = everyPart();
  const named = new Set<string>();
  for (let number = 0; number < 10_000; number += 1) {
    const seed = seedOf(`Book ${number}`);
    for (const [layout, field] of fields.entries()) {
      const parts = clothParts(layout, threadsOf(seed, field));
      const drawn = Object.entries(parts).map(([layer, name]) => [layer, paths.get(name)]);
      expect(Object.fromEntries(drawn)).toEqual(weave(seed, field));
      for (const name of Object.values(parts)) named.add(name);
    }
  }
  expect([...paths.keys()].filter((name) => !named.has(name))).toEqual([]);
});

/** The first letters of the SHA-256 of a cloth. */
const print = (title: string, field: typeof wide) =>
  createHash("sha256")
    .update(JSON.stringify(weave(seedOf(title), field)))
    .digest("hex")
    .slice(0, 16);

test.each([
  ["Atlas", "68ca7b9aa8eda54c", "082b94bbdb944f6d"],
  ["Mental Arithmetic 4", "892bf52b3c30f820", "904aa8b119a01b32"],
  ["Ɔkyeame", "fe43f901e9bcdf5e", "42d57516e97af7d7"],
  ["Times Tables", "0a32cf8a62dd0d01", "1beee858eb19ec50"],
  ["A", "caddf5f3ec68d5dc", "079fb7d43d1be389"],
  ["Big Cat Phonics", "dde8a9f6ba7d39ef", "a785bbe59b97ef7d"],
])("The book %j keeps its cloth for ever, on a wide field and a narrow one", (title, onWide, onNarrow) => {
  expect([print(title, wide), print(title, narrow)]).toEqual([onWide, onNarrow]);
});
