import { expect, test } from "vitest";
import { countOthers, NoteGroups } from "./import-notes.ts";

const taken = (name: string) => `The publisher ${name} is read as Cambridge University Press.`;

test("rows with the same note are one group with their number, in the order of the first rows", () => {
  const notes = new NoteGroups(20);
  for (let line = 2; line < 272; line += 1)
    notes.add({ line, message: taken(line % 18 === 4 ? "C.U.P." : "CUP") });
  expect(notes.count).toBe(270);
  expect(notes.first).toEqual([
    { line: 2, message: taken("CUP"), rows: 255 },
    { line: 4, message: taken("C.U.P."), rows: 15 },
  ]);
  expect(countOthers(notes)).toBe(0);
});

test("notes above the limit of different ones are only counted", () => {
  const notes = new NoteGroups(2);
  for (const [line, message] of ["a", "b", "c", "a", "d", "c"].entries()) notes.add({ line, message });
  expect(notes.first).toEqual([
    { line: 0, message: "a", rows: 2 },
    { line: 1, message: "b", rows: 1 },
  ]);
  expect(countOthers(notes)).toBe(3);
});
