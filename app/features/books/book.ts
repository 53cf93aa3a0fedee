import { looksLikeIsbn, writtenIsbn } from "./isbn.ts";

/** An ISBN for display; null for the shop's own codes, which mean nothing to a customer, and for stationery's barcodes. */
export function printedIsbn({ isbn, kind }: { isbn: string | null; kind?: string | null }): string | null {
  return isbn && kind !== "stationery" && looksLikeIsbn(isbn) ? writtenIsbn(isbn) : null;
}

/** A book's publisher as pages show it. */
export function publisherName(publisher: string | null | undefined): string {
  return publisher ?? "Unknown";
}
