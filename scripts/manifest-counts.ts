import type { Manifest } from "#server/shop/backup/backup-file.ts";
import { countOf } from "#shared/text/count-of.ts";

/** '2,316 books, 1 order, 1 file': how many of these and of files a backup contains: covers, and pieces of digital titles. */
export function describeManifest(
  { tables, files }: Pick<Manifest, "tables" | "files">,
  nouns: string[],
): string {
  const counts = nouns.map((noun) => countOf(tables[`public.${noun}s`]?.rows ?? 0, noun));
  return [...counts, countOf(files, "file")].join(", ");
}
