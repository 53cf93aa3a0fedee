/** What a title is; the database has the same list. */
export const BOOK_KINDS = ["book", "digital", "stationery"] as const;

export type BookKind = (typeof BOOK_KINDS)[number];

/** What customers of a digital title get: 'Digital download' or 'Licence code'; null for other titles. */
export const digitalName = ({
  kind,
  digital_by,
}: {
  kind: string;
  digital_by: string | null;
}): string | null =>
  kind !== "digital" ? null : digital_by === "code" ? "Licence code" : "Digital download";
