import { useState } from "react";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { useKept } from "#app/office/frame/use-kept.ts";

type Lines<Line> = { lines: readonly Line[] };

/** The typed number of copies plus one; anything that isn't a number counts as 0. */
export const addOne = (copies: string): string =>
  String((/^\d+$/.test(copies.trim()) ? Number(copies) : 0) + 1);

type Document = { name: string | null; version: number };

/**
 * The draft of a document with lines, one per book, which is kept under its name. `start` is what is stored in this
 * version.
 */
export function useTypedLines<Line extends { book_id: string }, Form extends Lines<Line>>(
  start: () => Form,
  document: Document,
) {
  const [stored] = useState(start);
  const [typed, setTyped] = useState(stored);
  const change = (changes: Partial<Form>) => setTyped((now) => ({ ...now, ...changes }));
  const kept = useKept<Form>({ ...document, start: stored, values: typed, restore: change });
  const changeLines = (edit: (lines: readonly Line[]) => readonly Line[]) =>
    setTyped((now) => ({ ...now, lines: edit(now.lines) }));
  const editLine = (bookId: string, edit: (line: Line) => Partial<Line>) =>
    changeLines((lines) =>
      lines.map((line) => (line.book_id === bookId ? { ...line, ...edit(line) } : line)),
    );
  return {
    typed,
    kept,
    dirty: JSON.stringify(typed) !== JSON.stringify(stored),
    change,
    changeLines,
    editLine,
    changeLine: (bookId: string, changes: Partial<Line>) => editLine(bookId, () => changes),
    removeLine: (bookId: string) => changeLines((lines) => lines.filter(({ book_id }) => book_id !== bookId)),
    addLine: (line: Line) => changeLines((lines) => [...lines, line]),
  };
}

type DraftActions = {
  /** The version that staff saw. */
  version: number;
  /** Saves changes; null without any. Returns the new version. */
  update: ((client: BackendClient) => Promise<number>) | null;
  /** Sends this version; returns the reference. */
  send: (client: BackendClient, version: number) => Promise<string>;
  /** Withdraws or cancels the version that staff saw. */
  end: (client: BackendClient) => Promise<void>;
  /** `saved` gets the reference of what was sent, or null. */
  words: { saved: (reference: string | null) => string; notSaved: string; ended: string; notEnded: string };
  onSaved: (version: number) => void;
};

/** Saves, sends and ends a draft. Each step names its version, so that nobody's change is lost. */
export function useDraftActions({ version, update, send, end, words, onSaved }: DraftActions) {
  const save = useAdminMutation({
    run: async (client, { sends }: { sends: boolean }) => {
      const saved = update ? await update(client) : version;
      if (!sends) return { version: saved, reference: null };
      return { reference: await send(client, saved), version: saved + 1 };
    },
    success: ({ reference }) => ({ title: words.saved(reference) }),
    failure: words.notSaved,
    onSuccess: (saved) => onSaved(saved.version),
  });
  const ending = useAdminMutation({
    run: end,
    success: () => ({ title: words.ended }),
    failure: words.notEnded,
    onSuccess: () => onSaved(version + 1),
  });
  return {
    busy: save.isPending || ending.isPending,
    save: (sends: boolean) => save.mutate({ sends }),
    end: () => ending.mutate(undefined),
  };
}
