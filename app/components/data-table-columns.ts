import {
  type ColumnDef,
  createColumnHelper,
  type RowData,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";

export type ColumnMeta = {
  align?: "right";
  /** Classes of the column's cells, for instance a width. */
  className?: string;
  /** On a phone a row is a card: the title stands first and without its label, actions last. */
  card?: "title" | "actions" | "hidden";
};

export const tableKind = tableFeatures({ rowSortingFeature, columnMeta: {} as ColumnMeta });

// biome-ignore lint/suspicious/noExplicitAny: columns of one table hold values of different types
export type DataColumn<Row extends RowData> = ColumnDef<typeof tableKind, Row, any>;

/** Columns of one kind of row. A column is sortable when its id is one of the list's sort keys. */
export function dataColumns<Row extends RowData>() {
  return createColumnHelper<typeof tableKind, Row>();
}
