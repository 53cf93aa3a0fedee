import { destinationOf } from "#shared/orders/delivery.ts";
import { orderFacts, type Shipment, shipmentFacts } from "#shared/orders/order-fields.ts";
import { besideDeliveryLine } from "#shared/owner/delivery-words.ts";
import { mobileMoneyFacts } from "#shared/owner/mobile-money.ts";
import { paidOnline } from "#shared/owner/payment-terms.ts";
import type { Shop } from "#shared/owner/settings.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { formatCedis, pesewasFromCedis } from "#shared/text/money.ts";
import type { EmailOrder, EmailShipment } from "./claimed-email.ts";
import type { Block } from "./layout.ts";
import type { Content } from "./payment-email.ts";
import { copyLines, titleLines } from "./title-lines.ts";
import { oneLine, typedText } from "./typed-text.ts";

const amount = (cedis: number) => formatCedis(pesewasFromCedis(cedis));
const text = (words: string): Block => ({ kind: "text", text: words });

export function orderLines({ lines, total, delivery_fee }: EmailOrder): Block[] {
  const { shown, more } = titleLines(lines, "order");
  if (delivery_fee > 0) shown.push({ text: "Shipping", note: "", amount: amount(delivery_fee) });
  return [{ kind: "lines", lines: shown, total: amount(total) }, ...(more ? [text(more)] : [])];
}

function destination(order: EmailOrder, reader: "customer" | "staff"): Block[] {
  const { heading, hasAddress } = destinationOf(order.delivery_method);
  const lines = [typedText(order.name), hasAddress && typedText(order.shipping_address)].filter(Boolean);
  const facts: [string, string][] = lines.length > 0 ? [[heading, lines.join(", ")]] : [];
  for (const [name, value] of orderFacts(order, reader)) facts.push([name, typedText(value)]);
  return facts.length > 0 ? [{ kind: "facts", facts }] : [];
}

const shipment = (sent: Shipment): Block[] => {
  const facts = shipmentFacts(sent).map(([name, value]): [string, string] => [name, oneLine(value)]);
  return facts.length > 0 ? [{ kind: "facts", facts }] : [];
};

const placed = ({ number, placed_at }: EmailOrder): Block => ({
  kind: "facts",
  facts: [
    ["Order", String(number)],
    ["Placed", formatMinute(placed_at)],
  ],
});

/** Nothing for a caller without an account, who could not open the page. */
export const orderLink = (siteUrl: string, { id, has_account }: EmailOrder): Block[] =>
  has_account ? [{ kind: "link", label: "See your order", url: `${siteUrl}/order-confirmation/${id}` }] : [];

/** The opening of the emails about each status. */
const statusTexts: Record<string, { subject: string; heading: string; words: string }> = {
  pending: {
    subject: "is pending",
    heading: "We have your order",
    words: "Your order is pending. We'll email you when we start preparing it.",
  },
  processing: {
    subject: "is being prepared",
    heading: "We're preparing your order",
    words: "We're packing your books. We'll email you when they leave our shop.",
  },
  shipped: {
    subject: "is on its way",
    heading: "Your order is on its way",
    words: "Your books have left our shop.",
  },
  delivered: {
    subject: "has been delivered",
    heading: "Your order has been delivered",
    words: "We hope you like your books. If anything is missing or damaged, please reply to this email.",
  },
  cancelled: {
    subject: "has been cancelled",
    heading: "Your order has been cancelled",
    words: "It won't be delivered. If you didn't expect this, please reply to this email or call us.",
  },
};

/** Of an order of which copies were sent before the rest. */
const wordsOfRest: Record<string, string> = {
  // Also after its last parcel was undone, which an email may have said was on its way.
  pending:
    "The rest of your books haven't left our shop yet. If we told you that they had, please disregard that email. We'll email you when they leave.",
  processing:
    "We're packing the rest of your books, even if we told you that they had left our shop. We'll email you when they do.",
  shipped: "The rest of your books have left our shop.",
  cancelled:
    "The books that haven't left our shop won't be sent. If you didn't expect this, please reply to this email or call us.",
};
const wordsOfAllSent =
  "All of its books had left our shop before. If you didn't expect this, please reply to this email or call us.";

function wordsOf(status: string | null, { part_sent, all_sent }: EmailOrder): string | undefined {
  if (status === "cancelled" && all_sent) return wordsOfAllSent;
  return part_sent ? wordsOfRest[status ?? ""] : undefined;
}

/** The sum is promised only if none of its books were sent: it depends on those that come back. */
function refundWords({ part_sent, all_sent, owed_back }: EmailOrder): string {
  if (all_sent) return "We'll contact you about the refund.";
  return part_sent
    ? "We'll contact you about the refund for the books that were not sent."
    : `We'll refund you ${amount(owed_back)}.`;
}

export function aboutStatus(order: EmailOrder, status: string | null, siteUrl: string): Content {
  const { subject, heading, words } = statusTexts[status ?? ""] ?? {
    subject: "has changed",
    heading: "Your order has changed",
    words: "Its page shows where it is now.",
  };
  return {
    subject: `order ${order.number} ${subject}`,
    heading: status === "pending" && order.part_sent ? "The rest of your order is pending" : heading,
    blocks: [
      text(wordsOf(status, order) ?? words),
      ...(status === "cancelled" && order.owed_back > 0 ? [text(refundWords(order))] : []),
      ...(status === "shipped" ? shipment(order) : []),
      placed(order),
      ...orderLines(order),
      ...destination(order, "customer"),
      ...orderLink(siteUrl, order),
    ],
  };
}

function copiesOf(lines: EmailShipment["lines"]): Block[] {
  const { shown, more } = copyLines(lines);
  return [{ kind: "lines", lines: shown }, ...(more ? [text(more)] : [])];
}

const stillToCome = ({ left }: EmailShipment): Block[] =>
  left.length > 0
    ? [text("Still to come, and we'll email you when they leave our shop:"), ...copiesOf(left)]
    : [];

/** Some copies are on their way: which, with whom, and what is still to come. */
export function partSent(order: EmailOrder, sent: EmailShipment, siteUrl: string): Content {
  return {
    subject: `some books of order ${order.number} are on their way`,
    heading: "Some of your books are on their way",
    blocks: [
      text("These books have left our shop:"),
      ...copiesOf(sent.lines),
      ...shipment(sent),
      ...stillToCome(sent),
      placed(order),
      ...destination(order, "customer"),
      ...orderLink(siteUrl, order),
    ],
  };
}

/** What partSent has said no longer holds. */
export function partUndone(order: EmailOrder, sent: EmailShipment, siteUrl: string): Content {
  return {
    subject: `a correction about order ${order.number}`,
    heading: "A correction about your order",
    blocks: [
      text("We emailed you about a parcel with these books. Please disregard that email:"),
      ...copiesOf(sent.lines),
      ...stillToCome(sent),
      placed(order),
      ...orderLink(siteUrl, order),
    ],
  };
}

/** In cedis; in whole pesewas, since differences of cedis aren't exact. */
const leftToPay = ({ total, returned, paid }: Pick<EmailOrder, "total" | "returned" | "paid">): number =>
  Math.round((total - returned - paid) * 100) / 100;

/** What has been paid, and what is left to pay or to be refunded; nothing if nothing was paid. */
function afterChange({ paid, total, returned, owed_back }: EmailOrder): Block[] {
  if (paid <= 0) return [];
  const facts: [string, string][] = [["Paid", amount(paid)]];
  const due = leftToPay({ total, returned, paid });
  if (due > 0) facts.push(["Still to pay", amount(due)]);
  const tooMuch = owed_back > 0 ? [text(`You've overpaid by ${amount(owed_back)}. We'll refund it.`)] : [];
  return [{ kind: "facts", facts }, ...tooMuch];
}

export function readyToDownload(order: EmailOrder, siteUrl: string): Content {
  return {
    subject: `your downloads for order ${order.number} are ready`,
    heading: "Your downloads are ready",
    blocks: [
      text("You'll find the files and licence codes on your order's page. Sign in to get them."),
      placed(order),
      ...orderLines(order),
      ...orderLink(siteUrl, order),
    ],
  };
}

export function changed(order: EmailOrder, siteUrl: string): Content {
  return {
    subject: `order ${order.number} has been changed`,
    heading: "Your order has been changed",
    blocks: [
      text("Your order now has the books below. If that isn't what you expect, please reply to this email."),
      placed(order),
      ...orderLines(order),
      ...afterChange(order),
      ...destination(order, "customer"),
      ...orderLink(siteUrl, order),
    ],
  };
}

/** What is due, how the owner says it can be paid, and the wallet to send it to; nothing for a paid order. */
function howToPay(order: EmailOrder, shop: Shop, paysOnline: boolean): Block[] {
  const due = leftToPay(order);
  if (due <= 0) return [];
  // Who has no account has no page to pay on.
  const words = paysOnline ? (order.has_account ? paidOnline : "") : shop.payment;
  const wallet = mobileMoneyFacts(shop, String(order.number));
  const facts: Block = {
    kind: "facts",
    facts: [["Pay by mobile money", amount(due)], ...wallet],
  };
  return [...(words ? [text(words)] : []), ...(wallet.length > 0 ? [facts] : [])];
}

/** @param paysOnline whether the order's page offers to pay */
export function thanks(order: EmailOrder, siteUrl: string, shop: Shop, paysOnline: boolean): Content {
  const terms = besideDeliveryLine(shop.deliveryTerms, order.delivery_fee === 0);
  return {
    subject: `we have your order ${order.number}`,
    heading: "Thank you for your order",
    blocks: [
      text(
        order.has_account
          ? "We've received your order. On its page you can see how to pay and when it will arrive, and you can cancel it."
          : "We've received your order.",
      ),
      placed(order),
      ...orderLines(order),
      ...howToPay(order, shop, paysOnline),
      ...destination(order, "customer"),
      ...(terms ? [text(terms)] : []),
      ...orderLink(siteUrl, order),
    ],
  };
}

const unexpected = "If you don't expect anything from us, please reply to this email.";

/** Without any text that the customer typed, because they may have typed a stranger's address. */
export function forRecipient(order: EmailOrder, isOnItsWay: boolean): Content {
  const copies = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    subject: isOnItsWay
      ? `order ${order.number} is on its way to you`
      : `order ${order.number} names you as its recipient`,
    heading: isOnItsWay ? "An order is on its way to you" : "An order for you",
    blocks: [
      text(
        isOnItsWay
          ? `A customer of ours has ordered for you, and the order has left our shop.`
          : `A customer of ours has placed an order and given this email address as its recipient's. We'll email you once more, when it's on its way.`,
      ),
      ...(isOnItsWay ? shipment(order) : []),
      placed(order),
      { kind: "facts", facts: [["Items", String(copies)]] },
      text(unexpected),
    ],
  };
}

const count = (lines: EmailShipment["lines"]) => String(lines.reduce((sum, { copies }) => sum + copies, 0));

const leftCount = ({ left }: EmailShipment): [string, string][] =>
  left.length > 0 ? [["Still to come", count(left)]] : [];

/** As forRecipient, about some of the copies. */
export function partSentToRecipient(order: EmailOrder, sent: EmailShipment): Content {
  return {
    subject: `part of order ${order.number} is on its way to you`,
    heading: "Part of an order is on its way to you",
    blocks: [
      text("A customer of ours has ordered for you, and part of the order has left our shop."),
      ...shipment(sent),
      placed(order),
      {
        kind: "facts",
        facts: [["Items sent", count(sent.lines)], ...leftCount(sent)],
      },
      text(unexpected),
    ],
  };
}

/** What partSentToRecipient has said no longer holds. */
export function partUndoneToRecipient(order: EmailOrder, sent: EmailShipment): Content {
  return {
    subject: `a correction about order ${order.number}`,
    heading: "A correction about an order for you",
    blocks: [
      text(
        "A customer of ours has ordered for you, and we emailed you that a part of the order was on its way. Please disregard that email.",
      ),
      placed(order),
      { kind: "facts", facts: [["Items", count(sent.lines)], ...leftCount(sent)] },
      text(unexpected),
    ],
  };
}

export function forOwner(order: EmailOrder, siteUrl: string, subject: string, heading: string): Content {
  const { number, name, email, recipient_email, phone } = order;
  const facts: [string, string][] = [
    ["Name", typedText(name)],
    // Checked when the order was placed; staff copy it.
    ["Email", oneLine(email)],
    ["Recipient's email", oneLine(recipient_email)],
    ["Phone", typedText(phone)],
  ];
  return {
    subject,
    heading,
    blocks: [
      placed(order),
      { kind: "facts", facts: facts.filter(([, value]) => value !== "") },
      ...(order.owed_back > 0 ? [text(`The customer is owed a refund of ${amount(order.owed_back)}.`)] : []),
      ...orderLines(order),
      ...destination(order, "staff"),
      { kind: "link", label: "Open the order", url: `${siteUrl}/admin/orders?order=${number}` },
    ],
  };
}
