/** A book's ISBN, which the database stores as its digits; null for the shop's own codes and for stationery. */
export function bookIsbn({ isbn, kind }: { isbn: string | null; kind?: string | null }): string | null {
  return isbn && kind !== "stationery" && /^(\d{9}[\dX]|\d{13})$/.test(isbn) ? isbn : null;
}

/** A book's publisher as pages show it. */
export function publisherName(publisher: string | null | undefined): string {
  return publisher ?? "Unknown";
}
