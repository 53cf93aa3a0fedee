import { expect, test } from "vitest";
import { NoteGroups } from "#app/office/catalogue/book-import/import-notes.ts";
import { describeNotes, type Reporter } from "./import-report.ts";

function reportInto(lines: string[]): Reporter {
  return { line: (text) => void lines.push(text), progress: () => {} };
}

test("prints one line per note with its number of rows", () => {
  const notes = new NoteGroups(2);
  const lines: string[] = [];
  describeNotes(notes, reportInto(lines));
  expect(lines).toEqual([]);
  for (let line = 2; line <= 1500; line += 1)
    notes.add({ line, message: line === 9 ? "The price is 0." : "CUP." });
  for (const line of [1600, 1601]) notes.add({ line, message: "Another." });
  describeNotes(notes, reportInto(lines));
  expect(lines).toEqual([
    "1,501 notes:",
    "  line 2 and 1,497 more rows: CUP.",
    "  line 9: The price is 0.",
    "  … and 2 more",
  ]);
});
