import type { Shop } from "#shared/owner/settings.ts";
import { type EmailKind, emailKinds, isEmailKind } from "#shared/shop/email-kinds.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis, pesewasFromCedis } from "#shared/text/money.ts";
import type {
  ClaimedEmail,
  EmailConsultation,
  EmailOrder,
  EmailPayment,
  EmailPurchase,
  EmailQuote,
  EmailRegistration,
  EmailRole,
  EmailShipment,
  EmailStock,
  EmailStockAlert,
  EmailSubscription,
} from "./claimed-email.ts";
import {
  consultationAnswered,
  consultationCancelled,
  consultationDated,
  consultationReceived,
  consultationRequested,
} from "./consultation-emails.ts";
import {
  aboutCancelledEvent,
  aboutChangedEvent,
  aboutNewEvent,
  aboutPlace,
  aboutRegistration,
  aboutSubscription,
} from "./event-emails.ts";
import { layOut } from "./layout.ts";
import {
  aboutStatus,
  changed,
  forOwner,
  forRecipient,
  orderLines,
  orderLink,
  partSent,
  partSentToRecipient,
  partUndone,
  partUndoneToRecipient,
  readyToDownload,
  thanks,
} from "./order-emails.ts";
import { type Content, paymentInDoubt, paymentReceived, paymentRefunded } from "./payment-email.ts";
import { purchaseSent } from "./purchase-email.ts";
import { quoteReady, quoteRequested } from "./quote-email.ts";
import { ownRoleChanged, roleChanged } from "./role-email.ts";
import { aboutStockAlert } from "./stock-alert-email.ts";
import { oneLine } from "./typed-text.ts";

function lowStock({ count, books }: EmailStock, siteUrl: string): Content {
  const heading = `${countOf(count, "book")} low in stock`;
  const lines = books.map(({ title, publisher, left }) => ({
    text: oneLine(title),
    note: oneLine(publisher),
    amount: `${left} left`,
  }));
  const cut =
    count > books.length
      ? [{ kind: "text", text: `Those with the fewest copies, ${books.length} of ${count}:` } as const]
      : [];
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

type Topics = {
  order: { order: EmailOrder };
  shipment: { shipment: EmailShipment };
  payment: { payment: EmailPayment };
  quote: { quote: EmailQuote };
  consultation: { consultation: EmailConsultation };
  alert: { alert: EmailStockAlert };
  registration: { registration: EmailRegistration };
  subscription: { subscription: EmailSubscription };
  stock: { stock: EmailStock };
  purchase: { purchase: EmailPurchase };
  role: { role: EmailRole };
};
type TopicOf<Kind extends EmailKind> = (typeof emailKinds)[Kind]["topic"];
/** An email with what its text is about. */
type About<Topic extends keyof Topics> = ClaimedEmail & Topics[Topic];
type Write<Topic extends keyof Topics> = (
  email: About<Topic>,
  siteUrl: string,
  shop: Shop,
  paysOnline: boolean,
) => Content;

/** A payment's own order is there unless it has been deleted. */
const paid =
  (write: typeof paymentReceived): Write<"payment"> =>
  (email, siteUrl) => {
    const { order, payment } = withTopic(email, "order");
    return write(order, payment, [...orderLines(order), ...orderLink(siteUrl, order)]);
  };

const statusChanged: Write<"order"> = ({ order, status }, siteUrl) => aboutStatus(order, status, siteUrl);

const texts: { readonly [Kind in EmailKind]: Write<TopicOf<Kind>> } = {
  order_placed: ({ order }, siteUrl, shop, paysOnline) => thanks(order, siteUrl, shop, paysOnline),
  order_status_changed: statusChanged,
  order_part_shipped: (email, siteUrl) => partSent(withTopic(email, "order").order, email.shipment, siteUrl),
  order_part_undone: (email, siteUrl) => partUndone(withTopic(email, "order").order, email.shipment, siteUrl),
  order_changed: ({ order }, siteUrl) => changed(order, siteUrl),
  order_cancelled: statusChanged,
  downloads_ready: ({ order }, siteUrl) => readyToDownload(order, siteUrl),
  order_paid: paid(paymentReceived),
  order_refunded: paid(paymentRefunded),
  quote_sent: ({ quote }, siteUrl) => quoteReady(quote, siteUrl),
  consultation_received: ({ consultation }, siteUrl) => consultationReceived(consultation, siteUrl),
  consultation_answered: ({ consultation }, siteUrl) => consultationAnswered(consultation, siteUrl),
  consultation_dated: ({ consultation }, siteUrl) => consultationDated(consultation, siteUrl),
  consultation_cancelled: ({ consultation }, siteUrl) => consultationCancelled(consultation, siteUrl),
  back_in_stock: ({ alert }, siteUrl) => aboutStockAlert(alert, siteUrl),
  event_registered: ({ registration }, siteUrl) => aboutRegistration(registration, siteUrl),
  event_place: ({ registration }, siteUrl) => aboutPlace(registration, siteUrl),
  event_changed: ({ registration }, siteUrl) => aboutChangedEvent(registration, siteUrl),
  event_cancelled: ({ registration }) => aboutCancelledEvent(registration),
  event_subscription: ({ subscription }, siteUrl) => aboutSubscription(subscription, siteUrl),
  event_published: ({ subscription }, siteUrl) => aboutNewEvent(subscription, siteUrl),
  purchase_order_sent: ({ purchase }) => purchaseSent(purchase),
  recipient_order_placed: ({ order }) => forRecipient(order, false),
  recipient_order_part_shipped: (email) =>
    partSentToRecipient(withTopic(email, "order").order, email.shipment),
  recipient_order_part_undone: (email) =>
    partUndoneToRecipient(withTopic(email, "order").order, email.shipment),
  recipient_order_shipped: ({ order }) => forRecipient(order, true),
  new_order: ({ order }, siteUrl) =>
    forOwner(
      order,
      siteUrl,
      `new order ${order.number}, ${formatCedis(pesewasFromCedis(order.total))}`,
      "New order",
    ),
  order_cancelled_by_customer: ({ order }, siteUrl) =>
    forOwner(
      order,
      siteUrl,
      `order ${order.number} was cancelled by the customer`,
      "An order was cancelled by the customer",
    ),
  payment_needs_decision: ({ payment }, siteUrl) => paymentInDoubt(payment, siteUrl),
  quote_requested: ({ quote }, siteUrl) => quoteRequested(quote, siteUrl),
  consultation_requested: ({ consultation }, siteUrl) => consultationRequested(consultation, siteUrl),
  low_stock: ({ stock }, siteUrl) => lowStock(stock, siteUrl),
  own_role_changed: ({ role }, siteUrl) => ownRoleChanged(role, siteUrl),
  role_changed: ({ role }, siteUrl) => roleChanged(role, siteUrl),
};

function withTopic<Email extends ClaimedEmail, Topic extends keyof Topics>(
  email: Email,
  topic: Topic,
): Email & Topics[Topic] {
  if (!email[topic]) throw new Error(`An email of the kind ${email.kind} has no ${topic}`);
  return email as Email & Topics[Topic];
}

function contentOf(email: ClaimedEmail, siteUrl: string, shop: Shop, paysOnline: boolean): Content {
  if (!isEmailKind(email.kind)) throw new Error(`The kind ${email.kind} has no text`);
  // Its kind and its topic belong together.
  const write = texts[email.kind] as Write<keyof Topics>;
  const about = withTopic(email, emailKinds[email.kind].topic) as About<keyof Topics>;
  return write(about, siteUrl, shop, paysOnline);
}

/**
 * Subject and both forms of an email.
 * @param paysOnline whether customers can pay on their order's page
 * @throws Error when the kind has no text
 */
export function writeEmail(
  email: ClaimedEmail,
  siteUrl: string,
  shop: Shop,
  paysOnline = false,
): { subject: string; text: string; html: string } {
  const { subject, heading, blocks } = contentOf(email, siteUrl, shop, paysOnline);
  return { subject: `${shop.name}: ${subject}`, ...layOut({ heading, blocks }, siteUrl, shop) };
}
