import type { ReactNode } from "react";

/** A column of a back-office list; it is sortable when its id is one of the list's sort keys. */
export type DataColumn<Row> = {
  id: string;
  header: string;
  /** The cell's content; called, not rendered as a component, so hooks belong in a component of its own. */
  cell: (row: Row) => ReactNode;
  align?: "right";
  /** Class names for the column's cells, such as a width. */
  className?: string;
  /** On a phone a row is a card: the title comes first, without its label; actions come last. */
  card?: "title" | "actions" | "hidden";
  /** The kind of its values, which decides how sort orders are worded; text by default. */
  sorts?: "number" | "time";
  /** Whether the first click of the header sorts the highest values first. */
  descendingFirst?: true;
};
