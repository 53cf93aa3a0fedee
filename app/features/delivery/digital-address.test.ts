import { expect, test } from "vitest";
import { digitalAddresses } from "./contact-examples.ts";
import { digitalAddress, typedDigitalAddress } from "./digital-address.ts";

test("A digital address gets its written form, however it was typed", () => {
  for (const [typed, written] of digitalAddresses.valid) expect(digitalAddress(typed), typed).toBe(written);
  for (const typed of digitalAddresses.invalid) expect(digitalAddress(typed), typed).toBe(null);
  expect(digitalAddress("  ")).toBe("");
});

test("An unfinished digital address stays as typed, in upper case, until it is complete", () => {
  expect(typedDigitalAddress("ga-183-816")).toBe("GA-183-816");
  expect(typedDigitalAddress("ga1838164")).toBe("GA-183-8164");
  expect(typedDigitalAddress("")).toBe("");
});
