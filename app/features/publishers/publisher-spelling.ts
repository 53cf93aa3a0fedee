/** The same key for different spellings of a publisher: 'Schofield and Sims' and 'SCHOFIELD & SIMS'. */
export function publisherKey(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** How each publisher is spelled, by its key. */
export type PublisherSpellings = ReadonlyMap<string, string>;

/**
 * One spelling per publisher: the first of the known names takes precedence (the shop's publishers, then those in the
 * catalogue), then those in a file, the most frequent first.
 */
export function publisherSpellings(
  known: Iterable<string>,
  inFile: ReadonlyMap<string, number> = new Map(),
): PublisherSpellings {
  const spellings = new Map<string, string>();
  for (const name of [...known, ...byUse(inFile)]) {
    const key = publisherKey(name);
    if (key !== "" && !spellings.has(key)) spellings.set(key, name);
  }
  return spellings;
}

/** How often each name occurs. */
export function countNames(names: Iterable<string>): Map<string, number> {
  const uses = new Map<string, number>();
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  return uses;
}

/** Most frequent first; among equals, names in capitals last. */
function byUse(uses: ReadonlyMap<string, number>): string[] {
  const isUpperCase = (name: string) => Number(name === name.toUpperCase());
  return [...uses]
    .sort(([one, used], [other, usedOther]) => usedOther - used || isUpperCase(one) - isUpperCase(other))
    .map(([name]) => name);
}

/** The known spelling of a publisher, or the name unchanged. */
export function knownSpelling(spellings: PublisherSpellings, name: string): string {
  return spellings.get(publisherKey(name)) ?? name;
}
