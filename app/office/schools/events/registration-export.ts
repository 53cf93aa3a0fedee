import type { BackendClient } from "#app/lib/backend/client.ts";
import { type ExportSource, fromLastPage, STEP_SIZE } from "#app/office/frame/export/collect-rows.ts";
import { type ExportColumns, tableOf } from "#app/office/frame/export/export-table.ts";
import { listRegistrations, type Registration } from "./event.admin-queries.ts";

const registrationStates = { registered: "Has a place", waiting: "Waiting", cancelled: "Cancelled" } as const;

const registrationColumns: ExportColumns<Registration> = {
  Name: (registration) => registration.name,
  Institution: (registration) => registration.institution,
  Email: (registration) => registration.email,
  Phone: (registration) => registration.phone,
  Status: (registration) => registrationStates[registration.state],
  Registered: (registration) => new Date(registration.created_at),
  "By staff": (registration) => (registration.by_staff ? "yes" : "no"),
  "Got a place later": (registration) =>
    registration.promoted_at === null ? null : new Date(registration.promoted_at),
  Cancelled: (registration) =>
    registration.cancelled_at === null ? null : new Date(registration.cancelled_at),
};

/** An event's registrations, in the order of the list. */
function registrationSource(client: BackendClient, eventId: string): ExportSource<Registration, number> {
  return {
    count: async () => (await listRegistrations(client, eventId, { page: 1, size: 1 })).total,
    ...fromLastPage(
      async (page) => (await listRegistrations(client, eventId, { page, size: STEP_SIZE })).rows,
    ),
  };
}

/** An event's registrations. */
export const registrationExport = (eventId: string) => ({
  one: "registration",
  many: "registrations",
  source: (client: BackendClient) => registrationSource(client, eventId),
  table: tableOf(registrationColumns),
  isPersonal: true,
});
