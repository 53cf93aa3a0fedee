import { countOf } from "#app/lib/count-of.ts";
import { formatMinute } from "#app/lib/dates.ts";
import { deliveryFacts, destinationOf } from "#app/lib/delivery.ts";
import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import { shop } from "#app/owner/shop.ts";
import type { ClaimedEmail, EmailOrder, EmailStock } from "./claimed-email.ts";
import { type Block, layOut } from "./layout.ts";
import { aboutPayment, type Content, paymentInDoubt } from "./payment-email.ts";
import { aboutQuote } from "./quote-email.ts";
import { aboutStockAlert } from "./stock-alert-email.ts";
import { titleLines } from "./title-lines.ts";
import { oneLine, typedText } from "./typed-text.ts";

const amount = (cedis: number) => formatCedis(pesewasFromCedis(cedis));
const text = (words: string): Block => ({ kind: "text", text: words });

function orderLines({ lines, total, delivery_fee }: EmailOrder): Block[] {
  const { shown, more } = titleLines(lines, "order");
  if (delivery_fee > 0) shown.push({ text: "Shipping", note: "", amount: amount(delivery_fee) });
  return [{ kind: "lines", lines: shown, total: amount(total) }, ...(more ? [text(more)] : [])];
}

function destination(order: EmailOrder): Block[] {
  const { heading, hasAddress } = destinationOf(order.delivery_method);
  const lines = [typedText(order.name), hasAddress && typedText(order.address)].filter(Boolean);
  const facts: [string, string][] = lines.length > 0 ? [[heading, lines.join(", ")]] : [];
  for (const [name, value] of deliveryFacts(order)) facts.push([name, typedText(value)]);
  return facts.length > 0 ? [{ kind: "facts", facts }] : [];
}

const placed = ({ number, placed_at }: EmailOrder): Block => ({
  kind: "facts",
  facts: [
    ["Order", String(number)],
    ["Placed", formatMinute(placed_at)],
  ],
});

/** Nothing for a caller without an account, who could not open the page. */
const orderLink = (siteUrl: string, { id, has_account }: EmailOrder): Block[] =>
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

function aboutStatus(order: EmailOrder, status: string | null, siteUrl: string): Content {
  const { subject, heading, words } = statusTexts[status ?? ""] ?? {
    subject: "has changed",
    heading: "Your order has changed",
    words: "Its page shows where it is now.",
  };
  return {
    subject: `order ${order.number} ${subject}`,
    heading,
    blocks: [
      text(words),
      placed(order),
      ...orderLines(order),
      ...destination(order),
      ...orderLink(siteUrl, order),
    ],
  };
}

function thanks(order: EmailOrder, siteUrl: string): Content {
  return {
    subject: `we have your order ${order.number}`,
    heading: "Thank you for your order",
    blocks: [
      text("We have your order. On its page you can see how to pay and when it arrives, or cancel it."),
      placed(order),
      ...orderLines(order),
      ...destination(order),
      text(shop.delivery.terms),
      ...orderLink(siteUrl, order),
    ],
  };
}

/** Without any text that the customer typed, because they may have typed a stranger's address. */
function forRecipient(order: EmailOrder, isOnItsWay: boolean): Content {
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
      placed(order),
      { kind: "facts", facts: [["Items", String(copies)]] },
      text("If you don't expect anything from us, please reply to this email."),
    ],
  };
}

function forOwner(order: EmailOrder, siteUrl: string, subject: string, heading: string): Content {
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
      ...orderLines(order),
      ...destination(order),
      { kind: "link", label: "Open the order", url: `${siteUrl}/admin/orders?order=${number}` },
    ],
  };
}

function lowStock({ count, books }: EmailStock, siteUrl: string): Content {
  const heading = `${countOf(count, "book")} low in stock`;
  const lines = books.map(({ title, publisher, left }) => ({
    text: oneLine(title),
    note: oneLine(publisher),
    amount: `${left} left`,
  }));
  const cut =
    count > books.length ? [text(`Those with the fewest copies, ${books.length} of ${count}:`)] : [];
  return {
    subject: heading,
    heading,
    blocks: [
      ...cut,
      { kind: "lines", lines },
      { kind: "link", label: "Open the books", url: `${siteUrl}/admin/books?sort=stock_quantity` },
    ],
  };
}

function contentOf(email: ClaimedEmail, siteUrl: string): Content {
  const { kind, status, order, stock, payment, quote, alert } = email;
  if (kind === "low_stock" && stock) return lowStock(stock, siteUrl);
  if (kind === "payment_needs_decision" && payment) return paymentInDoubt(payment, siteUrl);
  if (alert) return aboutStockAlert(alert, siteUrl);
  if (quote) return aboutQuote(kind, quote, siteUrl);
  if (!order) throw new Error(`An email of the kind ${kind} has no order`);
  if (payment)
    return aboutPayment(kind, order, payment, [...orderLines(order), ...orderLink(siteUrl, order)]);
  switch (kind) {
    case "order_placed":
      return thanks(order, siteUrl);
    case "order_status_changed":
    case "order_cancelled":
      return aboutStatus(order, status, siteUrl);
    case "recipient_order_placed":
    case "recipient_order_shipped":
      return forRecipient(order, kind === "recipient_order_shipped");
    case "new_order":
      return forOwner(order, siteUrl, `new order ${order.number}, ${amount(order.total)}`, "New order");
    case "order_cancelled_by_customer":
      return forOwner(
        order,
        siteUrl,
        `order ${order.number} was cancelled by the customer`,
        "An order was cancelled by the customer",
      );
    default:
      throw new Error(`The kind ${kind} has no text`);
  }
}

/**
 * Subject and both forms of an email. A new kind in the database (private.email_audience) gets its text here.
 * @throws Error when the kind has no text
 */
export function writeEmail(
  email: ClaimedEmail,
  siteUrl: string,
): { subject: string; text: string; html: string } {
  const { subject, heading, blocks } = contentOf(email, siteUrl);
  return { subject: `${shop.name}: ${subject}`, ...layOut({ heading, blocks }, siteUrl) };
}
