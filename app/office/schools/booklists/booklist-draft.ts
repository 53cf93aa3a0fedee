import type { BooklistLine } from "#app/features/booklists/booklist.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import type { BooklistInput, BooklistRecord } from "./booklist.admin-queries.ts";
import { isSchoolYear, schoolYearAt } from "./school-year.ts";

/** A list being edited, with everything typed kept as text. */
export type BooklistDraft = {
  id: string;
  school: string;
  class_name: string;
  school_year: string;
  introduction: string;
  is_listed: boolean;
  /** Expected in the class; empty if unknown. */
  pupils: string;
  lines: DraftLine[];
};

export type DraftLine = {
  /** Stays the same while the line is edited and moved. */
  key: string;
  /** Null until the line is saved. */
  id: string | null;
  book_id: string | null;
  book: CardBook | null;
  newer: CardBook | null;
  title: string;
  copies: string;
  is_required: boolean;
  note: string;
};

/** The database's limits. */
export const MAX_LINES = 200;
export const MAX_COPIES = 99;
export const limits = { school: 200, class_name: 100, introduction: 2_000, title: 500, note: 300 } as const;

export function newDraft(today: Date): BooklistDraft {
  return {
    id: newUuid(),
    school: "",
    class_name: "",
    school_year: schoolYearAt(today),
    introduction: "",
    is_listed: true,
    pupils: "",
    lines: [],
  };
}

export function draftOf(list: BooklistRecord): BooklistDraft {
  return {
    id: list.id,
    school: list.school,
    class_name: list.class_name,
    school_year: list.school_year,
    introduction: list.introduction ?? "",
    is_listed: list.is_listed,
    pupils: String(list.pupils ?? ""),
    lines: list.lines.map(draftLine),
  };
}

function draftLine(line: BooklistLine): DraftLine {
  return {
    key: line.id,
    id: line.id,
    book_id: line.book_id,
    book: line.book,
    newer: line.newer ?? null,
    title: line.title,
    copies: String(line.copies),
    is_required: line.is_required,
    note: line.note ?? "",
  };
}

/** A new line for a book, or a text-only line for an item that the shop does not sell. */
export function newLine(what: CardBook | string, copies = 1): DraftLine {
  const book = typeof what === "string" ? null : what;
  return {
    key: newUuid(),
    id: null,
    book_id: book?.id ?? null,
    book,
    newer: null,
    title: typeof what === "string" ? what.trim().slice(0, limits.title) : what.title,
    copies: String(copies),
    is_required: true,
    note: "",
  };
}

/** The lines followed by new ones; a book that is already on the list is not added again. */
export function withLines(lines: readonly DraftLine[], added: readonly DraftLine[]): DraftLine[] {
  const all = [...lines];
  for (const line of added)
    if (!all.some(({ book_id }) => book_id !== null && book_id === line.book_id)) all.push(line);
  return all.slice(0, MAX_LINES);
}

/** Why this many lines cannot be added; null when they can. */
export function roomProblem(lines: readonly DraftLine[], more: number): string | null {
  const all = lines.length + more;
  return all > MAX_LINES ? `A booklist can have up to ${MAX_LINES} lines. This would make ${all}.` : null;
}

/** The lines with one of them moved up (-1) or down (1); unchanged at the ends. */
export function withLineMoved(lines: readonly DraftLine[], key: string, step: -1 | 1): DraftLine[] {
  const from = lines.findIndex((line) => line.key === key);
  const to = from + step;
  const line = lines[from];
  if (!line || to < 0 || to >= lines.length) return [...lines];
  return lines.toSpliced(from, 1).toSpliced(to, 0, line);
}

/** The line with its book replaced by the newer edition. */
export function withNewerEdition(line: DraftLine): DraftLine {
  const { newer } = line;
  return newer ? { ...line, book_id: newer.id, book: newer, title: newer.title, newer: null } : line;
}

/** What must be corrected before the list can be saved, by field or by a line's key. */
export type DraftProblems = Partial<Record<"school" | "class_name" | "school_year" | "pupils", string>> & {
  copies: ReadonlySet<string>;
};

/** The values to save and any problems with them. */
export function readDraft(draft: BooklistDraft): { input: BooklistInput; problems: DraftProblems } {
  const copies = new Set(draft.lines.filter((line) => !isCopies(line.copies)).map(({ key }) => key));
  const school_year = draft.school_year.replace(/\s/g, "");
  const pupils = draft.pupils.trim().replace(/(?<=^\d)[, ](?=\d{3}$)/, "");
  return {
    input: {
      ...draft,
      school: draft.school.trim(),
      class_name: draft.class_name.trim(),
      school_year,
      pupils: pupils === "" ? null : Number(pupils),
      introduction: draft.introduction.trim(),
      lines: draft.lines.map(({ id, book_id, title, copies, is_required, note }) => ({
        id,
        book_id,
        title,
        is_required,
        note: note.trim(),
        copies: Number(copies),
      })),
    },
    problems: {
      copies,
      ...(draft.school.trim() === "" && { school: "Enter the school's name." }),
      ...(draft.class_name.trim() === "" && { class_name: "Enter the class." }),
      ...(!isSchoolYear(school_year) && { school_year: "Enter two years, such as 2026/2027." }),
      ...(!/^([1-9]\d{0,3})?$/.test(pupils) && {
        pupils: "Enter a number from 1 to 9,999, or leave it empty.",
      }),
    },
  };
}

function isCopies(text: string): boolean {
  return /^\d{1,2}$/.test(text.trim()) && Number(text) >= 1;
}

export function hasProblems({ copies, ...fields }: DraftProblems): boolean {
  return copies.size > 0 || Object.keys(fields).length > 0;
}

/** Whether saving would change nothing. */
export function isSameDraft(one: BooklistDraft, other: BooklistDraft): boolean {
  const text = (draft: BooklistDraft) => JSON.stringify(readDraft(draft).input);
  return text(one) === text(other);
}
