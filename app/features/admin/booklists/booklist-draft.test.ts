import { expect, it } from "vitest";
import type { CardBook } from "#app/features/books/book-fields.ts";
import {
  draftOf,
  hasProblems,
  isSameDraft,
  newDraft,
  newLine,
  readDraft,
  withLineMoved,
  withLines,
  withNewerEdition,
} from "./booklist-draft.ts";

const book = (id: string) => ({ id, title: `Book ${id}` }) as CardBook;
const lines = ["a", "b", "c"].map((id) => newLine(book(id)));
const titles = (some: { title: string }[]) => some.map(({ title }) => title.slice(-1)).join("");
const keyOf = (at: number) => lines[at]?.key ?? "";

it("moves a line up and down, and not beyond the ends", () => {
  expect(titles(withLineMoved(lines, keyOf(2), -1))).toBe("acb");
  expect(titles(withLineMoved(lines, keyOf(0), 1))).toBe("bac");
  expect(titles(withLineMoved(lines, keyOf(0), -1))).toBe("abc");
  expect(titles(withLineMoved(lines, keyOf(2), 1))).toBe("abc");
});

it("adds a book once, words as often as wanted, and no more than 200 lines", () => {
  const more = withLines(lines, [newLine(book("b")), newLine("A pen"), newLine("A pen"), newLine(book("d"))]);
  expect(titles(more)).toBe("abcnnd");
  const many = Array.from({ length: 300 }, () => newLine("A pen"));
  expect(withLines(lines, many)).toHaveLength(200);
});

it("puts the newer edition in the place of its book and keeps the rest of the line", () => {
  const line = { ...newLine(book("a"), 3), id: "line", note: "For home", newer: book("z") };
  expect(withNewerEdition(line)).toMatchObject({
    id: "line",
    book_id: "z",
    title: "Book z",
    copies: "3",
    note: "For home",
    newer: null,
  });
});

it("names what must be corrected before it is saved", () => {
  const draft = newDraft(new Date("2026-11-22"));
  expect(draft.school_year).toBe("2026/2027");
  const wrong = readDraft({
    ...draft,
    school_year: "2026",
    lines: lines.map((one, at) => ({ ...one, copies: String(at) })),
  });
  expect(Object.keys(wrong.problems).sort()).toEqual(["class_name", "copies", "school", "school_year"]);
  expect([...wrong.problems.copies]).toEqual([keyOf(0)]);
  const right = readDraft({
    ...draft,
    school: " Hilltop ",
    class_name: "JHS 1",
    school_year: " 2026 / 2027 ",
    lines,
  });
  expect(hasProblems(right.problems)).toBe(false);
  expect(right.input).toMatchObject({ school: "Hilltop", school_year: "2026/2027" });
  for (const copies of ["", "0", "100", "1.5", "two"])
    expect(
      hasProblems(
        readDraft({ ...draft, school: "x", class_name: "y", lines: [{ ...newLine("z"), copies }] }).problems,
      ),
    ).toBe(true);
});

it("a draft differs from the stored list only by what a save would change", () => {
  const stored = draftOf({
    id: "list",
    code: "0123456789",
    school: "Hilltop",
    class_name: "JHS 1",
    school_year: "2026/2027",
    introduction: null,
    updated_at: "",
    status: "draft",
    is_listed: true,
    lines: [
      { id: "line", title: "A pen", copies: 1, is_required: true, note: null, book_id: null, book: null },
    ],
  });
  expect(isSameDraft(stored, { ...stored, school: "Hilltop " })).toBe(true);
  expect(isSameDraft(stored, { ...stored, is_listed: false })).toBe(false);
  expect(
    isSameDraft(stored, { ...stored, lines: stored.lines.map((line) => ({ ...line, copies: "2" })) }),
  ).toBe(false);
});
