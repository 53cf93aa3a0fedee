import { STORAGE_PREFIX } from "#app/lib/browser/env.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import { newUuid } from "#shared/text/new-uuid.ts";

/** The ids of unfinished uploads in this browser, by title and content, so that they can resume later. */
const item = createStoredItem("local", `${STORAGE_PREFIX}uploads`);
const MOST = 20;

type Uploads = [key: string, fileId: string][];

function readAll(): Uploads {
  const uploads = item.read();
  return Array.isArray(uploads) ? uploads : [];
}

const keyOf = (bookId: string, sha256: string) => `${bookId} ${sha256}`;

/** The id of the unfinished upload, or a new one. */
export function uploadIdOf(bookId: string, sha256: string): string {
  const key = keyOf(bookId, sha256);
  const known = readAll().find(([existing]) => existing === key)?.[1];
  if (known) return known;
  const id = newUuid();
  item.write([[key, id], ...readAll()].slice(0, MOST));
  return id;
}

export function forgetUpload(bookId: string, sha256: string): void {
  item.write(readAll().filter(([existing]) => existing !== keyOf(bookId, sha256)));
}
