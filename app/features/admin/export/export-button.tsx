import { useMemo } from "react";
import { Button } from "#app/components/button.tsx";
import { IconAction } from "#app/components/office/icon-action.tsx";
import { OfficeIcon } from "#app/components/office/office-icon.tsx";
import { useDuty } from "#app/features/admin/duties.tsx";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { countOf } from "#app/lib/count-of.ts";
import {
  bookSource,
  consultationSource,
  countSource,
  type ExportFilters,
  movementSource,
  orderSource,
  paymentSource,
  registrationSource,
  userSource,
} from "./export.admin-queries.ts";
import {
  bookTable,
  consultationTable,
  countTable,
  movementTable,
  orderTable,
  paymentTable,
  registrationTable,
  userTable,
} from "./export-columns.ts";
import { type ExportOf, isFiltered, useExport } from "./use-export.ts";

type ExportProps = {
  /** The list's search and filter, which the export follows. */
  filters: ExportFilters;
  /** How many rows match; undefined until known. */
  total: number | undefined;
};

export function ExportBooks(props: ExportProps) {
  return <ExportButtons of={books} {...props} />;
}

export function ExportOrders(props: ExportProps) {
  return <ExportButtons of={orders} {...props} />;
}

export function ExportUsers(props: ExportProps) {
  return <ExportButtons of={users} {...props} />;
}

export function ExportPayments(props: ExportProps) {
  return <ExportButtons of={payments} {...props} />;
}

export function ExportConsultations(props: ExportProps) {
  return <ExportButtons of={consultations} {...props} />;
}

/** The stock card of one book. */
export function ExportMovements({ bookId, ...props }: ExportProps & { bookId: string }) {
  const movements = useMemo(
    () => ({
      one: "movement",
      many: "stock movements",
      source: (client: BackendClient, filters: ExportFilters) => movementSource(client, bookId, filters),
      table: movementTable,
    }),
    [bookId],
  );
  return <ExportButtons of={movements} {...props} />;
}

/** The books of a count of the stock. */
export function ExportCount({ countId, ...props }: ExportProps & { countId: string }) {
  const lines = useMemo(
    () => ({
      one: "book",
      many: "counted books",
      source: (client: BackendClient, filters: ExportFilters) => countSource(client, countId, filters),
      table: countTable,
    }),
    [countId],
  );
  return <ExportButtons of={lines} {...props} />;
}

/** An event's registrations. */
export function ExportRegistrations({ eventId, ...props }: ExportProps & { eventId: string }) {
  const registrations = useMemo(
    () => ({
      one: "registration",
      many: "registrations",
      source: (client: BackendClient) => registrationSource(client, eventId),
      table: registrationTable,
      isPersonal: true,
    }),
    [eventId],
  );
  return <ExportButtons of={registrations} {...props} />;
}

const payments = {
  one: "payment",
  many: "payments",
  source: paymentSource,
  table: paymentTable,
  isPersonal: true,
};
const books = { one: "book", many: "books", source: bookSource, table: bookTable };
const orders = { one: "order", many: "orders", source: orderSource, table: orderTable, isPersonal: true };
const consultations = {
  one: "consultation",
  many: "consultations",
  source: consultationSource,
  table: consultationTable,
  isPersonal: true,
};
const users = { one: "user", many: "users", source: userSource, table: userTable, isPersonal: true };

const formats = [
  ["csv", "Download CSV"],
  ["xlsx", "Download Excel"],
] as const;

type ExportButtonsProps<Row extends { id: string }, Place> = ExportProps & {
  /** Exporting personal data needs the duty exports. */
  of: ExportOf<Row, Place> & { isPersonal?: boolean };
};

function ExportButtons<Row extends { id: string }, Place>(props: ExportButtonsProps<Row, Place>) {
  const mayExport = useDuty("exports");
  return props.of.isPersonal && !mayExport ? null : <Buttons {...props} />;
}

/** Says whether it exports everything or only the filtered rows, and shows the progress. */
function Buttons<Row extends { id: string }, Place>({ of, filters, total }: ExportButtonsProps<Row, Place>) {
  const { progress, start, cancel } = useExport(of, filters);
  const which = isFiltered(filters)
    ? countOf(total ?? 0, `matching ${of.one}`, `matching ${of.many}`)
    : `all ${countOf(total ?? 0, of.one, of.many)}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's fields
    <div
      role="group"
      aria-label={`Export ${of.many}`}
      className="flex flex-wrap items-center gap-x-3 gap-y-2"
    >
      <span className="figures text-muted max-sm:basis-full">
        {progress
          ? `Exporting ${progress.done.toLocaleString("en-GB")} of ${progress.total.toLocaleString("en-GB")}`
          : // An empty list says so itself.
            `Export ${total ? which : of.many}`}
      </span>
      {formats.map(([format, label]) => (
        <Button
          key={format}
          variant="secondary"
          className="max-sm:px-3"
          busy={progress?.format === format}
          disabled={progress ? progress.format !== format : !total}
          onClick={() => start(format)}
        >
          <OfficeIcon name="download" size={18} className="max-sm:hidden" />
          {label}
        </Button>
      ))}
      {progress && (
        <>
          <progress
            aria-label={`Exporting ${of.many}`}
            className="sr-only"
            value={progress.done}
            max={Math.max(progress.total, 1)}
          />
          <IconAction icon="close" label="Cancel export" onClick={cancel} />
        </>
      )}
    </div>
  );
}
