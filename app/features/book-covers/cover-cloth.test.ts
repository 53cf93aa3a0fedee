import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { seedOf, weave } from "./cover-cloth.ts";
import { placedCloth } from "./placed-cloth.ts";

const wide = { left: 0, top: 160, columns: 6, rows: 4 };
const narrow = { left: 10, top: 0, columns: 2, rows: 9 };

test("A cloth is two alternating motifs, mirrored about the middle, with one accent", () => {
  const at = (path: string) => path.match(/M\d+ \d+/g);
  const cloth = placedCloth(seedOf("Atlas"), { left: 0, top: 40, columns: 3, rows: 2 });
  expect(at(cloth.accent)).toEqual(["M40 40"]);
  expect(at(cloth.first)).toEqual(["M0 40", "M80 40", "M40 80"]);
  expect(at(cloth.second)).toEqual(["M0 80", "M80 80"]);
  expect(cloth.ground).toBe("M0 80h40v40h-40zM80 80h40v40h-40z");
  expect(cloth.accent).toBe("M40 40m20 4a16 16 0 1 0 .1 0zm0 5a11 11 0 1 1-.1 0zm0 5a6 6 0 1 0 .1 0z");
});

test("Stairs climb towards the middle from both sides", () => {
  const field = { left: 0, top: 0, columns: 4, rows: 2 };
  const [left, right] = ["v40h40v-10h-10v-10h-10v-10h-10v-10z", "m40 0v40h-40v-10h10v-10h10v-10h10v-10z"];
  expect(placedCloth(1, field).first).toContain(`M0 0${left}M120 0${right}`);
  expect(placedCloth(0, field).second).toBe(`M0 40${left}M120 40${right}`);
});

/** Where a path's pen is after it. */
function endOf(path: string): [x: number, y: number] {
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, command = "", rest = ""] of path.matchAll(/([a-zM])([^a-zM]*)/g)) {
    const numbers = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    if (command === "z") [x, y] = [startX, startY];
    if (command === "M") [x, y] = numbers as [number, number];
    if (command === "m") [x, y] = [x + (numbers[0] ?? 0), y + (numbers[1] ?? 0)];
    if (command === "m" || command === "M") [startX, startY] = [x, y];
  }
  return [x, y];
}

test("each motif ends where it began, so that the next block is where its move leads", () => {
  const field = { left: 0, top: 0, columns: 3, rows: 1 };
  for (let seed = 0; seed < 2 ** 17; seed += 31) {
    const { first, second, accent } = weave(seed, field);
    // The last blocks of these layers are at the right, in the middle of it or beside it.
    expect([endOf(first), endOf(second), endOf(accent)].every(([x, y]) => x % 40 === 0 && y === 0)).toBe(
      true,
    );
  }
});

/** The first letters of the SHA-256 of a cloth. */
const print = (title: string, field: typeof wide) =>
  createHash("sha256")
    .update(JSON.stringify(placedCloth(seedOf(title), field)))
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
