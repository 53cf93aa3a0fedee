/** The same key for different spellings of a publisher: 'Schofield and Sims' and 'SCHOFIELD & SIMS'. */
export function publisherKey(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

export type PublisherSpellings = {
  /** How each publisher is spelled, by its key. */
  byKey: ReadonlyMap<string, string>;
  /** All that the shop has, in two spellings or not. */
  known: ReadonlySet<string>;
};

/** None is known. */
export const noSpellings: PublisherSpellings = { byKey: new Map(), known: new Set() };

/**
 * One spelling per publisher that is new to the shop: the first of the known names takes precedence (the shop's publishers, then
 * those in the catalogue), then those in a file, the most frequent first.
 */
export function publisherSpellings(
  known: readonly string[],
  inFile: ReadonlyMap<string, number> = new Map(),
): PublisherSpellings {
  const spellings = new Map<string, string>();
  for (const name of [...known, ...byUse(inFile)]) {
    const key = publisherKey(name);
    if (key !== "" && !spellings.has(key)) spellings.set(key, name);
  }
  return { byKey: spellings, known: new Set(known) };
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

/** The first known spelling of a publisher, or the name unchanged. */
export function knownSpelling({ byKey }: PublisherSpellings, name: string): string {
  return byKey.get(publisherKey(name)) ?? name;
}

/** The name as the shop has it: unchanged if it has that, because books must not change their publisher's spelling unasked. */
export function importedSpelling(spellings: PublisherSpellings, name: string): string {
  return spellings.known.has(name) ? name : knownSpelling(spellings, name);
}
