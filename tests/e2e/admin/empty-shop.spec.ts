import { expectMessage } from "#tests/support/messages.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { type ShopServer, START_MS } from "#tests/support/shop-server.ts";
import { test as base, expect } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

/** A shop of its own, without the demo catalogue and with only one admin. */
const test = base.extend<object, { shop: ShopServer }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
    async ({}, use) => {
      const shop = await startPreparedShop("empty");
      await use(shop);
      await shop.stop();
    },
    { scope: "worker", timeout: START_MS + 10_000 },
  ],
});

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("a shop without books, orders and reviews says so on each page", async ({ page }) => {
  await openAdmin(page, "/admin", "Admin Dashboard");
  await expect(page.getByText("No orders yet", { exact: true })).toBeVisible();
  await expect(page.getByText("All books are well stocked", { exact: true })).toBeVisible();
  await openAdmin(page, "/admin/books", "Book Management");
  await expect(page.getByText("No books found", { exact: true }).last()).toBeVisible();
  // The list says that it is empty, and offers nothing to export.
  await expect(page.getByText("0 books")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Download Excel" })).toBeDisabled();
  await openAdmin(page, "/admin/orders", "Order Management");
  await expect(page.getByText("No orders found", { exact: true })).toBeVisible();
  await openAdmin(page, "/admin/reviews", "Review Management");
  await expect(page.getByText("No reviews found", { exact: true })).toBeVisible();
});

test("the last admin cannot remove their own role, and sees why", async ({ page, admin, consoleLines }) => {
  consoleLines.expect(/^Failed to update user role \(BackendFailure: 409 last_admin\)/);
  await openAdmin(page, "/admin/users", "User Management");
  const own = page.getByRole("row").filter({ hasText: admin.email });
  await own.getByRole("combobox").selectOption("user");
  await expectMessage(page, "Failed to update user role", "The last admin cannot be demoted or deleted.");
  await expect(own.getByRole("combobox")).toHaveValue("admin");
  await expect(own.getByRole("cell").nth(2)).toHaveText("Admin");
});
