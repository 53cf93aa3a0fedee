import { useState } from "react";
import { Badge } from "#app/components/badge.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { EmailText } from "#app/components/email-text.tsx";
import { useListState } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { DataTable } from "#app/office/components/data-table.tsx";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { ListPages } from "#app/office/components/list-pages.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { ExportButtons } from "#app/office/frame/export/export-buttons.tsx";
import { formatMinute } from "#shared/text/dates.ts";
import {
  cancelRegistration,
  type EventRow,
  listRegistrations,
  type Registration,
} from "./event.admin-queries.ts";
import { registrationExport } from "./registration-export.ts";

const SORT_KEYS = ["number"] as const;
const inOrder = { key: "number", descending: false } as const;
const noFilters = { q: "", filter: "" };

function RegistrationState({ registration: { state, promoted_at, email } }: { registration: Registration }) {
  if (state === "cancelled") return <Badge variant="outline">Cancelled</Badge>;
  if (state === "waiting") return <Badge variant="warning">Waiting</Badge>;
  return (
    <span className="flex flex-wrap gap-1.5">
      <Badge variant="secondary">Has a place</Badge>
      {promoted_at && !email && <Badge variant="destructive">Call: got a place</Badge>}
    </span>
  );
}

/** People with a place, then the waiting list in order, then cancelled registrations. */
export function RegistrationTable({ event }: { event: EventRow }) {
  const list = useListState(SORT_KEYS, inOrder);
  const [doomed, setDoomed] = useState<Registration | null>(null);
  const registrations = useAdminQuery(
    ["events", "registrations", event.id, list.page],
    (client) => listRegistrations(client, event.id, { page: list.page }),
    { keepPrevious: true, refreshing: true },
  );
  const cancel = useAdminMutation({
    run: (client, { id }: Registration) => cancelRegistration(client, id),
    success: (_, { name }) => ({ title: `${name}'s registration cancelled` }),
    failure: "Failed to cancel the registration",
  });
  const columns: DataColumn<Registration>[] = [
    {
      id: "name",
      header: "Name",
      card: "title",
      cell: ({ name, institution }) => (
        <span className="wrap-anywhere">
          <bdi>{name}</bdi>
          {institution && <bdi className="block text-13 font-normal text-muted">{institution}</bdi>}
        </span>
      ),
    },
    {
      id: "contact",
      header: "Contact",
      cell: ({ email, phone }) => (
        <div>
          {email && (
            <p>
              <EmailText address={email} />
            </p>
          )}
          {phone && <p className="figures">{phone}</p>}
        </div>
      ),
    },
    {
      id: "state",
      header: "Status",
      cell: (registration) => <RegistrationState registration={registration} />,
    },
    {
      id: "created_at",
      header: "Registered",
      className: "figures",
      cell: ({ created_at, by_staff }) => (
        <div>
          <span className="whitespace-nowrap">{formatMinute(created_at)}</span>
          {by_staff && <span className="block text-13 text-muted">By staff</span>}
        </div>
      ),
    },
    {
      id: "actions",
      header: "Actions",
      card: "actions",
      align: "right",
      cell: (registration) =>
        registration.state !== "cancelled" &&
        !event.is_over && (
          <IconAction
            icon="close"
            label={`Cancel the registration of ${registration.name}`}
            onClick={() => setDoomed(registration)}
          />
        ),
    },
  ];
  return (
    <section aria-labelledby="registrations">
      <h2 id="registrations" className="mb-3 text-20">
        Registrations
      </h2>
      <DataTable
        label="Registrations"
        toolbar={null}
        columns={columns}
        rows={registrations.data?.rows}
        rowId={({ id }) => id}
        empty={
          event.past_registrations > 0
            ? "The registrations have been deleted, as the privacy page says."
            : "Nobody has registered yet."
        }
        failure={readFailure("registrations", registrations)}
        stale={registrations.isPlaceholderData}
        actions={
          <ExportButtons
            of={registrationExport(event.id)}
            filters={noFilters}
            total={registrations.data?.total}
          />
        }
      />
      <ListPages state={list} total={registrations.data?.total} one="registration" many="registrations" />
      <ConfirmDialog
        open={doomed !== null}
        question={`Cancel the registration of ${doomed?.name}?`}
        confirmLabel="Cancel Registration"
        onConfirm={() => doomed && cancel.mutate(doomed)}
        onClose={() => setDoomed(null)}
      >
        <p>
          The place goes to the first person on the waiting list, who gets an email. {doomed?.name} doesn't.
        </p>
      </ConfirmDialog>
    </section>
  );
}
