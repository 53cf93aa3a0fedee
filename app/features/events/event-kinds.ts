/** The kinds of events (events_kind_is_known in the database). */
export const EVENT_KINDS = {
  training: "Training",
  exhibition: "Book exhibition",
  reading: "Reading",
  school_visit: "School visit",
  other: "Event",
} as const;

export type EventKind = keyof typeof EVENT_KINDS;

export function readEventKind(text: string): EventKind {
  return Object.hasOwn(EVENT_KINDS, text) ? (text as EventKind) : "other";
}

export const eventPath = (slug: string) => `/events/${slug}`;
