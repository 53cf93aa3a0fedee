import { describe, expect, it } from "vitest";
import { isEmail } from "#shared/text/email.ts";
import { emails } from "./contact-examples.ts";

describe("an email address", () => {
  it.each(emails.valid)("%j is valid", (text) => expect(isEmail(text)).toBe(true));
  it.each(emails.invalid)("%j is not valid", (text) => expect(isEmail(text)).toBe(false));
});
