import { Skeleton } from "#app/components/skeleton.tsx";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { OfficeLink } from "#app/office/frame/duties.tsx";
import type { Period } from "#app/office/frame/periods/period.ts";
import { lineLinkClass } from "./report-table.tsx";

export type ReportProps = { period: Period };

/** Reads a report and shows its table in a panel; a skeleton until then, or why it can't be read. */
export function useReport<Line>(
  name: string,
  key: readonly unknown[],
  read: (client: BackendClient) => Promise<Line[]>,
) {
  const query = useAdminQuery(["reports", name, ...key], read, { keepPrevious: true });
  const failure = readFailure(name, query);
  if (failure) return { waiting: <RetryNote {...failure} /> };
  if (!query.data) return { waiting: <Skeleton className="h-96" /> };
  return { lines: query.data };
}

export const bookLink = ({ book_id, title }: { book_id: string; title: string }) => (
  <OfficeLink duty="catalogue" to={`/admin/books?book=${book_id}`} className={lineLinkClass}>
    {title}
  </OfficeLink>
);

type Customer = { label: string | null; contact: string | null };

/** A line's name in a file: customers of one name differ by their email or phone. */
export const customerName = ({ label, contact }: Customer) => (contact ? `${label}, ${contact}` : label);

/** Below a customer's name. */
export const CustomerContact = ({ contact }: Pick<Customer, "contact">) =>
  contact && <span className="block text-13 wrap-anywhere text-muted">{contact}</span>;
