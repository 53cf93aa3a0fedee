import { expect, test } from "vitest";
import { emailName, isLatest } from "./email.ts";

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
