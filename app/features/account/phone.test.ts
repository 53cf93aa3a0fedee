import { expect, test } from "vitest";
import { COUNTRY_CODES, HOME_COUNTRY } from "./country-codes.ts";
import { composePhone, isDiallable } from "./phone.ts";

test("The list has 20 different countries, including Ghana", () => {
  expect(COUNTRY_CODES).toHaveLength(20);
  expect(new Set(COUNTRY_CODES.map(([country]) => country)).size).toBe(20);
  expect(COUNTRY_CODES.filter(([, callingCode]) => callingCode === "+7")).toHaveLength(2);
  expect(COUNTRY_CODES).toContainEqual([HOME_COUNTRY, "+233"]);
});

test("Spaces and a leading 0 are dropped from a composed number", () => {
  expect(composePhone("Ghana", "024 412 3456")).toBe("+233 24 412 3456");
  expect(composePhone("Ghana", "24 412 3456")).toBe("+233 24 412 3456");
  expect(composePhone("United Kingdom", " 020 7946-0018 ")).toBe("+442079460018");
  expect(composePhone("United States and Canada", "(202) 555.0123")).toBe("+12025550123");
});

test("Only one leading 0 is a prefix; zeros within the number stay", () => {
  expect(composePhone("Ghana", "030 200 0140")).toBe("+233 30 200 0140");
  expect(composePhone("Italy", "00 6 698")).toBe("+3906698");
});

test("Two entries with the same calling code compose the same number", () => {
  expect(composePhone("Russia", "912 345 67 89")).toBe(
    composePhone("Russia and Kazakhstan", "912 345 67 89"),
  );
});

test("A number typed with a plus keeps its own country code", () => {
  expect(composePhone("Ghana", "+233 24 412 3456")).toBe("+233 24 412 3456");
  expect(composePhone("Ghana", "+44 20 7946 0018")).toBe("+442079460018");
  expect(composePhone("Ghana", "0044 20 7946 0018")).toBe("+442079460018");
});

test("Text that cannot be dialled is refused", () => {
  expect(isDiallable(composePhone("Ghana", "024 412 3456"))).toBe(true);
  for (const typed of ["abc", "0", "12", "024 412 3456 ext 9", "1234567890123456"])
    expect(isDiallable(composePhone("Ghana", typed)), typed).toBe(false);
});
