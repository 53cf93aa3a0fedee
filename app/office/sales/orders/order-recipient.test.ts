import { expect, test } from "vitest";
import { recipientOf } from "./order-recipient.ts";

const ama = { full_name: "Ama Mensah", email: "ama@school.example", phone: "+233244123456" };
const toAma = {
  recipient_name: "Ama Mensah",
  recipient_email: "ama@school.example",
  recipient_phone: "024 412 3456",
  profiles: ama,
};

test("A recipient with the customer's own name and contacts is not shown twice, however they are typed", () => {
  expect(recipientOf(toAma)).toEqual([]);
  expect(
    recipientOf({
      ...toAma,
      recipient_name: " ama mensah ",
      recipient_email: "Ama@School.example",
      recipient_phone: "+233 24-412-3456",
    }),
  ).toEqual([]);
});

test("Only what differs from the customer's profile is shown", () => {
  expect(recipientOf({ ...toAma, recipient_phone: "0201234567" })).toEqual(["0201234567"]);
  expect(recipientOf({ ...toAma, recipient_name: "The bursar" })).toEqual(["The bursar"]);
  expect(
    recipientOf({ ...toAma, recipient_name: null, recipient_email: " ", recipient_phone: null }),
  ).toEqual([]);
});

test("The recipient's contacts are shown for a caller without an account, or a profile without a phone number", () => {
  expect(recipientOf({ ...toAma, profiles: null })).toEqual([
    "Ama Mensah",
    "ama@school.example",
    "024 412 3456",
  ]);
  expect(recipientOf({ ...toAma, profiles: { ...ama, phone: null } })).toEqual(["024 412 3456"]);
});
