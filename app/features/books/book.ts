/** An ISBN for display; null for the shop's own codes, which mean nothing to a customer. */
export function printedIsbn({ isbn }: { isbn: string | null }): string | null {
  return isbn && /^[\dX -]{10,17}$/i.test(isbn) ? isbn : null;
}

/** A book's publisher as pages show it. */
export function publisherName(publisher: string | null | undefined): string {
  return publisher ?? "Unknown";
}
