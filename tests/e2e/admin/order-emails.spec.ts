import { addBook, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { listMails } from "#tests/support/outbox.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { numberOf, openOrder } from "./back-office.ts";

test("an order's email is in the outbox with its lines; staff see it as sent, and send it again", async ({
  page,
  context,
  shop,
  admin,
  member,
  signIn,
}) => {
  const book = await addBook(admin.client, { price: 617.25 });
  // Another recipient gets a copy; a new address, so that no other test counts towards its limit.
  const recipient_email = `to-${member.email}`;
  const order = await placeOrder(member, book, 2, { recipient_email });
  const subject = `we have your order ${await numberOf(admin, order)}`;
  const received = async () =>
    (await listMails(shop.dataDir)).filter((mail) => mail.subject.includes(subject));
  await expect.poll(async () => (await received()).length).toBe(1);
  const [mail] = await received();
  for (const text of [`2 × ${book.title}`, "GH₵1,234.50", `${shop.url}/order-confirmation/${order}`])
    expect(mail?.text).toContain(text);
  const states = async () => {
    const { data } = await admin.client.from("outgoing_emails").select("kind, state").eq("order_id", order);
    return data?.map(({ kind, state }) => `${kind} ${state}`).sort();
  };
  await expect.poll(states).toEqual(["new_order sent", "order_placed sent", "recipient_order_placed sent"]);

  await signIn(context, admin);
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: /View details/ }).click();
  const emails = page.getByRole("dialog", { name: "Order Details" }).getByRole("table", { name: "Emails" });
  const placed = emails.getByRole("row").filter({ hasText: /Order placed(?!, to)/ });
  await expect(placed).toContainText("Sent");
  await expect(emails.getByRole("row").filter({ hasText: "Order placed, to the recipient" })).toContainText(
    "Sent",
  );
  await expect(emails.getByRole("row").filter({ hasText: "New order, to the shop" })).toContainText("Sent");
  await placed.getByRole("button", { name: "Send again: Order placed" }).click();
  await expectMessage(page, "The email will be sent again");
  await expect(placed).toHaveCount(2);
  await expect(placed.last()).toContainText("sent again");
  await expect(placed.first().getByRole("button")).toHaveCount(0);
  await expect.poll(async () => (await received()).length).toBe(2);
  await expectAccessible(page);
});

const givenUp = {
  status: null,
  state: "given_up",
  reason: "The mail server refused it (EENVELOPE, 550).",
  due_at: "2026-11-20T08:05:00Z",
  settled_at: "2026-11-20T08:05:00Z",
  order_id: null,
  order_number: null,
  quote_id: null,
  quote_reference: null,
};

const rpc = (name: string) => new RegExp(`rpc/${name}`);

test("an email that could not be sent is named above the orders, with its order and the reason in the details", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const order = await placeOrder(member, await addBook(admin.client), 1);
  const number = await numberOf(admin, order);
  await page.route(rpc("admin_count_unsent_emails"), (route) => route.fulfill({ json: 1 }));
  await page.route(rpc("admin_list_unsent_emails"), (route) =>
    route.fulfill({
      json: [{ ...givenUp, id: order, kind: "order_placed", order_id: order, order_number: number }],
    }),
  );
  await page.route(/outgoing_emails\?/, (route) =>
    route.fulfill({
      json: [
        {
          id: order,
          kind: "order_placed",
          status: null,
          state: "given_up",
          reason: "The mail server refused it (EENVELOPE, 550).",
          due_at: "2026-11-20T08:05:00Z",
          created_at: "2026-11-20T08:05:00Z",
          settled_at: "2026-11-20T08:05:00Z",
          resend_of: null,
        },
      ],
    }),
  );
  await signIn(context, admin);
  await openOrder(page, order);
  const notice = page.getByRole("region", { name: "Emails not sent" });
  await expect(notice).toContainText("1 email could not be sent in the last 7 days");
  await notice.getByRole("button", { name: /^Show/ }).click();
  await expect(notice.getByRole("link", { name: `order ${number}` })).toBeVisible();
  await expectAccessible(page);
  await notice.getByRole("link", { name: `order ${number}` }).click();
  const emails = page.getByRole("dialog", { name: "Order Details" }).getByRole("table", { name: "Emails" });
  await expect(emails).toContainText("Failed");
  await expect(emails).toContainText("The mail server refused it (EENVELOPE, 550).");
  await expect(emails.getByRole("button", { name: "Send again: Order placed" })).toBeVisible();
  await expectAccessible(page);
});

test("emails that belong to no order are sent again from the dashboard", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  const emails = [
    { ...givenUp, id: crypto.randomUUID(), kind: "low_stock" },
    {
      ...givenUp,
      id: crypto.randomUUID(),
      kind: "quote_sent",
      quote_id: crypto.randomUUID(),
      quote_reference: "Q2026-0007",
    },
  ];
  await page.route(rpc("admin_count_unsent_emails"), (route) => route.fulfill({ json: emails.length }));
  await page.route(rpc("admin_list_unsent_emails"), (route) => route.fulfill({ json: emails }));
  const requested: unknown[] = [];
  await page.route(/rpc\/resend_email/, (route) => {
    requested.push(route.request().postDataJSON());
    Object.assign(emails[0] ?? {}, { state: "waiting", reason: null, settled_at: null });
    return route.fulfill({ json: crypto.randomUUID() });
  });
  await signIn(context, admin);
  await page.goto("/admin");
  const notice = page.getByRole("region", { name: "Emails not sent" });
  await notice.getByRole("button", { name: /^Show/ }).click();
  const low = notice.getByRole("listitem").filter({ hasText: "Low stock, to the shop" });
  await expect(low).toContainText("Failed");
  await expect(low).toContainText("The mail server refused it (EENVELOPE, 550).");
  await expect(notice.getByRole("link", { name: "quote Q2026-0007" })).toHaveAttribute(
    "href",
    /\/admin\/quotes\//,
  );
  await expectAccessible(page);
  await low.getByRole("button", { name: "Send again: Low stock, to the shop" }).click();
  await expectMessage(page, "The email will be sent again");
  await expect(low).toContainText("Waiting");
  await expect(low.getByRole("button")).toHaveCount(0);
  expect(requested).toEqual([{ _email_id: emails[0]?.id }]);
  await expect(notice.getByRole("button", { name: "Send again: Quote, quote Q2026-0007" })).toBeVisible();
});

for (const width of [360, 1280])
  test(`494 unsent emails are counted in one line above today's work, listed in pages, and resent at once, ${width} px wide`, async ({
    page,
    context,
    admin,
    member,
    signIn,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const emails = Array.from({ length: 494 }, () => ({
      ...givenUp,
      id: crypto.randomUUID(),
      kind: "low_stock",
    }));
    await page.route(rpc("admin_count_unsent_emails"), (route) => route.fulfill({ json: emails.length }));
    await page.route(rpc("admin_list_unsent_emails"), (route) => {
      const { _page, _page_size } = route.request().postDataJSON();
      return route.fulfill({ json: emails.slice((_page - 1) * _page_size, _page * _page_size) });
    });
    await signIn(context, admin);
    await page.goto("/admin");
    const notice = page.getByRole("region", { name: "Emails not sent" });
    await expect(notice).toContainText("494 emails could not be sent in the last 7 days");
    await expect(page.getByRole("region", { name: "Today's work" })).toBeInViewport({ ratio: 1 });
    const order = await numberOf(admin, await placeOrder(member, await addBook(admin.client)));
    await page.goto("/admin/orders");
    await expect(notice).toContainText("494 emails could not be sent in the last 7 days");
    await expect(
      page
        .getByText(new RegExp(`\\b${order}\\b`))
        .filter({ visible: true })
        .first(),
    ).toBeInViewport({
      ratio: 1,
    });
    await page.goto("/admin");
    await notice.getByRole("button", { name: /^Show/ }).click();
    await expect(notice.getByRole("listitem")).toHaveCount(20);
    await expect(notice).toContainText("1–20 of 494");
    await expectAccessible(page);
    const older = notice.getByRole("button", { name: "Older" });
    for (let left = 24; left > 0; left -= 1) await older.click();
    await expect(notice).toContainText("481–494 of 494");
    await expect(notice.getByRole("listitem")).toHaveCount(14);
    await expect(older).toBeDisabled();
    await page.route(rpc("resend_unsent_emails"), (route) => route.fulfill({ json: 494 }));
    await notice.getByRole("button", { name: "Send all again" }).click();
    const question = page.getByRole("alertdialog", { name: "Send 494 emails again?" });
    await question.getByRole("button", { name: "Send 494 emails" }).click();
    await expect(page.getByText("494 emails will be sent again")).toBeVisible();
  });
