import { expect, it } from "vitest";
import type { CardBook } from "#app/features/books/book-fields.ts";
import {
  draftOf,
  hasProblems,
  isSameDraft,
  newDraft,
  newLine,
  readDraft,
  roomProblem,
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
  expect(titles(withLineMoved(lines, keyOf(1), -1))).toBe("bac");
  expect(titles(withLineMoved(lines, keyOf(1), 1))).toBe("acb");
  expect(titles(withLineMoved(lines, "gone", 1))).toBe("abc");
  expect(titles(withLineMoved(lines, keyOf(0), -1))).toBe("abc");
  expect(titles(withLineMoved(lines, keyOf(2), 1))).toBe("abc");
});

it("starts empty and public, and its new lines are required", () => {
  const draft = newDraft(new Date("2026-11-22"));
  expect(draft).toEqual({
    id: expect.any(String),
    school: "",
    class_name: "",
    school_year: "2026/2027",
    introduction: "",
    is_listed: true,
    pupils: "",
    lines: [],
  });
  const line = { key: expect.any(String), id: null, newer: null, copies: "1", is_required: true, note: "" };
  expect(newLine(book("a"))).toEqual({ ...line, book_id: "a", book: book("a"), title: "Book a" });
  const words = { ...line, book_id: null, book: null };
  expect(newLine(` ${"x".repeat(600)} `)).toEqual({ ...words, title: "x".repeat(500) });
  expect(newLine(" A pen ", 2)).toEqual({ ...words, title: "A pen", copies: "2" });
});

it("adds a book once, other items repeatedly, and no more than 200 lines", () => {
  const more = withLines(lines, [newLine(book("b")), newLine("A pen"), newLine("A pen"), newLine(book("d"))]);
  expect(titles(more)).toBe("abcnnd");
  const many = Array.from({ length: 300 }, () => newLine("A pen"));
  expect(withLines(lines, many)).toHaveLength(200);
});

it("explains that more lines than a list can have cannot be added", () => {
  const all = Array.from({ length: 198 }, (_, at) => newLine(`${at}`));
  expect(roomProblem(all, 2)).toBeNull();
  expect(roomProblem(all, 3)).toBe("A booklist can have up to 200 lines. This would make 201.");
});

it("replaces a book with its newer edition and keeps the rest of the line", () => {
  const line = { ...newLine(book("a"), 3), id: "line", note: "For home", newer: book("z") };
  expect(withNewerEdition(line)).toMatchObject({
    id: "line",
    book_id: "z",
    title: "Book z",
    copies: "3",
    note: "For home",
    newer: null,
  });
  const usual = newLine(book("a"));
  expect(withNewerEdition(usual)).toBe(usual);
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
  const blank = readDraft({ ...draft, school: " ", class_name: " ", school_year: "2026" }).problems;
  expect(blank).toEqual({
    copies: new Set(),
    school: "Enter the school's name.",
    class_name: "Enter the class.",
    school_year: "Enter two years, such as 2026/2027.",
  });
  expect(hasProblems(blank)).toBe(true);
  for (const copies of ["", "0", "100", "1.5", "two"])
    expect(
      hasProblems(
        readDraft({ ...draft, school: "x", class_name: "y", lines: [{ ...newLine("z"), copies }] }).problems,
      ),
    ).toBe(true);
});

it("trims the typed text when it is saved", () => {
  const line = { ...newLine(book("a")), id: "line", note: " For home ", copies: " 12 " };
  const draft = {
    ...newDraft(new Date("2026-11-22")),
    class_name: " JHS 1 ",
    introduction: " Hello ",
    lines: [line],
  };
  const { input, problems } = readDraft(draft);
  expect(problems.copies.size).toBe(0);
  expect(input).toMatchObject({ class_name: "JHS 1", introduction: "Hello" });
  expect(input.lines).toEqual([
    { id: "line", book_id: "a", title: "Book a", is_required: true, note: "For home", copies: 12 },
  ]);
});

it("a draft counts as changed only if saving it would change the stored list", () => {
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
    pupils: null,
    lines: [
      { id: "line", title: "A pen", copies: 1, is_required: true, note: null, book_id: null, book: null },
    ],
  });
  expect(stored.introduction).toBe("");
  expect(stored.lines).toEqual([
    {
      key: "line",
      id: "line",
      book_id: null,
      book: null,
      newer: null,
      title: "A pen",
      copies: "1",
      is_required: true,
      note: "",
    },
  ]);
  expect(isSameDraft(stored, { ...stored, school: "Hilltop " })).toBe(true);
  expect(isSameDraft(stored, { ...stored, is_listed: false })).toBe(false);
  expect(
    isSameDraft(stored, { ...stored, lines: stored.lines.map((line) => ({ ...line, copies: "2" })) }),
  ).toBe(false);
});

it("reads the expected pupils as a number, and an empty field as unknown", () => {
  const draft = newDraft(new Date("2026-11-22"));
  const read = (pupils: string) => {
    const { input, problems } = readDraft({ ...draft, pupils });
    return problems.pupils ? "wrong" : input.pupils;
  };
  expect(["", " 45 ", "1,200", "9999"].map(read)).toEqual([null, 45, 1200, 9999]);
  expect(["0", "-3", "4.5", "10000", "many"].map(read)).toEqual(Array(5).fill("wrong"));
});
