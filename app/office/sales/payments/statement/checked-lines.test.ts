import { expect, it } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import { checkLines, overpaidOrders, paymentsOf } from "./checked-lines.ts";
import type { LineMatch, PayableOrder } from "./statement.admin-queries.ts";
import { reasonInWords } from "./statement-words.ts";

const line = (at: number, amount: number, reference = `T${at}`) => ({
  line: at,
  amount: amount as Pesewas,
  day: "2026-11-23",
  reference,
  name: "",
  phone: "",
  narration: "",
});
const order = (number: number, due: number): PayableOrder => ({
  id: `o${number}`,
  number,
  due: due as Pesewas,
  name: "Ama",
});
const match = (given: Partial<LineMatch> = {}): LineMatch => ({
  outcome: "proposed",
  reason: "named",
  doubt: null,
  aboutLine: null,
  aboutOrder: null,
  matches: 1,
  orders: [order(1023, 4_500)],
  ...given,
});
const nothing = { choices: new Map(), method: "bank_transfer" as const, recorded: new Map() };

it("ticks certain matches, and leaves matches by amount alone to staff", () => {
  const checked = checkLines(
    [line(1, 4_500), line(2, 4_500), line(3, 4_500), line(4, 4_500)],
    [
      match(),
      match({ reason: "amount" }),
      match({ outcome: "doubtful", doubt: "several" }),
      match({ outcome: "recorded", aboutOrder: 1019 }),
    ],
    nothing,
  );
  expect(checked.map(({ ticked, order: chosen }) => [ticked, chosen?.number ?? null])).toEqual([
    [true, 1023],
    [false, 1023],
    [false, null],
    [false, null],
  ]);
});

it("records what staff chose, and more than is due only for orders that they confirmed", () => {
  const choices = new Map([
    [1, { order: order(1030, 1_000) }],
    [2, { ticked: false }],
    [3, { order: null }],
    [4, { order: order(1031, 9_000) }],
  ]);
  const lines = [line(1, 4_500), line(2, 4_500), line(3, 4_500), line(4, 4_500)];
  const checked = checkLines(
    lines,
    lines.map(() => match()),
    { ...nothing, choices },
  );
  const overpaid = overpaidOrders(checked);
  expect(overpaid.map(({ order: { number }, excess }) => [number, excess])).toEqual([[1030, 3_500]]);
  const payments = paymentsOf(
    checked,
    overpaid.map((one) => one.order),
  );
  expect(payments.map(({ line: at, orderId, moreThanDue }) => [at, orderId, moreThanDue])).toEqual([
    [1, "o1030", true],
    [4, "o1031", false],
  ]);
});

it("adds up the lines of an order before reporting an overpayment", () => {
  const lines = [line(1, 2_500), line(2, 2_500)];
  const checked = checkLines(
    lines,
    lines.map(() => match()),
    nothing,
  );
  expect(overpaidOrders(checked)[0]).toMatchObject({ excess: 500 });
});

it("does not tick mobile money without a transaction ID", () => {
  const [checked] = checkLines([line(1, 4_500, "")], [match()], { ...nothing, method: "mobile_money" });
  expect(checked).toMatchObject({ ticked: false, obstacle: expect.stringContaining("transaction ID") });
});

it("shows a line recorded here as recorded, even without an ID", () => {
  const [checked] = checkLines([line(7, 4_500, "")], [match()], {
    ...nothing,
    recorded: new Map([[7, 1023]]),
  });
  expect(checked).toMatchObject({ ticked: false, order: null, match: { outcome: "recorded" } });
});

it.each<[Partial<LineMatch>, string]>([
  [{ outcome: "recorded", aboutOrder: 1019 }, "Already recorded for order 1019."],
  [{ outcome: "repeated", aboutLine: 3 }, "Line 3 has the same transaction ID."],
  [{ outcome: "unknown", reason: null, orders: [] }, "No order found."],
  [{}, "The order's number is in the text."],
  [
    { outcome: "doubtful", doubt: "several", reason: "amount", matches: 12 },
    "12 orders have this amount due.",
  ],
  [{ outcome: "doubtful", doubt: "other_line", aboutLine: 2 }, "Line 2 already pays order 1023."],
  [{ outcome: "doubtful", doubt: "nothing_due" }, "Order 1023 is in the text, but nothing is due."],
  [{ outcome: "doubtful", doubt: "more_than_due" }, "Order 1023 is in the text, but only GH₵45.00 is due."],
  [
    { outcome: "doubtful", doubt: "other_amount" },
    "1023 is in the text, but GH₵45.00 is due. Is it the order's number?",
  ],
  [
    { outcome: "doubtful", doubt: "similar", aboutOrder: 1019 },
    "GH₵50.00 on 23 Nov 2026 is already recorded for order 1019. Is this another payment?",
  ],
])("says why: %o", (given, words) => {
  expect(reasonInWords(match(given), line(1, 5_000))).toBe(words);
});
