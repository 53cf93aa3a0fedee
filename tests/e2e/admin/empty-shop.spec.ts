import { inEmptyShop } from "#tests/support/empty-shop.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

const test = inEmptyShop();

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("a shop without books, orders and reviews says so on each page", async ({ page }) => {
  await openAdmin(page, "/admin", "Admin Dashboard");
  await expect(page.getByText("No orders yet", { exact: true })).toBeVisible();
  await expect(page.getByText("No books yet", { exact: true })).toBeVisible();
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
  await own.getByRole("button", { name: /^Change role/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Make User" }).click();
  await expectMessage(page, "Failed to update user role", "The last admin cannot be demoted or deleted.");
  await expect(own.getByRole("combobox")).toHaveValue("admin");
  await expect(own.getByRole("cell").nth(2)).toHaveText("Admin");
});

test("each thing to do before opening leads to the place where the owner does it", async ({ page }) => {
  const toDo = page.getByRole("region", { name: "Before you open" });
  const openList = async () => {
    await openAdmin(page, "/admin", "Admin Dashboard");
    await toDo.getByRole("button", { name: /^Show: Before you open/ }).click();
  };
  await openList();
  const steps = toDo.getByRole("link");
  await expect(steps.first()).toBeVisible();
  const all = await steps.evaluateAll((links) => links.map((link) => link.textContent ?? ""));
  expect(all.at(-1)).toMatch(/^Make a first backup/);
  for (const words of all) {
    await openList();
    await toDo.getByRole("link", { name: words, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      /^Settings$|^Import books$|^User Management$/i,
    );
  }
  await expect(page.getByRole("heading", { name: "Backups" })).toBeInViewport();
  await expect(page.getByText("npm run backup", { exact: true })).toBeVisible();
});
