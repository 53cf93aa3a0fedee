import { expect, it } from "vitest";
import { isSchoolYear, nextSchoolYear, schoolYearAt } from "./school-year.ts";

it("new lists are for the current school year until May, and for the next one from June", () => {
  expect(schoolYearAt(new Date("2026-05-31"))).toBe("2025/2026");
  expect(schoolYearAt(new Date("2026-06-01"))).toBe("2026/2027");
  expect(nextSchoolYear("2029/2030")).toBe("2030/2031");
});

it.each(["2026", "2026/2028", "2026/27", "1999/2000", "", "2026/2027 ", " 2026/2027", "/"])(
  "%j is not a school year",
  (text) => {
    expect(isSchoolYear(text)).toBe(false);
  },
);
