import { addBook, placeOrder } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

const cards = [
  ["Total Users", "Registered users", "total_users"],
  ["Total Books", "Unique titles", "total_books"],
  ["Total Stock", "Items in inventory", "total_stock"],
  ["Total Orders", "Orders processed", "total_orders"],
  ["Total Reviews", "Customer reviews", "total_reviews"],
] as const;

const written = new Intl.NumberFormat("en-GB");

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("five totals, the latest five orders, five books low in stock, and publishers by their number of books", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client, { price: 80, stock_quantity: 50 });
  for (let i = 0; i < 6; i++) await placeOrder(member, book, 1);
  await openAdmin(page, "/admin", "Admin Dashboard");
  // Orders that other tests place change the figures: what is shown must be what is true at some moment.
  await expect(async () => {
    await page.reload();
    const figures = page.getByRole("list", { name: "Figures" }).getByRole("listitem");
    await expect(figures).toHaveCount(5);
    await expect(figures.first()).toContainText(/\d/);
    const { data } = await admin.client.rpc("dashboard_stats").single();
    for (const [index, [title, note, figure]] of cards.entries()) {
      const card = figures.nth(index);
      await expect(card).toContainText(note);
      await expect(card.getByRole("heading", { name: title })).toBeVisible();
      await expect(card.getByText(written.format(data?.[figure] ?? -1), { exact: true })).toBeVisible({
        timeout: 2_000,
      });
    }
  }).toPass();

  const recent = page.getByRole("region", { name: "Recent Orders" }).getByRole("listitem");
  await expect(recent).toHaveCount(5);
  await expect(recent.first()).toContainText("Reader of the test");
  await expect(recent.first()).toContainText(/GH₵[\d,]+\.\d\d/);
  await expect(recent.first()).toContainText(/pending/i);

  const low = page.getByRole("region", { name: "Low Stock Alert" }).getByRole("listitem");
  await expect(low).toHaveCount(5);
  for (const line of await low.allInnerTexts()) expect(line).toMatch(/\b\d left$/);

  const publishers = page.getByRole("region", { name: "Publisher Statistics" }).getByRole("listitem");
  await expect(publishers.nth(5)).toBeVisible();
  const counts = (await publishers.allInnerTexts()).map((text) =>
    Number(/([\d,]+) books?/.exec(text)?.[1]?.replaceAll(",", "")),
  );
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
});

test("an order's customer without a name is N/A", async ({ page, admin, member }) => {
  await member.client.from("profiles").update({ full_name: null }).eq("id", member.id);
  await placeOrder(member, await addBook(admin.client), 1);
  await openAdmin(page, "/admin", "Admin Dashboard");
  const order = page
    .getByRole("region", { name: "Recent Orders" })
    .getByRole("listitem")
    .filter({ hasText: member.email });
  await expect(order.getByText("N/A", { exact: true })).toBeVisible();
});

test("placeholders show while it loads, and what failed can be retried", async ({ page }) => {
  const release = await holdBack(page, /rpc\/dashboard_stats/);
  await openAdmin(page, "/admin", "Admin Dashboard");
  const total = page.getByRole("listitem").filter({ hasText: "Registered users" });
  await expect(total).toHaveText("Total UsersRegistered users");
  release();
  await expect(total).toContainText(/\d/);

  await page.route(
    /rpc\/(dashboard_stats|admin_list_orders|list_low_stock_books|list_publisher_statistics)/,
    (route) => route.fulfill({ status: 400, json: { message: "x" } }),
  );
  await page.reload();
  for (const part of ["figures", "orders", "low stock", "publisher statistics"])
    await expect(page.getByText(`Failed to load ${part}: Failed to fetch ${part}`)).toBeVisible();
  await page.unrouteAll();
  for (let left = 4; left > 0; left--) {
    await page.getByRole("button", { name: "Try Again" }).first().click();
    await expect(page.getByRole("button", { name: "Try Again" })).toHaveCount(left - 1);
  }
  await expect(total).toContainText(/\d/);
});

test("every 30 seconds it refreshes, and announces new orders", async ({ page, admin, member }) => {
  const book = await addBook(admin.client, { price: 25 });
  // Without any order there is no table.
  await placeOrder(member, book, 1);
  await page.clock.install();
  await openAdmin(page, "/admin/orders", "Order Management");
  await expect(page.getByRole("table", { name: "Orders" })).not.toHaveAttribute("aria-busy", "true");
  await placeOrder(member, book, 2);
  const read = page.waitForResponse(/rpc\/admin_list_orders/);
  await page.clock.fastForward(31_000);
  await read;
  await expectMessage(page, "1 new order", "GH₵50.00 from Reader of the test");
  await expect(page.getByText("1 new order since you opened this page.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Messages" })).toHaveAttribute("aria-live", "polite");
  await expect(
    page.getByRole("table", { name: "Orders" }).getByRole("row").filter({ hasText: member.email }),
  ).toHaveCount(2);
  await page.getByRole("link", { name: "Show newest orders" }).click();
  await expect(page.getByText("since you opened this page")).toBeHidden();
});

test("today's work links to the lists that it counts, and an order adds to the sales", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client, { price: 80, stock_quantity: 50 });
  const order = await placeOrder(member, book, 1);
  await admin.client.from("orders").update({ status: "processing" }).eq("id", order).throwOnError();
  await placeOrder(member, book, 1);
  for (const label of ["To pack", "To send", "Unpaid"]) {
    // Other tests place and pack orders meanwhile: the numbers must agree at some moment.
    await expect(async () => {
      await openAdmin(page, "/admin", "Admin Dashboard");
      const link = page
        .getByRole("region", { name: "Today's work" })
        .getByRole("link", { name: new RegExp(`^[\\d,]+ ${label}`) });
      const count = /^[\d,]+/.exec(await link.innerText({ timeout: 2_000 }))?.[0];
      await link.click();
      await expect(page.getByText(new RegExp(`\\b${count} (matching )?orders?\\b`)).first()).toBeVisible({
        timeout: 2_000,
      });
    }).toPass();
  }
  await openAdmin(page, "/admin", "Admin Dashboard");
  const today = page.getByRole("list", { name: "Sales" }).getByRole("listitem").first();
  await expect(today).toContainText(/GH₵[1-9][\d,]*\.\d\d/);
  await today.getByRole("link", { name: "Today" }).click();
  await expect(page.getByRole("heading", { name: "Reports" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Period" })).toHaveValue("today");
});
