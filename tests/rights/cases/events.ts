import { audited, type Case, justStamped, refusedByConstraint, refusedByForeignKey } from "./case.ts";

const event = (assignment: string) => `update events set ${assignment} where id = :event`;
const registration = (assignment: string) =>
  `update event_registrations set ${assignment} where id = :registration`;

const constraints: [name: string, code: string, sql: string][] = [
  ["events.events_slug_is_unique", "23505", event("slug = 'a-draft'")],
  ["events.events_slug_is_well_formed", "23514", event("slug = 'A training'")],
  ["events.events_texts_are_short", "23514", event("description = repeat('x', 5001)")],
  ["events.events_kind_is_known", "23514", event("kind = 'party'")],
  ["events.events_state_is_known", "23514", event("state = 'lost'")],
  ["events.events_end_after_their_start", "23514", event("ends_at = starts_at")],
  ["events.events_places_are_sane", "23514", event("places = 0")],
  ["events.events_price_is_not_negative", "23514", event("price = -0.01")],
  ["events.events_picture_is_of_an_event", "23514", event("picture = 'book-cover-1764200000000.jpg'")],
  ["events.events_published_once", "23514", event("published_at = null")],
  [
    "event_registrations.event_registrations_texts_are_short",
    "23514",
    registration("institution = repeat('x', 201)"),
  ],
  ["event_registrations.event_registrations_have_a_contact", "23514", registration("email = null")],
  ["event_registrations.event_registrations_state_is_known", "23514", registration("state = 'lost'")],
  [
    "event_registrations.event_registrations_cancelled_have_a_time",
    "23514",
    registration("state = 'cancelled'"),
  ],
  [
    "event_subscribers.event_subscribers_once",
    "23505",
    "insert into event_subscribers (email) values ('NEWS@school.example')",
  ],
  [
    "event_subscribers.event_subscribers_email_is_short",
    "23514",
    "update event_subscribers set email = repeat('x', 321) where id = :subscriber",
  ],
];

const save = `select 1 as n from public.save_event(:event, 'Another training', 'training', 'Osu', now() + interval '7 days',
  now() + interval '8 days', 5, _updated_at => (select updated_at from public.events where id = :event))`;
const version = {
  given: ["select setval('private.catalogue_versions', 1000)"],
  afterwards: "select last_value from private.catalogue_versions",
  answer: "yes, 1001",
} as const;

export const eventCases: Case[] = [
  ...refusedByConstraint(constraints),
  ...refusedByForeignKey([
    ["event_registrations.event_registrations_event_id_fkey", registration("event_id = gen_random_uuid()")],
  ]),
  {
    proves: "events.stamp_updated_at",
    title: "an edited event has the time of the last change",
    as: "admin",
    sql: save,
    afterwards: justStamped("events", ":event"),
    answer: "yes, true",
  },
  {
    proves: "events.record_audit",
    title: "an edited event is in the log",
    as: "admin",
    sql: save,
    afterwards: audited("events", "row_id = :event and after ->> 'title' = 'Another training'", "update"),
    answer: "yes, 1",
  },
  {
    proves: "events.bump_catalogue_version_if_shown",
    title: "an edited event makes a new version of the catalogue",
    ...version,
    given: [...version.given],
    as: "admin",
    sql: save,
  },
  {
    proves: "events.bump_catalogue_version_if_deleted",
    title: "a deleted event makes a new version of the catalogue",
    ...version,
    given: [...version.given],
    as: "database",
    sql: "delete from public.events where id = :event",
  },
];
