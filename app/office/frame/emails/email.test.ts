import { expect, test } from "vitest";
import { emailName, isAboutUndone, isLatest } from "./email.ts";

test.each([
  ["order_placed", null, "Order placed"],
  ["order_status_changed", "shipped", "Status: shipped"],
  ["a_later_kind", null, "a_later_kind"],
])("an email of the kind %s (%s) is called '%s'", (kind, status, name) => {
  expect(emailName({ kind, status })).toBe(name);
});

test("only the last email about an event can be sent again", () => {
  const emails = [
    { id: "first", resend_of: null },
    { id: "other", resend_of: null },
    { id: "second", resend_of: "first" },
    { id: "third", resend_of: "first" },
  ];
  expect(emails.filter((email) => isLatest(email, emails)).map(({ id }) => id)).toEqual(["other", "third"]);
});

test("An email about a parcel, and one that sends it again, is out of date once the parcel is taken back", () => {
  const emails = [
    { id: "1", kind: "order_part_shipped", event: "back", resend_of: null },
    { id: "2", kind: "order_part_shipped", event: null, resend_of: "1" },
    { id: "3", kind: "recipient_order_part_shipped", event: "gone", resend_of: null },
    { id: "4", kind: "order_part_undone", event: "back", resend_of: null },
  ];
  const shipments = [
    { id: "back", undone_at: "2026-11-29T10:00:00Z" },
    { id: "gone", undone_at: null },
  ];
  expect(emails.filter((email) => isAboutUndone(email, emails, shipments)).map(({ id }) => id)).toEqual([
    "1",
    "2",
  ]);
});
