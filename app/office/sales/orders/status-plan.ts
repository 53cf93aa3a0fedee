import { isOpen, type OrderStatus } from "#app/features/orders/order.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis, sumPesewas } from "#shared/text/money.ts";
import type { StepBack, TriedOrder } from "./order.admin-queries.ts";

/** Describes what setting a status for several orders would do. */
export type StatusPlan = {
  /** How many orders would change. */
  changing: number;
  lines: string[];
  /** Steps back that staff may choose, each with how many orders it is about. */
  steps: { step: StepBack; label: string }[];
  /** Orders that can't change, whatever is chosen. */
  problems: TriedOrder[];
};

/** Cancelling an open order is a step back as of one that was sent, because copies of it were. */
const isPartSent = ({ step, status }: TriedOrder) =>
  step === "cancel_sent" && isOpen({ status: status ?? "" });

/** '2 shipped, 1 delivered' */
const countByStatus = (orders: readonly TriedOrder[]): string => {
  const counts = new Map<string, number>();
  for (const order of orders) {
    const status = isPartSent(order) ? "sent in part" : order.status;
    if (status) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
};

const sum = (orders: readonly TriedOrder[], name: "emails" | "copies") =>
  orders.reduce((total, order) => total + order[name], 0);

/** What was paid for the orders that are cancelled; their emails promise no sum of one of which copies were sent. */
function describeOwedBack(changing: readonly TriedOrder[]): string[] {
  const owed = changing.filter(({ owedBack }) => owedBack > 0);
  const inPart = owed.filter(isPartSent);
  const whole = owed.filter((order) => !isPartSent(order));
  const paid = (orders: readonly TriedOrder[]) => formatCedis(sumPesewas(orders.map((one) => one.owedBack)));
  const says = (orders: readonly TriedOrder[], before: string, what: string) =>
    orders.some(({ emails }) => emails > 0)
      ? `${before} ${orders.length === 1 ? "customer's email says" : "customers' emails say"} ${what}`
      : "";
  return [
    ...(inPart.length > 0
      ? [
          `${paid(inPart)} has been paid${changing.length > 1 ? " for orders sent in part" : ""}. Refund what was paid for the books that were not sent${says(inPart, ": the", "that we'll contact them about it")}.`,
        ]
      : []),
    ...(whole.length > 0
      ? [
          `${paid(whole)} has been paid and has to be refunded.${whole.some(({ step }) => step === "cancel_sent") ? "" : says(whole, " The", "so.")}`,
        ]
      : []),
  ];
}

const stepLabels: Record<StepBack, (orders: readonly TriedOrder[]) => string> = {
  reopen: ({ length }) => `Also reopen ${countOf(length, "cancelled order")}`,
  set_back: (orders) =>
    `Also move back ${countOf(orders.length, "order")} that ${orders.length === 1 ? "is" : "are"} further along: ${countByStatus(orders)}`,
  cancel_sent: (orders) =>
    `Also cancel ${countOf(orders.length, "order")} already sent: ${countByStatus(orders)}`,
  cancel_paid: ({ length }) => `Also cancel ${countOf(length, "paid order")}`,
};

/** @param tried the outcome of each order, with the steps back in `chosen` */
export function planStatus(
  tried: readonly TriedOrder[],
  status: OrderStatus,
  chosen: readonly StepBack[],
): StatusPlan {
  const same = tried.filter((order) => order.problem === null && order.status === status);
  const changing = tried.filter((order) => order.problem === null && order.status !== status);
  const copies = sum(changing, "copies");
  const emails = sum(tried, "emails");
  const lines = [
    changing.length === 0
      ? "No orders will change."
      : tried.length === 1
        ? `It is ${changing[0]?.status} now${changing.some(isPartSent) ? ", and some of its copies have been sent" : ""}.`
        : `${countOf(changing.length, "order")} will change to ${status} (now: ${countByStatus(changing)}).`,
    ...(same.length > 0
      ? [`${countOf(same.length, "order")} ${same.length === 1 ? "is" : "are"} already ${status}.`]
      : []),
    emails === 0 ? "No customer gets an email." : `${countOf(emails, "email")} will be sent to customers.`,
    copies > 0
      ? `${countOf(copies, "copy", "copies")} ${copies === 1 ? "goes" : "go"} back on sale.`
      : copies < 0
        ? `${countOf(-copies, "copy", "copies")} ${copies === -1 ? "is" : "are"} taken from stock again.`
        : "The stock stays as it is.",
    ...(changing.some(isPartSent)
      ? ["Copies that were sent stay with the customer until they are returned."]
      : []),
    ...describeOwedBack(changing),
  ];
  // A single order is its own choice.
  const steps =
    tried.length === 1
      ? []
      : (Object.keys(stepLabels) as StepBack[]).flatMap((step) => {
          const orders = tried.filter((order) => order.step === step);
          return orders.length > 0 ? [{ step, label: stepLabels[step](orders) }] : [];
        });
  const problems = tried.filter(
    ({ problem, step }) => problem !== null && (step === null || chosen.includes(step)),
  );
  return { changing: changing.length, lines, steps, problems };
}
