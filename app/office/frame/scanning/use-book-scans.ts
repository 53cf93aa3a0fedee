import { useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isbnKey } from "#app/features/books/isbn.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { findScannedBooks, type ScannedBook } from "./scanned-book.admin-queries.ts";

/** A failed scan, and the reason. */
export type ScanProblem = { id: number; message: string };

/** The result of the last scan; the number makes screen readers repeat the same sentence. */
export type ScanResult = { id: number; text: string };

/** Keeps URLs short enough for any proxy. */
const MOST_AT_ONCE = 50;

/**
 * Looks up scanned ISBNs and codes in the order in which they were scanned: scans during a lookup wait, and are then
 * looked up together, so that fast scanning never piles up requests. A failed or unknown scan doesn't block later
 * ones.
 * @param onBook handles a found book, and returns a sentence about it
 * @param advice a sentence for books that are not in the shop, with a leading space
 */
export function useBookScans(onBook: (book: ScannedBook) => string, advice = "") {
  const latest = useRef(onBook);
  useLayoutEffect(() => {
    latest.current = onBook;
  });
  const queue = useRef<string[]>([]);
  const isRunning = useRef(false);
  const problemCount = useRef(0);
  const found = useRef(new Map<string, ScannedBook[]>());
  const [waiting, setWaiting] = useState(0);
  const [result, setResult] = useState<ScanResult>({ id: 0, text: "" });
  const [problems, setProblems] = useState<readonly ScanProblem[]>([]);

  function addProblem(message: string) {
    problemCount.current += 1;
    const id = problemCount.current;
    setProblems((before) => [{ id, message }, ...before]);
  }

  function apply(code: string, isKnown: boolean) {
    const [book, other] = found.current.get(isbnKey(code)) ?? [];
    if (!isKnown) addProblem(`${code} could not be looked up and was not counted. Scan it again.`);
    else if (!book) addProblem(`No book with the ISBN ${code}.${advice}`);
    else if (other) addProblem(`Several books have the ISBN ${code}. Add the right one by its title.`);
    else {
      const text = latest.current(book);
      setResult(({ id }) => ({ id: id + 1, text }));
    }
  }

  async function work() {
    if (isRunning.current) return;
    isRunning.current = true;
    while (queue.current.length > 0) {
      const codes = queue.current.slice(0, MOST_AT_ONCE);
      const unknown = codes.filter((code) => !found.current.has(isbnKey(code)));
      let isKnown = true;
      try {
        if (unknown.length > 0)
          for (const book of await findScannedBooks(await getBackend(), unknown))
            found.current.set(book.isbn_key ?? "", [...(found.current.get(book.isbn_key ?? "") ?? []), book]);
      } catch (error) {
        logFailure("Failed to look up an ISBN", error);
        isKnown = false;
      }
      for (const code of codes) {
        queue.current.shift();
        // Synchronously, so that the next book sees this one's changes.
        flushSync(() => {
          apply(code, isKnown || found.current.has(isbnKey(code)));
          setWaiting(queue.current.length);
        });
      }
    }
    isRunning.current = false;
  }

  return {
    result,
    /** The newest first. They stay until cleared: people who scan look at books, not at the screen. */
    problems,
    /** The number of pending scans. */
    waiting,
    clearProblems: () => setProblems([]),
    scan(typed: string): void {
      const code = typed.trim();
      if (code === "") return;
      queue.current.push(code);
      setWaiting(queue.current.length);
      void work();
    },
  };
}
