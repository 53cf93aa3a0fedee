/** The page of something that doesn't exist: its bytes, and what its response's `Link` header says. */
export type MissingPage = { bytes: Buffer<ArrayBuffer>; link: string | null };

/** Few: books and lists have one each, and a new one whenever the catalogue changes. */
const MOST = 12;

/** A text that stands in HTML as it stands in an address: nothing in it is escaped or encoded. */
const plain = /^[\w-]*$/;

/**
 * Keeps the pages of things that don't exist: the same page at endlessly many addresses, for each of which it would be rendered and
 * compressed again.
 */
export function createMissingPages(most = MOST) {
  const pages = new Map<string, MissingPage>();
  return {
    find(key: string): MissingPage | undefined {
      const page = pages.get(key);
      // Moved to the end: those that nobody has asked for longest are dropped first.
      if (page && pages.delete(key)) pages.set(key, page);
      return page;
    },
    /**
     * @param key everything that the page depends on besides its address
     * @param named the parts of the address that it might name: such a page is not kept
     */
    keep(key: string, page: MissingPage, named: readonly string[]): void {
      if (named.some((text) => !plain.test(text) || page.bytes.includes(text))) return;
      pages.set(key, page);
      const [oldest] = pages.keys();
      if (pages.size > most && oldest !== undefined) pages.delete(oldest);
    },
  };
}
