import { useState } from "react";
import { useBookScans } from "#app/office/frame/scanning/use-book-scans.ts";
import { allAsExpected, countCopy, type TypedLine } from "./receipt-form.ts";

/** Lines whose copies increase with scanned ISBNs. */
export function useScanning(start: readonly TypedLine[]) {
  const [lines, setLines] = useState(start);
  const scans = useBookScans((book) => {
    const next = countCopy(lines, book);
    setLines(next);
    const copies = next.find(({ book_id }) => book_id === book.id)?.copies;
    return `Counted: ${book.title}${copies === "1" ? "" : `, ${copies} copies`}`;
  }, " Set it aside.");
  return {
    lines,
    scans,
    change: (bookId: string, changes: Partial<TypedLine>) =>
      setLines((now) => now.map((line) => (line.book_id === bookId ? { ...line, ...changes } : line))),
    fillIn: () => setLines(allAsExpected),
    remove: (bookId: string) => setLines((now) => now.filter(({ book_id }) => book_id !== bookId)),
  };
}
