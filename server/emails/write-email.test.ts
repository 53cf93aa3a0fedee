import { describe, expect, test } from "vitest";
import { noOrderTexts, noShipment } from "#shared/orders/order-examples.ts";
import { firstShop as shop } from "#shared/owner/settings.ts";
import { fc } from "#tests/support/properties.ts";
import type { ClaimedEmail, EmailOrder, EmailPayment, EmailQuote } from "./claimed-email.ts";
import { NoRecipient, prepareEmail } from "./deliver.ts";
import { oneLine, typedText } from "./typed-text.ts";
import { writeEmail } from "./write-email.ts";

const siteUrl = "https://shop.example";
const settings = { siteUrl, mailFrom: "no-reply@shop.example", shopEmail: "orders@shop.example" };

const order: EmailOrder = {
  ...noOrderTexts,
  ...noShipment,
  id: "0b5c1f1e-0000-4000-8000-00000000000a",
  number: 1042,
  has_account: true,
  total: 1234.5,
  placed_at: "2026-11-20T08:05:00.000Z",
  name: "The library",
  email: "library@school.example",
  recipient_email: null,
  phone: "+233201234567",
  shipping_address: "5 Castle Road, Cape Coast",
  delivery_fee: 0,
  paid: 0,
  returned: 0,
  owed_back: 0,
  part_sent: false,
  all_sent: false,
  lines: [
    { title: "Integrated Science", publisher: "Adwene", quantity: 2, price: 600 },
    { title: "Spelling <3", publisher: null, quantity: 1, price: 34.5 },
  ],
};

const email = (kind: string, others: Partial<ClaimedEmail> = {}): ClaimedEmail => ({
  id: "11111111-1111-4111-8111-111111111111",
  lease: "22222222-2222-4222-8222-222222222222",
  kind,
  status: null,
  created_at: "2026-11-20T08:05:00.000Z",
  audience: kind.startsWith("order_") && !kind.endsWith("_by_customer") ? "customer" : "owner",
  order,
  role: null,
  shipment: null,
  stock: null,
  payment: null,
  quote: null,
  consultation: null,
  alert: null,
  registration: null,
  subscription: null,
  purchase: null,
  ...others,
});

const quote: EmailQuote = {
  id: "0b5c1f1e-0000-4000-8000-0000000000b0",
  reference: "Q2026-0007",
  valid_until: "2026-12-22",
  institution: "Castle Road School",
  name: "The bursar",
  email: "bursar@school.example",
  phone: "+233201234567",
  message: "For the new term.\nBefore Friday, please.",
  note: "Delivery in January.",
  lines: [{ title: "Maths 4", publisher: null, quantity: 30, unit_price: 45 }],
  delivery_method: "deliver",
  region: "Ashanti",
  delivery_pricing: "fees",
  delivery_fee: 45.5,
  token: null,
};

describe("the shop's emails", () => {
  test("link a caller without an account to no page that they can't open", () => {
    const caller = { ...order, has_account: false };
    for (const kind of ["order_placed", "order_status_changed", "order_cancelled"]) {
      const status = kind === "order_cancelled" ? "cancelled" : "shipped";
      for (const [to, leads] of [
        [order, true],
        [caller, false],
      ] as const)
        expect(
          writeEmail(email(kind, { order: to, status }), siteUrl, shop).text.includes("/order-confirmation/"),
        ).toBe(leads);
    }
  });

  test.each([
    [0, null, null],
    [1_000, "Paid: GH₵1,000.00\nStill to pay: GH₵234.50", null],
    [1_234.5, "Paid: GH₵1,234.50", null],
    [1_300, "Paid: GH₵1,300.00", "You've overpaid by GH₵65.50. We'll refund it."],
  ])("describe a changed order of which %d cedis were paid", (paid, facts, tooMuch) => {
    const { subject, text } = writeEmail(
      email("order_changed", { order: { ...order, paid, owed_back: Math.max(paid - order.total, 0) } }),
      siteUrl,
      shop,
    );
    expect(subject).toBe(`${shop.name}: order 1042 has been changed`);
    expect(text).toContain("2 × Integrated Science (Adwene): GH₵1,200.00");
    expect(text.includes("Paid:")).toBe(facts !== null);
    if (facts) expect(text).toContain(facts);
    expect(text.includes("Still to pay")).toBe(paid > 0 && paid < 1_234.5);
    expect(text.includes("overpaid")).toBe(tooMuch !== null);
    if (tooMuch) expect(text).toContain(tooMuch);
  });

  test("tell the person and the other admins of a changed role", () => {
    const role = {
      email: "reader@school.example",
      name: "Ama",
      of_name: "Kofi www.win.example",
      of_email: "kofi@school.example",
      former: "user",
      role: "admin",
      by_name: "Shop admin",
      at: "2026-11-20T10:30:00Z",
    };
    const own = writeEmail(email("own_role_changed", { order: null, role }), siteUrl, shop);
    expect(own.subject).toBe(`${shop.name}: your role is now Admin`);
    expect(own.text).toContain("An admin may do everything");
    expect(own.text).toContain("Role before: User\nRole now: Admin\nChanged by: Shop admin\nAt: 20 Nov 2026");
    const others = writeEmail(email("role_changed", { order: null, role }), siteUrl, shop);
    expect(others.subject).toContain("the role of Kofi www. win. example is now Admin");
    expect(others.text).toContain("Email: kofi@school.example");
    expect(others.text).toContain(`${siteUrl}/admin/users?q=kofi%40school.example`);
    const taken = { ...role, former: "admin", role: "user", by_name: null };
    const gone = writeEmail(email("own_role_changed", { order: null, role: taken }), siteUrl, shop);
    expect(gone.subject).toBe(`${shop.name}: your role is now User`);
    expect(gone.text).toContain("keeps any duties");
    expect(gone.text).toContain("Changed by: a command on the shop's server");
    expect(gone.text).not.toContain("/admin");
  });

  test("say to the customer and the owner what has to be refunded of a cancelled order", () => {
    const paid = { ...order, paid: 60, owed_back: 60 };
    const about = { order: paid, status: "cancelled" };
    expect(writeEmail(email("order_cancelled", about), siteUrl, shop).text).toContain(
      "We'll refund you GH₵60.00.",
    );
    expect(writeEmail(email("order_cancelled_by_customer", about), siteUrl, shop).text).toContain(
      "The customer is owed a refund of GH₵60.00.",
    );
    for (const kind of ["order_cancelled", "order_cancelled_by_customer"])
      expect(writeEmail(email(kind, { ...about, order }), siteUrl, shop).text).not.toContain("refund");
  });

  test("give the customer and the recipient shipping details once the order is shipped, not before", () => {
    const shipped = { ...order, carrier: "VIP bus", driver_phone: "024 412 3456" };
    const details = "Carrier: VIP bus\nDriver's phone: 024 412 3456";
    const sent = { order: shipped, status: "shipped" };
    expect(writeEmail(email("order_status_changed", sent), siteUrl, shop).text).toContain(details);
    expect(writeEmail(email("recipient_order_shipped", sent), siteUrl, shop).text).toContain(details);
    for (const status of ["processing", "delivered"])
      expect(
        writeEmail(email("order_status_changed", { ...sent, status }), siteUrl, shop).text,
      ).not.toContain("VIP");
    expect(writeEmail(email("recipient_order_placed", sent), siteUrl, shop).text).not.toContain("VIP");
  });

  test("thank a customer with lines, total, address and the order's page, as text and as HTML", () => {
    const { subject, text, html } = writeEmail(email("order_placed"), siteUrl, shop);
    expect(subject).toBe(`${shop.name}: we have your order 1042`);
    for (const words of [
      "2 × Integrated Science (Adwene): GH₵1,200.00",
      "1 × Spelling <3: GH₵34.50",
      "Total: GH₵1,234.50",
      "Deliver to: The library, 5 Castle Road, Cape Coast",
      `${siteUrl}/order-confirmation/${order.id}`,
      shop.email,
    ])
      expect(text).toContain(words);
    for (const words of ["Spelling &lt;3", "GH₵1,234.50", `href="${siteUrl}/order-confirmation/${order.id}"`])
      expect(html).toContain(words);
    expect(html).not.toMatch(/<img|url\(/);
  });

  describe("tell how an order that isn't paid can be paid", () => {
    const wallet = {
      mobileMoneyNetwork: "MTN MoMo",
      mobileMoneyNumber: "0244 123 456",
      mobileMoneyName: "Adwene Books",
      mobileMoneyReference: "AB-{order}",
    };
    const textOf = (others: Partial<EmailOrder>, settings = {}, paysOnline = false) =>
      writeEmail(
        email("order_placed", { order: { ...order, ...others } }),
        siteUrl,
        { ...shop, ...settings },
        paysOnline,
      ).text;

    test("with the owner's words, the amount, the wallet and the reference", () => {
      const text = textOf({ paid: 234.5 }, wallet);
      for (const words of [
        shop.payment,
        "Pay by mobile money: GH₵1,000.00",
        "Network: MTN MoMo",
        "Number: 0244 123 456",
        "Name: Adwene Books",
        "Reference: AB-1042",
      ])
        expect(text).toContain(words);
    });

    test("without a wallet, or once it is paid, with nothing about one", () => {
      expect(textOf({})).not.toContain("mobile money:");
      const paid = textOf({ paid: order.total }, wallet);
      expect(paid).not.toContain("MTN");
      expect(paid).not.toContain(shop.payment);
    });

    test("and lead only those to their order's page who have one", () => {
      expect(textOf({}, {}, true)).toContain("You can pay on your order's page");
      expect(textOf({ has_account: false }, {}, true)).not.toContain("page");
      expect(textOf({ has_account: false })).toContain(shop.payment);
    });
  });

  test("emails to the recipient of someone else's order contain nothing that the customer typed; the owner's email names the recipient", async () => {
    const typed = {
      name: "WIN 1,000 CEDIS",
      shipping_address: "call 0201234567",
      delivery_note: "visit www.win.example",
      landmark: "the lottery",
      phone: "+233209999999",
      email: "sender@shop.example",
      recipient_email: "stranger@example.com",
    };
    for (const kind of ["recipient_order_placed", "recipient_order_shipped"]) {
      const all = Object.values(
        writeEmail(email(kind, { order: { ...order, ...typed } }), siteUrl, shop),
      ).join("\n");
      for (const words of Object.values(typed)) expect(all).not.toContain(words);
      expect(all).toContain("1042");
      expect(all).toContain("Items: 3");
      expect(all).not.toMatch(/GH₵|order-confirmation/);
    }
    const copy = email("recipient_order_placed", { audience: "recipient", order: { ...order, ...typed } });
    expect((await prepareEmail(copy, settings, shop)).to).toBe(typed.recipient_email);
    await expect(prepareEmail({ ...copy, order }, settings, shop)).rejects.toThrow(NoRecipient);
    const forOwner = writeEmail(email("new_order", { order: { ...order, ...typed } }), siteUrl, shop).text;
    expect(forOwner).toContain("Recipient's email: stranger@example.com");
  });

  test("say how the order is received and what delivery costs, if the order has these details", () => {
    const { text } = writeEmail(email("order_placed"), siteUrl, shop);
    expect(text).not.toMatch(/Region:|Shipping:|Delivery:/);
    expect(text).toContain("Delivery is free across Ghana");
    const sent = {
      ...order,
      region: "Central",
      delivery_method: "bus_station",
      bus_station: "STC, Cape Coast",
      delivery_note: "visit www.win.example",
      delivery_fee: 20,
    };
    for (const kind of ["order_placed", "order_status_changed", "new_order"]) {
      const { text, html } = writeEmail(email(kind, { status: "shipped", order: sent }), siteUrl, shop);
      for (const words of [
        "Bus parcel station: STC, Cape Coast",
        "Central",
        "www. win. example",
        "GH₵20.00",
      ]) {
        expect(text).toContain(words);
        expect(html).toContain(words);
      }
      expect(text).not.toContain("Delivery is free");
    }
  });

  test("emails about an order that the customer collects contain no address", () => {
    const collected = { ...order, delivery_method: "collect" };
    for (const kind of ["order_placed", "new_order"]) {
      const { text } = writeEmail(email(kind, { order: collected }), siteUrl, shop);
      expect(text).toContain("To be collected by: The library");
      expect(text).not.toMatch(/Deliver to|Castle Road/);
    }
  });

  test.each([
    ["order_status_changed", "pending", "order 1042 is pending"],
    ["order_status_changed", "processing", "order 1042 is being prepared"],
    ["order_status_changed", "shipped", "order 1042 is on its way"],
    ["order_status_changed", "delivered", "order 1042 has been delivered"],
    ["order_status_changed", "lost in a later version", "order 1042 has changed"],
    ["order_cancelled", "cancelled", "order 1042 has been cancelled"],
    ["new_order", null, "new order 1042, GH₵1,234.50"],
    ["order_cancelled_by_customer", "cancelled", "order 1042 was cancelled by the customer"],
  ])("emails of the kind %s (%s) name it in the subject", (kind, status, subject) => {
    expect(writeEmail(email(kind, { status }), siteUrl, shop).subject).toBe(`${shop.name}: ${subject}`);
  });

  test("have the same parts in the same order", () => {
    const parts = (kind: string, others: Partial<ClaimedEmail> = {}) =>
      writeEmail(email(kind, others), siteUrl, shop).text.split("\n\n").slice(0, -1);
    const facts = "Order: 1042\nPlaced: 20 Nov 2026, 08:05";
    const lines =
      "2 × Integrated Science (Adwene): GH₵1,200.00\n1 × Spelling <3: GH₵34.50\nTotal: GH₵1,234.50";
    const deliverTo = "Deliver to: The library, 5 Castle Road, Cape Coast";
    const link = `See your order:\n${siteUrl}/order-confirmation/${order.id}`;
    const thanks = [
      "Thank you for your order",
      "We've received your order. On its page you can see how to pay and when it will arrive, and you can cancel it.",
      facts,
      lines,
      shop.payment,
    ];
    expect(parts("order_placed")).toEqual([...thanks, deliverTo, shop.deliveryTerms, link]);
    const nowhere = { order: { ...order, name: null, shipping_address: " " } };
    expect(parts("order_placed", nowhere)).toEqual([...thanks, shop.deliveryTerms, link]);
    const somewhere = { order: { ...order, name: null } };
    expect(parts("order_placed", somewhere)[5]).toBe("Deliver to: 5 Castle Road, Cape Coast");
    for (const [status, heading, words] of [
      ["shipped", "Your order is on its way", "Your books have left our shop."],
      [null, "Your order has changed", "Its page shows where it is now."],
    ])
      expect(parts("order_status_changed", { status })).toEqual([
        heading,
        words,
        facts,
        lines,
        deliverTo,
        link,
      ]);
    const reach = "Name: The library\nEmail: library@school.example\nPhone: +233201234567";
    const open = `Open the order:\n${siteUrl}/admin/orders?order=1042`;
    for (const [kind, heading] of [
      ["new_order", "New order"],
      ["order_cancelled_by_customer", "An order was cancelled by the customer"],
    ] as const)
      expect(parts(kind)).toEqual([heading, facts, reach, lines, deliverTo, open]);
    expect(parts("new_order", { order: { ...order, phone: null } })[2]).toBe(
      "Name: The library\nEmail: library@school.example",
    );
  });

  test("about the status of an order that was sent in part speak of the rest", () => {
    const textOf = (status: string) =>
      writeEmail(
        email("order_status_changed", { status, order: { ...order, part_sent: true } }),
        siteUrl,
        shop,
      ).text;
    expect(textOf("shipped")).toContain("The rest of your books have left our shop.");
    expect(textOf("pending")).toContain("The rest of your order is pending");
    expect(textOf("pending")).toContain("If we told you that they had, please disregard that email.");
    expect(textOf("processing")).toContain("We're packing the rest of your books");
    expect(textOf("cancelled")).toContain("The books that haven't left our shop won't be sent.");
    expect(textOf("delivered")).toContain("We hope you like your books.");
  });

  test("about a cancelled order promise the refund only if none of its books were sent", () => {
    const textOf = (part_sent: boolean, owed_back = 100) =>
      writeEmail(
        email("order_cancelled", { status: "cancelled", order: { ...order, part_sent, owed_back } }),
        siteUrl,
        shop,
      ).text;
    expect(textOf(false)).toContain("We'll refund you GH₵100.00.");
    expect(textOf(true)).toContain("We'll contact you about the refund for the books that were not sent.");
    expect(textOf(true)).not.toContain("100.00");
    expect(textOf(true, 0)).not.toContain("refund");
  });

  test("about a cancelled order whose books had all been sent name none that were not", () => {
    const { text } = writeEmail(
      email("order_cancelled", {
        status: "cancelled",
        order: { ...order, part_sent: true, all_sent: true, owed_back: 100 },
      }),
      siteUrl,
      shop,
    );
    expect(text).toContain("All of its books had left our shop before.");
    expect(text).toContain("We'll contact you about the refund.");
    for (const wrong of ["not sent", "won't be", "100.00"]) expect(text).not.toContain(wrong);
  });

  test("about some copies say what was sent, with whom, and what is still to come", () => {
    const shipment = {
      carrier: "VIP Jeoun",
      parcel_number: null,
      driver_phone: "+233201112223",
      lines: [{ title: "Integrated Science", copies: 1 }],
      left: [
        { title: "Integrated Science", copies: 1 },
        { title: "Spelling <3", copies: 12 },
      ],
    };
    const parts = (kind: string, left = shipment.left) => {
      const { subject, text, html } = writeEmail(
        email(kind, { shipment: { ...shipment, left } }),
        siteUrl,
        shop,
      );
      expect(html).not.toContain("<3");
      return [subject, ...text.split("\n\n").slice(0, -1)];
    };
    const facts = "Order: 1042\nPlaced: 20 Nov 2026, 08:05";
    const how = "Carrier: VIP Jeoun\nDriver's phone: +233201112223";
    const end = [
      facts,
      "Deliver to: The library, 5 Castle Road, Cape Coast",
      `See your order:\n${siteUrl}/order-confirmation/${order.id}`,
    ];
    const begin = [
      `${shop.name}: some books of order 1042 are on their way`,
      "Some of your books are on their way",
      "These books have left our shop:",
      "Integrated Science: 1 copy",
      how,
    ];
    expect(parts("order_part_shipped")).toEqual([
      ...begin,
      "Still to come, and we'll email you when they leave our shop:",
      "Integrated Science: 1 copy\nSpelling <3: 12 copies",
      ...end,
    ]);
    expect(parts("order_part_shipped", [])).toEqual([...begin, ...end]);
    // Whoever typed the recipient's address chose the titles too.
    expect(parts("recipient_order_part_shipped")).toEqual([
      `${shop.name}: part of order 1042 is on its way to you`,
      "Part of an order is on its way to you",
      "A customer of ours has ordered for you, and part of the order has left our shop.",
      how,
      facts,
      "Items sent: 1\nStill to come: 13",
      "If you don't expect anything from us, please reply to this email.",
    ]);
    // Of a parcel that was taken back.
    expect(parts("order_part_undone")).toEqual([
      `${shop.name}: a correction about order 1042`,
      "A correction about your order",
      "We emailed you about a parcel with these books. Please disregard that email:",
      "Integrated Science: 1 copy",
      "Still to come, and we'll email you when they leave our shop:",
      "Integrated Science: 1 copy\nSpelling <3: 12 copies",
      facts,
      `See your order:\n${siteUrl}/order-confirmation/${order.id}`,
    ]);
    expect(parts("recipient_order_part_undone")).toEqual([
      `${shop.name}: a correction about order 1042`,
      "A correction about an order for you",
      "A customer of ours has ordered for you, and we emailed you that a part of the order was on its way. Please disregard that email.",
      facts,
      "Items: 1\nStill to come: 13",
      "If you don't expect anything from us, please reply to this email.",
    ]);
  });

  test("tell the owner who ordered, how to reach them, and where staff see the order", () => {
    const { text } = writeEmail(email("new_order"), siteUrl, shop);
    for (const words of ["The library", "+233201234567", `${siteUrl}/admin/orders?order=1042`])
      expect(text).toContain(words);
  });

  const payment: EmailPayment = {
    order_number: 1042,
    amount: 200,
    method: "mobile_money",
    reason: null,
    received: null,
    currency: null,
    paid: 200,
    due: 1034.5,
  };

  test("thank for a payment, and say what is still due", () => {
    const { subject, text } = writeEmail(email("order_paid", { payment }), siteUrl, shop);
    expect(subject).toBe(`${shop.name}: we have received GH₵200.00 for order 1042`);
    for (const words of [
      "by mobile money",
      "Paid: GH₵200.00",
      "Still due: GH₵1,034.50",
      "Integrated Science",
    ])
      expect(text).toContain(words);
  });

  test("say that money has been refunded", () => {
    const back = { ...payment, method: "paystack", paid: 0, due: 0 };
    const { subject, text } = writeEmail(email("order_refunded", { payment: back }), siteUrl, shop);
    expect(subject).toBe(`${shop.name}: we have refunded GH₵200.00 for order 1042`);
    expect(text).toContain("We have refunded GH₵200.00 by Paystack.");
  });

  test.each([
    [1042, 150, "GHS", "wrong_amount", "GH₵150.00 for order 1042. This is not the amount"],
    [null, 9, "NGN", "wrong_currency", "9 NGN for an unknown order. This is not the currency"],
  ])(
    "tell the owner about money for order %s that needs a decision",
    (order_number, received, currency, reason, words) => {
      const doubtful = { ...payment, order_number, received, currency, reason };
      const { text } = writeEmail(
        email("payment_needs_decision", { order: null, payment: doubtful }),
        siteUrl,
        shop,
      );
      expect(text).toContain(words);
      expect(text).toContain(`${siteUrl}/admin/orders`);
    },
  );

  test("bring a school its quote, with prices, total, validity and its page", async () => {
    const sent = email("quote_sent", { order: null, quote, audience: "customer" });
    const { subject, text } = writeEmail(sent, siteUrl, shop);
    expect(subject).toBe(`${shop.name}: your quote Q2026-0007`);
    for (const words of [
      "For: Castle Road School",
      "30 × Maths 4: GH₵1,350.00",
      "Total: GH₵1,395.50",
      "Valid until: 22 Dec 2026",
      "Note: Delivery in January.",
      `${siteUrl}/quotes/${quote.id}`,
    ])
      expect(text).toContain(words);
    const { to, raw } = await prepareEmail(sent, settings, shop);
    expect([to, /^X-Shop-Order: (.*)$/m.exec(raw.toString())?.[1]?.trim()]).toEqual([quote.email, quote.id]);
  });

  test("tell a customer that a book is back, that stock is limited, and where it is", async () => {
    const book = {
      id: "0b5c1f1e-0000-4000-8000-0000000000b1",
      title: "Maths\n4",
      publisher: "Adwene",
      price: 45,
    };
    const alert = { email: "ama@school.example", is_new: false, book };
    const back = email("back_in_stock", { order: null, alert, audience: "customer" });
    const { subject, text, html } = writeEmail(back, siteUrl, shop);
    expect(subject).toBe(`${shop.name}: Maths 4 is back in stock`);
    for (const words of ["Stock is limited", "Maths 4 (Adwene): GH₵45.00", `${siteUrl}/books/${book.id}`])
      expect(text).toContain(words);
    expect(html).toContain(`href="${siteUrl}/books/${book.id}"`);
    const { to, raw } = await prepareEmail(back, settings, shop);
    expect([to, /^X-Shop-Order/m.test(raw)]).toEqual([alert.email, false]);
    const long = { email: null, is_new: false, book: { ...book, title: "x".repeat(500) } };
    expect(writeEmail({ ...back, alert: long }, siteUrl, shop).subject.length).toBeLessThan(120);
    await expect(prepareEmail({ ...back, alert: long }, settings, shop)).rejects.toThrow(NoRecipient);
  });

  test("quote emails tell the owner which school requests a quote, for what, and where to prepare it", async () => {
    const request = email("quote_requested", { order: null, quote: { ...quote, reference: null } });
    const { text } = writeEmail(request, siteUrl, shop);
    for (const words of [
      "Castle Road School",
      "bursar@school.example",
      "Message: For the new term. Before Friday, please.",
      "30 × Maths 4",
      `${siteUrl}/admin/quotes/${quote.id}`,
    ])
      expect(text).toContain(words);
    const { to, raw } = await prepareEmail(request, settings, shop);
    expect(to).toBe(settings.shopEmail);
    expect(raw.toString()).toMatch(/^Reply-To: bursar@school\.example/m);
  });

  test("list the books that are low in stock, and say when there are more", () => {
    const stock = { count: 60, books: [{ title: "Atlas", publisher: "Collins", left: 0 }] };
    const { subject, text } = writeEmail(email("low_stock", { order: null, stock }), siteUrl, shop);
    expect(subject).toBe(`${shop.name}: 60 books low in stock`);
    const others = ["Atlas (Collins): 0 left", `Open the books:\n${siteUrl}/admin/books?sort=stock_quantity`];
    expect(text.split("\n\n").slice(0, -1)).toEqual([
      "60 books low in stock",
      "Those with the fewest copies, 1 of 60:",
      ...others,
    ]);
    const only = writeEmail(
      email("low_stock", { order: null, stock: { ...stock, count: 1 } }),
      siteUrl,
      shop,
    );
    expect(only.text.split("\n\n").slice(0, -1)).toEqual(["1 book low in stock", ...others]);
  });

  test("emails of an unknown kind are refused rather than sent empty", () => {
    expect(() => writeEmail(email("newsletter"), siteUrl, shop)).toThrow("The kind newsletter has no text");
    for (const [kind, topic] of [
      ["low_stock", "stock"],
      ["new_order", "order"],
      ["quote_sent", "quote"],
      ["back_in_stock", "alert"],
      ["order_paid", "payment"],
    ] as const)
      expect(() => writeEmail(email(kind, { order: null }), siteUrl, shop)).toThrow(
        `An email of the kind ${kind} has no ${topic}`,
      );
    // Of the stock only where it is about the stock.
    const stock = { count: 1, books: [] };
    expect(writeEmail(email("new_order", { stock }), siteUrl, shop).subject).toContain("new order 1042");
  });

  test("stay short enough for email programs that cut off long ones", () => {
    const lines = Array.from({ length: 900 }, (_, n) => ({
      title: `Book ${n} ${"x".repeat(200)}`,
      publisher: "A publisher",
      quantity: 1,
      price: 1,
    }));
    const { html, text } = writeEmail(email("order_placed", { order: { ...order, lines } }), siteUrl, shop);
    expect(html.length).toBeLessThan(100_000);
    expect(text).toContain("800 more titles in this order.");
  });
});

/** Texts that an attacker would try, among random ones. */
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.constantFrom(
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "Ama\r\nBcc: victim@other.example",
    "Ama\nTotal: GH₵0.00",
    "Win now: https://evil.example/prize",
    "www.evil.example",
    "call me at someone@evil.example",
    "\u202egnp.exe",
    "&lt;b&gt; {{ .ConfirmationURL }} $& $1",
    "\u2028\u0085\u0000",
  ),
);

const headOf = (raw: string) => raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");

describe("whatever a customer typed, an email", () => {
  const kinds = fc.constantFrom(
    "order_placed",
    "order_cancelled",
    "new_order",
    "order_cancelled_by_customer",
  );

  test("shows it as text: it adds no tag, line, link or reversed text", () => {
    const frame = (text: string) => text.split("\n").length;
    const tags = (html: string) => html.match(/<[^>]*>/g)?.map((tag) => tag.replace(/ .*/s, ""));
    fc.assert(
      fc.property(kinds, hostile, hostile, hostile, (kind, name, address, title) => {
        const line = { title: `T ${title}`, publisher: "P", quantity: 1, price: 1 };
        const typed = { ...order, name: `N ${name}`, shipping_address: `A ${address}`, lines: [line] };
        const plain = { ...order, lines: [{ ...line, title: "T" }] };
        const written = writeEmail(email(kind, { order: typed }), siteUrl, shop);
        const usual = writeEmail(email(kind, { order: plain }), siteUrl, shop);
        expect(frame(written.text)).toBe(frame(usual.text));
        expect(tags(written.html)).toEqual(tags(usual.html));
        expect(written.html).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(written.subject).toBe(usual.subject);
        const deliverTo = /^Deliver to: (.*)$/m.exec(written.text)?.[1] ?? "";
        expect(deliverTo).not.toMatch(/:\/\/|[\p{L}\p{N}]\.\p{L}{2}/u);
      }),
    );
  });

  test("has its usual headers, and one recipient", async () => {
    await fc.assert(
      fc.asyncProperty(kinds, hostile, hostile, async (kind, name, address) => {
        const typed = { ...order, name, address };
        const { to, raw } = await prepareEmail(email(kind, { order: typed }), settings, shop);
        expect(to).toBe(
          kind === "order_placed" || kind === "order_cancelled" ? order.email : settings.shopEmail,
        );
        const head = headOf(raw);
        expect(head.match(/^[\w-]+(?=:)/gm)?.sort()).toEqual(
          [
            "Auto-Submitted",
            "Content-Type",
            "Date",
            "From",
            "MIME-Version",
            "Message-ID",
            "Reply-To",
            "Subject",
            "To",
            "X-Shop-Order",
          ].sort(),
        );
        expect(head).toContain("Message-ID: <11111111-1111-4111-8111-111111111111@shop.example>");
        expect(head).toContain(`To: ${to}\r\n`);
      }),
      { numRuns: 50 },
    );
  });

  test("shows it in one line, in which no website becomes a link", () => {
    expect(oneLine(" a\r\n\tb\u202e \u2028 c\u0000d ")).toBe("a b c d");
    expect(oneLine("a\u200bb")).toBe("ab");
    expect([oneLine(null), typedText(null)]).toEqual(["", ""]);
    for (const [typed, shown] of [
      ["https://evil.example", "https: //evil. example"],
      ["192.168.10.10", "192. 168. 10. 10"],
      ["J.K. Amo, P.O. Box 5", "J.K. Amo, P.O. Box 5"],
      ["evil。example", "evil。 example"],
    ])
      expect(typedText(typed ?? "")).toBe(shown);
  });

  test("a stock email has no order and no reply address", async () => {
    const stock = { count: 1, books: [{ title: "Atlas", publisher: null, left: 0 }] };
    const { to, raw } = await prepareEmail(email("low_stock", { order: null, stock }), settings, shop);
    expect(to).toBe(settings.shopEmail);
    expect(raw).not.toMatch(/^(X-Shop-Order|Reply-To)/m);
    await expect(prepareEmail(email("order_placed", { order: null }), settings, shop)).rejects.toThrow(
      NoRecipient,
    );
  });

  test.each([
    null,
    "",
    "nobody",
    "admin@shop.invalid",
    "a@b.example, c@d.example",
    "a@b.example\r\nBcc: c@d.example",
  ])("is not sent to %j", async (address) => {
    const typed = { ...order, email: address };
    await expect(prepareEmail(email("order_placed", { order: typed }), settings, shop)).rejects.toThrow(
      NoRecipient,
    );
    expect((await prepareEmail(email("new_order", { order: typed }), settings, shop)).raw).not.toMatch(
      /^Reply-To/m,
    );
  });
});
