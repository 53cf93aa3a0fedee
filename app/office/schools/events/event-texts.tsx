import { Badge, type BadgeVariant } from "#app/components/badge.tsx";
import { formatMinute } from "#shared/text/dates.ts";
import type { EventRow } from "./event.admin-queries.ts";

export const eventAdminPath = (id: string) => `/admin/events/${id}`;

function stateOf({ state, is_over }: Pick<EventRow, "state" | "is_over">): {
  label: string;
  variant: BadgeVariant;
} {
  if (state === "cancelled") return { label: "Cancelled", variant: "destructive" };
  if (is_over) return { label: "Over", variant: "outline" };
  return state === "published"
    ? { label: "Published", variant: "secondary" }
    : { label: "Draft", variant: "warning" };
}

export function EventStateBadge({ event }: { event: Pick<EventRow, "state" | "is_over"> }) {
  const { label, variant } = stateOf(event);
  return <Badge variant={variant}>{label}</Badge>;
}

/** '5 Dec 2026, 09:00 to 12:00', with both days if it ends on another one. */
export function periodText({ starts_at, ends_at }: Pick<EventRow, "starts_at" | "ends_at">): string {
  const [start, end] = [formatMinute(starts_at), formatMinute(ends_at)];
  const [startDay, endDay] = [start, end].map((text) => text.slice(0, text.lastIndexOf(",")));
  return `${start} to ${startDay === endDay ? end.slice(end.lastIndexOf(",") + 2) : end}`;
}

/** '12 of 50, 3 waiting' */
export function registeredText({ registered, waiting, places, past_registrations: past }: EventRow): string {
  // Registrations of past events are deleted after some days.
  const known = registered + past;
  return `${known.toLocaleString("en-GB")} of ${places.toLocaleString("en-GB")}${waiting > 0 ? `, ${waiting.toLocaleString("en-GB")} waiting` : ""}`;
}
