import { describe, expect, it } from "vitest";
import { isEmail } from "#app/lib/email.ts";
import { emails, phones } from "./contact-examples.ts";
import { isPhone } from "./phone.ts";

describe("an email address", () => {
  it.each(emails.valid)("%j is valid", (text) => expect(isEmail(text)).toBe(true));
  it.each(emails.invalid)("%j is not valid", (text) => expect(isEmail(text)).toBe(false));
});

describe("a phone number", () => {
  it.each(phones.valid)("%j is valid", (text) => expect(isPhone(text)).toBe(true));
  it.each(phones.invalid)("%j is not valid", (text) => expect(isPhone(text)).toBe(false));
});
