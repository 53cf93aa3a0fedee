import type { BookImportNote } from "./book-import.ts";

/** What several rows have in common, such as one spelling of a publisher: the first of them, and how many there are. */
export type GroupedNote = BookImportNote & { rows: number };

/** Notes on rows, one for each message: a supplier writes a publisher's name the same way in every row. */
export class NoteGroups {
  /** All rows with notes, including notes that are not stored. */
  count = 0;
  readonly #groups = new Map<string, GroupedNote>();
  readonly #most: number;

  /** @param most how many different messages are stored; the others are only counted */
  constructor(most: number) {
    this.#most = most;
  }

  add({ line, message }: BookImportNote): void {
    this.count += 1;
    const group = this.#groups.get(message);
    if (group) group.rows += 1;
    else if (this.#groups.size < this.#most) this.#groups.set(message, { line, message, rows: 1 });
  }

  /** In the order of their first rows. */
  get first(): GroupedNote[] {
    return [...this.#groups.values()];
  }
}

/** How many notes are in none of these groups. */
export function countOthers({ count, first }: { count: number; first: readonly GroupedNote[] }): number {
  return first.reduce((left, { rows }) => left - rows, count);
}
