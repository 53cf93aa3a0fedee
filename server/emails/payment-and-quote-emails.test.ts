import { expect, test } from "vitest";
import { firstShop } from "#shared/owner/settings.ts";
import type { EmailOrder, EmailPayment, EmailQuote } from "./claimed-email.ts";
import { type Block, layOut } from "./layout.ts";
import { type Content, paymentInDoubt, paymentReceived, paymentRefunded } from "./payment-email.ts";
import { quoteReady, quoteRequested } from "./quote-email.ts";

const siteUrl = "https://shop.example";

/** Subject, heading and parts of an email, as its readers get them. */
const read = ({ subject, heading, blocks }: Content) => [
  subject,
  ...layOut({ heading, blocks }, siteUrl, firstShop).text.split("\n\n").slice(0, -1),
];

const order = { number: 1042 } as EmailOrder;
const payment: EmailPayment = {
  order_number: 1042,
  amount: 200,
  method: "mobile_money",
  paid: 200,
  due: 1034.5,
  reason: "wrong_amount",
  received: 150,
  currency: "GHS",
};
const after: Block[] = [{ kind: "text", text: "The order" }];

test("A payment's email says what was received or refunded, and what is due", () => {
  const balance = "Order: 1042\nPaid: GH₵200.00\nStill due: GH₵1,034.50";
  expect(read(paymentReceived(order, payment, after))).toEqual([
    "we have received GH₵200.00 for order 1042",
    "Thank you for your payment",
    "We have received GH₵200.00 by mobile money.",
    balance,
    "The order",
  ]);
  expect(read(paymentRefunded(order, payment, after))).toEqual([
    "we have refunded GH₵200.00 for order 1042",
    "Your refund is on its way",
    "We have refunded GH₵200.00 by mobile money. The money can take a few days to arrive. If it doesn't, please reply to this email or call us.",
    balance,
    "The order",
  ]);
  expect(read(paymentRefunded(order, { ...payment, method: "cash" }, after)).slice(1, 3)).toEqual([
    "Your refund",
    "We have refunded GH₵200.00 in cash. If you haven't received it, please reply to this email or call us.",
  ]);
});

test("A payment in doubt asks the owner to decide, even for a reason added by a later version", () => {
  const parts = read(paymentInDoubt({ ...payment, reason: "of a later version" }, siteUrl));
  expect(parts).toEqual([
    "a payment for order 1042 needs your decision",
    "A payment needs your decision",
    "Paystack has received GH₵150.00 for order 1042.",
    "It won't count until you decide. You'll find it under Orders in the back office.",
    "Open the orders:\nhttps://shop.example/admin/orders",
  ]);
  expect(read(paymentInDoubt({ ...payment, reason: null }, siteUrl))).toEqual(parts);
});

const quote: EmailQuote = {
  id: "0b5c1f1e-0000-4000-8000-0000000000b0",
  reference: "Q2026-0007",
  valid_until: "2026-12-22",
  institution: "Castle Road School",
  name: "The bursar",
  email: "bursar@school.example",
  phone: "+233201234567",
  message: "For the new term.",
  note: null,
  lines: [{ title: "Maths 4", publisher: null, quantity: 30, unit_price: 45 }],
  delivery_method: "deliver",
  region: "Ashanti",
  delivery_pricing: "fees",
  delivery_fee: 45.5,
  token: null,
};
const lines =
  "30 × Maths 4: GH₵1,350.00\nDelivery (Deliver to the address, Ashanti): GH₵45.50\nTotal: GH₵1,395.50";

test("A school's quote has its prices and its page, and leaves out empty fields", () => {
  const words =
    "Here are our prices for the books you asked about. On the quote's page you can print a pro-forma invoice, and order at these prices with your purchase order number.";
  const head = ["your quote Q2026-0007", "Your quote is ready", words];
  const link = `View your quote:\n${siteUrl}/quotes/${quote.id}`;
  expect(read(quoteReady(quote, siteUrl))).toEqual([
    ...head,
    "Quote: Q2026-0007\nFor: Castle Road School\nValid until: 22 Dec 2026",
    lines,
    link,
  ]);
  const bare = { ...quote, institution: null, valid_until: null };
  expect(read(quoteReady(bare, siteUrl))).toEqual([...head, "Quote: Q2026-0007", lines, link]);
});

test("A quote for a customer without an account is opened by a link with its secret in the fragment", () => {
  expect(read(quoteReady({ ...quote, token: "0123456789abcdef" }, siteUrl)).at(-1)).toContain(
    `${siteUrl}/quotes/${quote.id}#0123456789abcdef`,
  );
});

test("A quote whose prices include delivery says so, and one whose fee isn't known yet says why", () => {
  const included = { ...quote, delivery_pricing: "included", delivery_fee: 0 };
  expect(read(quoteReady(included, siteUrl))).toContain(
    "30 × Maths 4: GH₵1,350.00\nDelivery: Included in the prices\nTotal: GH₵1,350.00",
  );
  expect(read(quoteRequested({ ...quote, region: null, delivery_fee: null }, siteUrl))).toContain(
    "30 × Maths 4: GH₵1,350.00\nDelivery (Deliver to the address): Depends on the region\nTotal: GH₵1,350.00",
  );
});

test("A request for a quote says whose it is and what for", () => {
  const facts =
    "School or institution: Castle Road School\nContact person: The bursar\nEmail: bursar@school.example\nPhone: +233201234567\nMessage: For the new term.";
  const link = `Prepare the quote:\n${siteUrl}/admin/quotes/${quote.id}`;
  expect(read(quoteRequested(quote, siteUrl))).toEqual([
    "new quote request",
    "New quote request",
    facts,
    lines,
    link,
  ]);
});

test("A quote of more than a hundred titles says how many are left out", () => {
  const many = Array.from({ length: 102 }, () => ({ ...quote.lines[0] })) as EmailQuote["lines"];
  expect(read(quoteReady({ ...quote, lines: many }, siteUrl))).toContain("2 more titles in this quote.");
});
