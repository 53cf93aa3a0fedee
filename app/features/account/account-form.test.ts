import { expect, test } from "vitest";
import { checkNewPassword, findMissing } from "./account-form.ts";

test("Each empty field has a message, in the order of the form", () => {
  const missing = findMissing(["fullName", "email", "password"], { email: "a@b.example", password: "" });
  expect(Object.keys(missing ?? {})).toEqual(["fullName", "password"]);
});

test("A name of white space is empty, but a password may be white space", () => {
  expect(findMissing(["fullName"], { fullName: "   " })).toHaveProperty("fullName");
  expect(findMissing(["password"], { password: "      " })).toBeNull();
});

test("A complete form has no missing fields", () => {
  expect(findMissing(["email", "password"], { email: "a@b.example", password: "secret" })).toBeNull();
});

test("A password of 6 characters is long enough, one of 5 is not", () => {
  expect(checkNewPassword("abcdef")).toBeNull();
  expect(checkNewPassword("abcde")).toBe("Password should be at least 6 characters.");
  expect(checkNewPassword("📚📚📚")).not.toBeNull();
});
