import { expect, test } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import type { TriedOrder } from "./order.admin-queries.ts";
import { planStatus } from "./status-plan.ts";

const tried = (order: Partial<TriedOrder>): TriedOrder => ({
  id: "an id",
  number: 1001,
  status: "pending",
  step: null,
  problem: null,
  emails: 0,
  copies: 0,
  owedBack: 0 as Pesewas,
  ...order,
});

const leftOut = [
  tried({ status: "shipped", step: "set_back", problem: "It is already shipped and was not moved back." }),
  tried({
    status: "delivered",
    step: "set_back",
    problem: "It is already delivered and was not moved back.",
  }),
  tried({
    number: 1002,
    status: "cancelled",
    step: "reopen",
    problem: "It is cancelled and was not reopened.",
  }),
];

test("says how many orders change from which status, the emails, and that the stock stays", () => {
  const plan = planStatus(
    [tried({ emails: 1 }), tried({ emails: 2 }), tried({ status: "processing" }), ...leftOut],
    "processing",
    [],
  );
  expect(plan).toEqual({
    changing: 2,
    lines: [
      "2 orders will change to processing (now: 2 pending).",
      "1 order is already processing.",
      "3 emails will be sent to customers.",
      "The stock stays as it is.",
    ],
    steps: [
      { step: "reopen", label: "Also reopen 1 cancelled order" },
      { step: "set_back", label: "Also move back 2 orders that are further along: 1 shipped, 1 delivered" },
    ],
    problems: [],
  });
});

test("names the orders that can't take a chosen step back, and the copies taken again", () => {
  const sold = tried({ number: 1007, status: "cancelled", step: "reopen", problem: "Not enough in stock." });
  const plan = planStatus(
    [tried({ status: "cancelled", step: "reopen", copies: -3, emails: 1 }), sold],
    "processing",
    ["reopen"],
  );
  expect(plan.lines).toEqual([
    "1 order will change to processing (now: 1 cancelled).",
    "1 email will be sent to customers.",
    "3 copies are taken from stock again.",
  ]);
  expect(plan.problems).toEqual([sold]);
  expect(plan.steps).toEqual([{ step: "reopen", label: "Also reopen 2 cancelled orders" }]);
});

test("says what cancelling returns to stock, and which paid and sent orders it leaves out", () => {
  const plan = planStatus(
    [
      tried({ copies: 1 }),
      tried({ step: "cancel_paid", problem: "It has been paid and was not cancelled." }),
      tried({
        status: "shipped",
        step: "cancel_sent",
        problem: "It is already shipped and was not cancelled.",
      }),
    ],
    "cancelled",
    [],
  );
  expect(plan.lines).toEqual([
    "1 order will change to cancelled (now: 1 pending).",
    "No customer gets an email.",
    "1 copy goes back on sale.",
  ]);
  expect(plan.steps.map(({ label }) => label)).toEqual([
    "Also cancel 1 order already sent: 1 shipped",
    "Also cancel 1 paid order",
  ]);
});

test("says of an order that was sent in part what stays with the customer", () => {
  const sent = tried({ status: "processing", step: "cancel_sent", copies: 7 });
  expect(planStatus([sent], "cancelled", []).lines).toEqual([
    "It is processing now, and some of its copies have been sent.",
    "No customer gets an email.",
    "7 copies go back on sale.",
    "Copies that were sent stay with the customer until they are returned.",
  ]);
  const problem = "It is already sent in part and was not cancelled.";
  expect(planStatus([{ ...sent, problem }, tried({})], "cancelled", []).steps).toEqual([
    { step: "cancel_sent", label: "Also cancel 1 order already sent: 1 sent in part" },
  ]);
});

test("says that no order changes, and which no longer exists", () => {
  const gone = tried({ number: null, status: null, problem: "It no longer exists." });
  expect(planStatus([gone, ...leftOut], "processing", [])).toMatchObject({
    changing: 0,
    lines: ["No orders will change.", "No customer gets an email.", "The stock stays as it is."],
    problems: [gone],
  });
});

test("says how much money has to be refunded of the orders that are cancelled", () => {
  const orders = [
    tried({ emails: 1, owedBack: 6_000 as Pesewas }),
    tried({ emails: 1, owedBack: 4_050 as Pesewas }),
    tried({ emails: 1 }),
  ];
  expect(planStatus(orders, "cancelled", ["cancel_paid"]).lines).toContain(
    "GH₵100.50 has been paid and has to be refunded. The customers' emails say so.",
  );
  expect(planStatus([tried({ emails: 1 })], "cancelled", []).lines.join()).not.toContain("refunded");
});

test("offers no step back of a single order, which is its own choice", () => {
  const order = tried({ step: "cancel_paid", emails: 1, owedBack: 6_000 as Pesewas });
  const { steps, changing, lines } = planStatus([order], "cancelled", []);
  expect([changing, steps]).toEqual([1, []]);
  expect(lines).toContain("GH₵60.00 has been paid and has to be refunded. The customer's email says so.");
});

test("leaves the refund of an order that was sent in part to staff, and says what the customer is told", () => {
  const sent = tried({
    status: "processing",
    step: "cancel_sent",
    copies: 7,
    emails: 1,
    owedBack: 25_000 as Pesewas,
  });
  const { lines } = planStatus([sent], "cancelled", []);
  expect(lines.at(-1)).toBe(
    "GH₵250.00 has been paid. Refund what was paid for the books that were not sent: the customer's email says that we'll contact them about it.",
  );
  expect(lines.join()).not.toContain("has to be refunded");
  const paid = tried({ step: "cancel_paid", emails: 1, owedBack: 4_000 as Pesewas });
  expect(planStatus([sent, sent, paid], "cancelled", ["cancel_sent", "cancel_paid"]).lines.slice(-2)).toEqual(
    [
      "GH₵500.00 has been paid for orders sent in part. Refund what was paid for the books that were not sent: the customers' emails say that we'll contact them about it.",
      "GH₵40.00 has been paid and has to be refunded. The customer's email says so.",
    ],
  );
  const whole = tried({ ...paid, status: "shipped", step: "cancel_sent" });
  expect(planStatus([whole], "cancelled", []).lines.at(-1)).toBe(
    "GH₵40.00 has been paid and has to be refunded.",
  );
});
