import { expect, test } from "vitest";
import { EMPTY_REGISTRATION, findRegistrationErrors } from "./registration-fields.ts";

const found = (typed: object) =>
  Object.entries(findRegistrationErrors({ ...EMPTY_REGISTRATION, ...typed }))
    .filter(([, error]) => error)
    .map(([name]) => name);

test("a registration needs a name, and an email address or a phone number", () => {
  expect(found({})).toEqual(["name", "email"]);
  expect(found({ name: "Ama", email: "ama@school.example" })).toEqual([]);
  expect(found({ name: "Ama", phone: "024 412 3456" })).toEqual([]);
  expect(found({ name: " ", email: "ama@", phone: "call me" })).toEqual(["name", "email", "phone"]);
});
