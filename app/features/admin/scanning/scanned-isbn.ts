import { compactIsbn } from "#app/features/books/isbn.ts";

/** Whether a text looks like a scanned book: 13 digits, or ten whose last may be X, with any hyphens. */
export const isScannedIsbn = (text: string): boolean => /^(?:\d{13}|\d{9}[\dX])$/.test(compactIsbn(text));
