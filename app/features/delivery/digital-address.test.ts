import { expect, it } from "vitest";
import { digitalAddressSpellings, notDigitalAddresses } from "#tests/support/code-spellings.ts";
import { digitalAddress } from "./digital-address.ts";

it.each(digitalAddressSpellings)("reads the digital address %j as %j", (typed, written) => {
  expect(digitalAddress(typed)).toBe(written);
});

it.each(notDigitalAddresses)("refuses the digital address %j", (typed) => {
  expect(digitalAddress(typed)).toBeNull();
});

it.each(["", "  ", "\u200b"])("takes %j for no digital address", (typed) => {
  expect(digitalAddress(typed)).toBe("");
});
