/** A 404 page: its bytes, and the value of its response's `Link` header. */
export type MissingPage = { bytes: Buffer<ArrayBuffer>; link: string | null };

/** Enough: books and lists have one each, and a new one whenever the catalogue changes. */
const MAX_PAGES = 12;

/** Text that is neither escaped in HTML nor encoded in a URL, so that a page can be searched for it. */
const plain = /^[\w-]*$/;

/** Caches 404 pages: the same page at any number of addresses, which would otherwise be rendered and compressed for each. */
export function createMissingPages(maxPages = MAX_PAGES) {
  const pages = new Map<string, MissingPage>();
  return {
    find(key: string): MissingPage | undefined {
      const page = pages.get(key);
      // Moved to the end: the least recently used are dropped first.
      if (page && pages.delete(key)) pages.set(key, page);
      return page;
    },
    /**
     * @param key everything that the page depends on besides its address
     * @param addressParts the parameters in its address: a page that may contain one of them is not stored
     */
    store(key: string, page: MissingPage, addressParts: readonly string[]): void {
      if (addressParts.some((text) => !plain.test(text) || page.bytes.includes(text))) return;
      pages.set(key, page);
      const [oldest] = pages.keys();
      if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest);
    },
  };
}
