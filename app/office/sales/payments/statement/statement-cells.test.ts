import { describe, expect, it } from "vitest";
import { readDirection, readStatementAmount, readStatementDay } from "./statement-cells.ts";

describe("A statement's date", () => {
  it.each([
    ["23/11/2026", "2026-11-23"],
    ["3/1/26 09:15", "2026-01-03"],
    ["23-11-2026 10:22:33 AM", "2026-11-23"],
    ["23.11.2026", "2026-11-23"],
    ["23 Nov 2026", "2026-11-23"],
    ["23-NOV-26", "2026-11-23"],
    ["1st September 2026", "2026-09-01"],
    ["Mon, 23 Nov 2026 08:00", "2026-11-23"],
    ["Nov 23, 2026 8:05 PM", "2026-11-23"],
    ["2026-11-23", "2026-11-23"],
    ["2026-11-23T23:59:59Z", "2026-11-23"],
    ["2026/11/23 08:00", "2026-11-23"],
    ["20261123", "2026-11-23"],
    ["29/02/2028", "2028-02-29"],
    ["  ", null],
    ["11/23/2026", false],
    ["29/02/2026", false],
    ["31 Foo 2026", false],
    ["23/11", false],
    ["Opening balance", false],
    ["123/11/2026", false],
    ["46349", false],
  ])("%s is %s", (cell, day) => {
    expect(readStatementDay(cell)).toBe(day);
  });
});

describe("A statement's amount", () => {
  it.each([
    ["1,234.50", 123_450, null],
    ["GHS 45", 4_500, null],
    ["GH₵45.5", 4_550, null],
    ["45.0000", 4_500, null],
    ["1 234.50", 123_450, null],
    ["45.00 CR", 4_500, "in"],
    ["45.00Cr.", 4_500, "in"],
    ["+45.00", 4_500, "in"],
    ["GHS -45.00", 4_500, "out"],
    ["45.00 DR", 4_500, "out"],
    ["-45.00", 4_500, "out"],
    ["−45.00", 4_500, "out"],
    ["45.00-", 4_500, "out"],
    ["(1,045.00)", 104_500, "out"],
    ["0.00", 0, null],
  ])("%s is %i pesewas, %s", (cell, amount, direction) => {
    expect(readStatementAmount(cell)).toEqual({ amount, direction });
  });

  it.each(["", " - ", "–"])("%j is not an amount", (cell) => {
    expect(readStatementAmount(cell)).toBeNull();
  });

  it.each(["USD 45.00", "1.234", "45.005", "12e3", "forty", "23/11/2026", "1,23,45"])(
    "%s is not read",
    (cell) => {
      expect(readStatementAmount(cell)).toBe(false);
    },
  );
});

it("reads from the type whether money came in", () => {
  expect(["CR", "c", "Cash In", "CASH_IN", "Credit", "Payment received"].map(readDirection)).toEqual(
    Array(6).fill("in"),
  );
  expect(["DR", "D", "Cash out", "PAYMENT_SEND", "Debit", "Withdrawal", "E-Levy"].map(readDirection)).toEqual(
    Array(7).fill("out"),
  );
  expect(["", "Transfer", "Payment", "Indirect", "Outlet"].map(readDirection)).toEqual(Array(5).fill(null));
});
