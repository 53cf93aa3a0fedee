import type { Page } from "@playwright/test";
import type { Duty } from "#app/features/session/duties.ts";
import { addBook, dataOf, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, type Member, test } from "#tests/support/test.ts";
import {
  chooseStatus,
  giveRole,
  numberOf,
  openAdmin,
  otherBrowser,
  shortId,
  statusOf,
} from "./back-office.ts";

const widths = [360, 1280] as const;

async function giveDuties(admin: Member, person: Member, give: Duty[], take: Duty[] = []): Promise<void> {
  await dataOf(admin.client.rpc("change_duties", { _user_id: person.id, _give: give, _take: take }));
}

/** What the sidebar offers, in its order. */
async function entries(page: Page): Promise<string[]> {
  const nav = page.getByRole("navigation", { name: "Back office" });
  if (!(await nav.isVisible())) await page.getByRole("button", { name: "Toggle sidebar" }).click();
  await expect(nav.getByRole("link").first()).toBeVisible();
  const labels = await nav.getByRole("link").allTextContents();
  if ((page.viewportSize()?.width ?? 0) < 768) await page.keyboard.press("Escape");
  return labels;
}

/** The requests that the backend refuses while a page is used; a missing duty must not cause any. */
function watchRefusals(page: Page): string[] {
  const refused: string[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    // Other tests' books have missing covers.
    if (response.status() >= 400 && !pathname.startsWith("/covers/"))
      refused.push(`${response.status()} ${pathname}`);
  });
  return refused;
}

/** Opened by its address without the duty, a page says so and requests nothing of what it shows. */
async function expectMissing(page: Page, path: string, words: string): Promise<void> {
  const requested: string[] = [];
  const note = (request: import("@playwright/test").Request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/rest/v1/")) requested.push(pathname.slice("/rest/v1/".length));
  };
  page.on("request", note);
  await page.goto(path);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(words);
  page.off("request", note);
  expect(
    requested.filter(
      (name) => !/^(rpc\/get_user_role|rpc\/own_second_step|staff_duties|cart_items)$/.test(name),
    ),
  ).toEqual([]);
}

for (const width of widths) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("a moderator finds the reviews and nothing else", async ({
      page,
      context,
      admin,
      member,
      signIn,
    }) => {
      await giveRole(admin, member.id, "moderator");
      await signIn(context, member);
      const refused = watchRefusals(page);
      await page.goto("/shop");
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Admin Panel" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
      await expect(page.getByText("Total Reviews")).toBeVisible();
      await expect(page.getByText("Total Users")).toHaveCount(0);
      await expect(page.getByText("Recent Orders")).toHaveCount(0);
      expect(await entries(page)).toEqual(["Dashboard", "Reviews"]);

      await openAdmin(page, "/admin/reviews", "Review Management");
      const row = page.getByRole("table", { name: "Reviews" }).getByRole("row").nth(1);
      await expect(row).toBeVisible();
      await expect(page.getByRole("button", { name: /^Delete/ })).toHaveCount(0);
      await row.getByRole("button", { name: /^Hide/ }).click();
      await expectMessage(page, "Review hidden");
      await row.getByRole("button", { name: /^Show .*review/i }).click();
      await expectMessage(page, "Review shown");
      await expectAccessibleAtWidths(page);

      await expectMissing(page, "/admin/orders", "It needs the duty Orders. Ask an admin for it.");
      await expectMissing(page, "/admin/activity", "Only admins can open this page.");
      expect(refused).toEqual([]);
    });

    test("a packer sees orders with addresses, prints and ships them, and sees no payments, users or reports", async ({
      page,
      context,
      admin,
      newMember,
      signIn,
    }) => {
      const [packer, customer] = [await newMember(), await newMember()];
      await giveDuties(admin, packer, ["orders"]);
      const order = await placeOrder(customer, await addBook(admin.client), 2);
      const number = await numberOf(admin, order);
      await signIn(context, packer);
      const refused = watchRefusals(page);
      await openAdmin(page, "/admin", "Admin Dashboard");
      expect(await entries(page)).toEqual(["Dashboard", "Orders"]);
      await expect(page.getByRole("link", { name: /To pack/ })).toBeVisible();
      await expect(page.getByText("Payments that need a decision")).toHaveCount(0);
      await expect(page.getByText("Low Stock Alert")).toHaveCount(0);

      await openAdmin(page, `/admin/orders?q=${number}`, "Order Management");
      const row = page
        .getByRole("table", { name: "Orders" })
        .getByRole("row")
        .filter({ hasText: shortId(order) });
      await expect(row).toContainText("No. ");
      await expect(page.getByRole("button", { name: /^Delete order/ })).toHaveCount(0);
      await expect(page.getByRole("group", { name: "Export orders" })).toHaveCount(0);
      await row.getByRole("button", { name: /^View details/ }).click();
      const details = page.getByRole("dialog", { name: "Order Details" });
      await expect(details).toContainText(customer.email);
      await expect(details.getByText("Shipping address")).toBeVisible();
      await expect(details.getByRole("heading", { name: "Status history" })).toBeVisible();
      await expect(details.getByRole("heading", { name: "Payments" })).toHaveCount(0);
      await expect(details.getByText(/ due$/)).toBeVisible();
      await expectAccessibleAtWidths(page);
      await details.getByRole("link", { name: "Packing list" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Packing list" })).toBeVisible();
      await expect(page.getByText(`${number}`).first()).toBeVisible();

      await openAdmin(page, `/admin/orders?q=${number}`, "Order Management");
      await chooseStatus(row, "Shipped");
      const ship = page.getByRole("dialog", { name: "Mark as shipped" });
      await ship.getByLabel("Carrier").fill("VIP bus");
      await page.keyboard.press("Enter");
      await expectMessage(page, "Order status updated to shipped");

      await openAdmin(page, "/admin/orders/new", "New order");
      await expect(page.getByLabel("Customer's account (optional)")).toHaveCount(0);

      await expectMissing(page, "/admin/payments", "It needs the duty Payments. Ask an admin for it.");
      await expectMissing(page, "/admin/users", "It needs the duty People. Ask an admin for it.");
      await expectMissing(page, "/admin/reports", "It needs the duty Reports. Ask an admin for it.");
      await expectMissing(page, "/admin/books", "It needs the duty Catalogue or Stock. Ask an admin for it.");
      await expectAccessibleAtWidths(page);
      expect(refused).toEqual([]);
    });

    test("an admin assigns duties by name, and the list shows them", async ({
      page,
      context,
      admin,
      member,
      signIn,
    }) => {
      await signIn(context, admin);
      await openAdmin(page, `/admin/users?q=${member.email}`, "User Management");
      const row = page
        .getByRole("table", { name: "Users" })
        .getByRole("row")
        .filter({ hasText: member.email });
      await row.getByRole("button", { name: /^Duties of/ }).click();
      const dialog = page.getByRole("dialog", { name: /^Duties of/ });
      await expect(dialog.getByRole("checkbox")).toHaveCount(13);
      await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
      await dialog.getByLabel("Orders", { exact: true }).check();
      await dialog.getByLabel("Stock", { exact: true }).check();
      await expectAccessibleAtWidths(page);
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText(/^Duties of .* changed$/)).toBeVisible();
      await expect(row).toContainText("Orders, Stock");
      await page.getByLabel("Filter by role").selectOption("duties");
      await expect(row).toContainText("Orders, Stock");

      // Another admin gives one meanwhile: it is not taken away by saving what this page shows.
      await row.getByRole("button", { name: /^Duties of/ }).click();
      await giveDuties(admin, member, ["schools"]);
      await dialog.getByLabel("Stock", { exact: true }).uncheck();
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(row).toContainText("Orders, Schools");
      await openAdmin(page, `/admin/activity?q=${member.email}`, "Activity");
      await expect(page.getByText("Duty taken away").first()).toBeVisible();
      await expect(page.getByText("Duty given").first()).toBeVisible();
    });
  });
}

test("a page says when its duty was removed, and losing the last one ends access with a message", {
  tag: "@gate",
}, async ({ page, context, admin, newMember, signIn, consoleLines }) => {
  consoleLines.expect(/^Failed to update order status/);
  const [packer, customer] = [await newMember(), await newMember()];
  await giveDuties(admin, packer, ["orders", "schools"]);
  const order = await placeOrder(customer, await addBook(admin.client), 1);
  await signIn(context, packer);
  await openAdmin(page, `/admin/orders?q=${order}`, "Order Management");
  const list = page.getByRole("main");
  await expect(statusOf(list)).toBeVisible();

  await giveDuties(admin, packer, [], ["orders"]);
  await chooseStatus(list, "Processing");
  await expectMessage(page, "Failed to update order status");
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(
    "It needs the duty Orders. Ask an admin for it.",
  );
  expect(await entries(page)).toEqual(["Dashboard", "Booklists", "Quotes", "Consultations"]);

  await giveDuties(admin, packer, [], ["schools"]);
  // A check that is still under way may redirect first, and the link is gone then.
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="/admin/quotes"]')?.click());
  await expectMessage(page, "You can no longer open the back office", "An admin has taken your duties away.");
  await expect(page).toHaveURL(/\/$/);
});

test("the packer's second tab shows it at its next refresh", async ({ browser, admin, member, signIn }) => {
  await giveDuties(admin, member, ["orders", "stock"]);
  await placeOrder(member, await addBook(admin.client));
  const page = await otherBrowser(browser, signIn, member);
  await page.clock.install();
  await openAdmin(page, "/admin/orders", "Order Management");
  await expect(page.getByRole("table", { name: "Orders" })).toBeVisible();
  await giveDuties(admin, member, [], ["orders"]);
  await page.clock.runFor(31_000);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(
    "It needs the duty Orders. Ask an admin for it.",
  );
  await page.context().close();
});
