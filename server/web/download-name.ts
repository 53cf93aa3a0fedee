import { fileEndings } from "#shared/books/file-endings.ts";

/** Directions and joiners that can't be seen, with which a name looks as if it had another ending. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/**
 * The name under which a customer's device saves a file. Its ending is always one of its type, so that no device opens
 * it as a page or a program: only the interface checks the names of uploads.
 */
export function downloadName(name: string, type: string): string {
  const endings = fileEndings[type] ?? [];
  const visible = name.replace(INVISIBLE, "").trim();
  const ending = /\.([^.]+)$/.exec(visible)?.[1]?.toLowerCase();
  const named =
    ending !== undefined && endings.includes(ending) ? visible : `${visible}.${endings[0] ?? "bin"}`;
  return named.startsWith(".") ? `download${named}` : named;
}
