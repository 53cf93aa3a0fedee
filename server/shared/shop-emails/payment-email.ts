import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import { type PaymentMethod, paymentMethods, paymentReasons } from "#app/payment-terms.ts";
import type { EmailOrder, EmailPayment } from "./claimed-email.ts";
import type { Block } from "./layout.ts";

/** What an email says before it is laid out; the subject without the shop's name. */
export type Content = { subject: string; heading: string; blocks: Block[] };

const amount = (cedis: number | null) => formatCedis(pesewasFromCedis(cedis ?? 0));

/** "Mobile money" within a sentence; Paystack keeps its capital. */
const methodWords = (method: string) => {
  const name: string = paymentMethods[method as PaymentMethod] ?? method;
  return method === "paystack" ? name : name.toLowerCase();
};

/** What has been paid of an order by now, and what is still due. */
const balance = ({ number }: EmailOrder, { paid, due }: EmailPayment): Block => ({
  kind: "facts",
  facts: [
    ["Order", String(number)],
    ["Paid", amount(paid)],
    ["Still due", amount(due)],
  ],
});

/**
 * To the customer: money has come in for an order, or has been given back.
 * @param after the order's lines and link
 */
export function aboutPayment(
  kind: string,
  order: EmailOrder,
  payment: EmailPayment,
  after: Block[],
): Content {
  const sum = amount(payment.amount);
  const how = methodWords(payment.method);
  if (kind === "order_refunded")
    return {
      subject: `we have returned ${sum} for order ${order.number}`,
      heading: "Your money is on its way back",
      blocks: [
        {
          kind: "text",
          text: `We have returned ${sum} by ${how}. It can take a few days until you see it. If it does not arrive, please reply to this email or call us.`,
        },
        balance(order, payment),
        ...after,
      ],
    };
  return {
    subject: `we have received ${sum} for order ${order.number}`,
    heading: "Thank you for your payment",
    blocks: [{ kind: "text", text: `We have received ${sum} by ${how}.` }, balance(order, payment), ...after],
  };
}

/** To the owner: money came in, but not as its order wants it. */
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
      { kind: "text", text: "It is not counted until you say so. Orders in the back office shows it." },
      { kind: "link", label: "Open the orders", url: `${siteUrl}/admin/orders` },
    ],
  };
}
