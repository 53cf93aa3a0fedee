import { expect, it } from "vitest";
import { notPhones, otherPhones, phoneSpellings } from "#tests/support/code-spellings.ts";
import { isPhone, phoneKey, phoneLink, readPhone, whatsAppAddress, writtenPhone } from "./phone.ts";

it.each(phoneSpellings)("reads %j as one number of Ghana, with one key and links", (text) => {
  expect(readPhone(text)).toBe("+233 24 412 3456");
  expect(phoneKey(writtenPhone(text))).toBe("244123456");
  expect(phoneLink(text)).toBe("tel:+233244123456");
  expect(whatsAppAddress(text)).toBe("https://wa.me/233244123456");
});

it.each(otherPhones)("reads %j as %j", (text, written) => {
  expect(readPhone(text)).toBe(written);
});

it.each(notPhones)("refuses %j, and shows it as it is where it is stored already", (text) => {
  expect(isPhone(text)).toBe(false);
  expect(writtenPhone(text)).toBe(text);
});
