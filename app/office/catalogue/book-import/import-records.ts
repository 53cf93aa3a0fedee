import { STORAGE_PREFIX } from "#app/lib/browser/env.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import type { BookImportNote } from "./book-import.ts";
import { type GroupedNote, NoteGroups } from "./import-notes.ts";

/**
 * What this browser knows of the imports that it staged, and the database does not: whether the whole file arrived, and
 * the hints. Stored in the browser, so that one may leave and come back.
 */
export type ImportRecord = {
  /** False while rows are being sent: an import that was left in between is not whole. */
  complete: boolean;
  hints: NoteList;
};

export type NoteList = { count: number; first: GroupedNote[] };

const item = createStoredItem("local", `${STORAGE_PREFIX}book-imports`);
const MAX_RECORDS = 5;
/** How many different notes of an import are stored. */
const MAX_NOTES = 100;

type Records = [string, ImportRecord][];

/** Null when another browser staged it, or this one has forgotten. */
export function readImportRecord(id: string): ImportRecord | null {
  return readAll().find(([existing]) => existing === id)?.[1] ?? null;
}

export function saveImportRecord(id: string, complete: boolean, hints: BookImportNote[]): void {
  const record = { complete, hints: groupNotes(hints) };
  const others = readAll().filter(([existing]) => existing !== id);
  item.write([[id, record], ...others].slice(0, MAX_RECORDS));
}

export function forgetImportRecord(id: string): void {
  item.write(readAll().filter(([existing]) => existing !== id));
}

function groupNotes(notes: BookImportNote[]): NoteList {
  const groups = new NoteGroups(MAX_NOTES);
  for (const note of notes) groups.add(note);
  return { count: groups.count, first: groups.first };
}

function readAll(): Records {
  const records = item.read();
  return Array.isArray(records) ? records : [];
}
