import { type PaymentMethod, paymentMethods, paymentReasons } from "#shared/owner/payment-terms.ts";
import { formatCedis, pesewasFromCedis } from "#shared/text/money.ts";
import type { EmailOrder, EmailPayment } from "./claimed-email.ts";
import type { Block } from "./layout.ts";

/** An email's content before layout; the subject is without the shop's name. */
export type Content = { subject: string; heading: string; blocks: Block[] };

const amount = (cedis: number | null) => formatCedis(pesewasFromCedis(cedis ?? 0));

/** "Mobile money" within a sentence; Paystack keeps its capital. */
const byMethod = (method: string) => {
  if (method === "cash") return "in cash";
  const name: string = paymentMethods[method as PaymentMethod] ?? method;
  return `by ${method === "paystack" ? name : name.toLowerCase()}`;
};

/** What has been paid for an order so far, and what is still due. */
const balance = ({ number }: EmailOrder, { paid, due }: EmailPayment): Block => ({
  kind: "facts",
  facts: [
    ["Order", String(number)],
    ["Paid", amount(paid)],
    ["Still due", amount(due)],
  ],
});

/**
 * To the customer: money has been received for an order.
 * @param after the order's lines and link
 */
export function paymentReceived(order: EmailOrder, payment: EmailPayment, after: Block[]): Content {
  const sum = amount(payment.amount);
  const words = `We have received ${sum} ${byMethod(payment.method)}.`;
  return {
    subject: `we have received ${sum} for order ${order.number}`,
    heading: "Thank you for your payment",
    blocks: [{ kind: "text", text: words }, balance(order, payment), ...after],
  };
}

/**
 * To the customer: money has been refunded.
 * @param after the order's lines and link
 */
export function paymentRefunded(order: EmailOrder, payment: EmailPayment, after: Block[]): Content {
  const sum = amount(payment.amount);
  const isCash = payment.method === "cash";
  const arrives = isCash
    ? "If you haven't received it"
    : "The money can take a few days to arrive. If it doesn't";
  const words = `We have refunded ${sum} ${byMethod(payment.method)}. ${arrives}, please reply to this email or call us.`;
  return {
    subject: `we have refunded ${sum} for order ${order.number}`,
    heading: isCash ? "Your refund" : "Your refund is on its way",
    blocks: [{ kind: "text", text: words }, balance(order, payment), ...after],
  };
}

/** To the owner: money was received, but not as its order expects. */
export function paymentInDoubt(payment: EmailPayment, siteUrl: string): Content {
  const { order_number, reason, received, currency } = payment;
  const name = order_number === null ? "an unknown order" : `order ${order_number}`;
  const sum = currency === "GHS" ? amount(received) : `${received} ${currency}`;
  return {
    subject: `a payment for ${name} needs your decision`,
    heading: "A payment needs your decision",
    blocks: [
      {
        kind: "text",
        text: `Paystack has received ${sum} for ${name}. ${paymentReasons[reason ?? ""] ?? ""}`.trim(),
      },
      {
        kind: "text",
        text: "It won't count until you decide. You'll find it under Orders in the back office.",
      },
      { kind: "link", label: "Open the orders", url: `${siteUrl}/admin/orders` },
    ],
  };
}
