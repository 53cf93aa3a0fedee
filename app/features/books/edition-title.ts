import type { CardBook } from "./book-fields.ts";

/** 'Physics, 2nd Edition': tells a book from its other editions. */
export const editionTitle = ({ title, edition }: Pick<CardBook, "title" | "edition">): string =>
  [title, edition].filter(Boolean).join(", ");
