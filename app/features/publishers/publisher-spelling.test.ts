import { expect, test } from "vitest";
import {
  countNames,
  importedSpelling,
  knownSpelling,
  publisherKey,
  publisherSpellings,
} from "./publisher-spelling.ts";

test.each([
  ["Schofield and Sims", "schofieldandsims"],
  [" SCHOFIELD & SIMS, Ltd. ", "schofieldandsimsltd"],
  ["Éditions-Ɔba 2", "editionsɔba2"],
  ["—", ""],
])("%j has the key %j, whatever its spelling", (name, key) => {
  expect(publisherKey(name)).toBe(key);
});

test("Known names come first, the earlier of two spellings before the other, then a file's", () => {
  const spellings = publisherSpellings(
    ["Collins", "collins", "Adom press"],
    countNames(["ADOM PRESS", "Sedco", "SEDCO"]),
  );
  expect(knownSpelling(spellings, "COLLINS")).toBe("Collins");
  expect(knownSpelling(spellings, "Adom-Press")).toBe("Adom press");
  expect(knownSpelling(spellings, "sedco")).toBe("Sedco");
  expect(knownSpelling(spellings, "Unknown  House")).toBe("Unknown  House");
});

test("The most frequent of a file's own spellings is used; in a tie, all capitals come last", () => {
  const spelling = (...names: string[]) => knownSpelling(publisherSpellings([], countNames(names)), "sedco");
  expect(spelling("Sedco", "SEDCO", "SEDCO")).toBe("SEDCO");
  expect(spelling("SEDCO", "Sedco")).toBe("Sedco");
  expect(spelling("Sedco", "SEDCO")).toBe("Sedco");
  expect(spelling("SEDCO")).toBe("SEDCO");
});

test("Keeps a spelling that the shop has, beside another one of the same publisher", () => {
  const spellings = publisherSpellings(["Aki Ola", "Aki-Ola"], countNames(["AKI-OLA", "AKI-OLA", "Aki-Ola"]));
  expect(importedSpelling(spellings, "Aki-Ola")).toBe("Aki-Ola");
  expect(importedSpelling(spellings, "AKI-OLA")).toBe("Aki Ola");
});

test("A name without a letter or digit has no key", () => {
  expect(publisherSpellings(["—"]).byKey.has("")).toBe(false);
});
