/** Local storage is shared by all tabs and outlives them; session storage belongs to one tab. */
type Area = "local" | "tab";

/** What `use` returns; null where the browser blocks or has filled the storage, which then throws on access. */
export function withStorage<T>(area: Area, use: (storage: Storage) => T): T | null {
  try {
    return use(area === "tab" ? sessionStorage : localStorage);
  } catch {
    return null;
  }
}

/** A JSON value in the browser's storage. Without storage it reads as null, and writing does nothing. */
export function createStoredItem(area: Area, key: string) {
  return {
    /** Null when nothing is stored, or it is not JSON; anyone may have written it. */
    read: (): unknown => withStorage(area, (storage): unknown => JSON.parse(storage.getItem(key) ?? "null")),
    write(value: unknown): void {
      withStorage(area, (storage) => storage.setItem(key, JSON.stringify(value)));
    },
    remove(): void {
      withStorage(area, (storage) => storage.removeItem(key));
    },
  };
}

export function removeKeys(area: Area, matches: (key: string) => boolean): void {
  withStorage(area, (storage) => {
    for (const key of Object.keys(storage)) if (matches(key)) storage.removeItem(key);
  });
}
