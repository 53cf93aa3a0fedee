import type { Page } from "@playwright/test";
import sharp from "sharp";
import { addBook, placeOrder } from "#tests/support/factories.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin, openBook, openOrder } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

/** What can be clicked and is less than 44 pixels high; what only screen readers meet is 1 pixel. */
function lowTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("a, button, select, input:not([type=checkbox])")]
      .filter((target) => {
        const { height } = target.getBoundingClientRect();
        return height > 1 && height < 44;
      })
      .map((target) => `${target.innerText} ${target.getBoundingClientRect().height}`),
  );
}

test("axe finds nothing on any page of the back office", async ({ page, admin, member }) => {
  test.setTimeout(180_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const order = await placeOrder(member, await addBook(admin.client), 1);

  for (const [path, heading] of [
    ["/admin", "Admin Dashboard"],
    ["/admin/users", "User Management"],
    ["/admin/books", "Book Management"],
    ["/admin/orders", "Order Management"],
    ["/admin/reviews", "Review Management"],
    ["/admin/booklists", "Booklists"],
    ["/admin/booklists/new", "New booklist"],
    ["/admin/booklists/import", "Import booklists"],
    ["/admin/quotes", "Quotes"],
    ["/admin/publishers", "Publishers"],
    ["/admin/activity", "Activity"],
    [`/admin/orders/${order}/packing-list`, "Packing list"],
  ] as const) {
    await openAdmin(page, path, heading);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await expectAccessibleAtWidths(page);
    await page.setViewportSize({ width: 1024, height: 800 });
    // Nothing reaches beyond the screen.
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(1024);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await lowTargets(page), path).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
});

test("axe finds nothing in any dialog of the back office", async ({ page, admin, member }) => {
  test.setTimeout(180_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const order = await placeOrder(member, await addBook(admin.client), 1);
  const book = await addBook(admin.client, { isbn: "AB-AXE", stock_quantity: 2 });
  const row = await openBook(page, book.title);
  await row.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessibleAtWidths(page);
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: /^Edit/ }).click();
  const form = page.getByRole("dialog", { name: "Edit Book" });
  await form.getByLabel("Title").fill("");
  await form.getByLabel("Publisher").fill("");
  await form.getByRole("button", { name: "Update Book" }).click();
  await expect(form.getByText("Title is required")).toBeVisible();
  await expectAccessibleAtWidths(page);
  const picture = await sharp({ create: { width: 600, height: 800, channels: 3, background: "#14503a" } })
    .png()
    .toBuffer();
  await form
    .getByLabel("Cover image")
    .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: picture });
  await expect(page.getByRole("button", { name: "Upload Cover" })).toBeEnabled();
  await expectAccessibleAtWidths(page);

  const orderRow = await openOrder(page, order);
  await orderRow.getByRole("button", { name: /View details/ }).click();
  await expect(page.getByRole("dialog").getByText("Status history")).toBeVisible();
  await expectAccessibleAtWidths(page);

  await openAdmin(page, "/admin/reviews", "Review Management");
  await page
    .getByRole("button", { name: /^Delete the review/ })
    .first()
    .click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessibleAtWidths(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Toggle sidebar" }).click();
  await expectAccessibleAtWidths(page);
});

test("by keyboard alone an admin edits a book, crops nothing by accident, and returns to the same place", async ({
  page,
  admin,
}) => {
  const book = await addBook(admin.client, { isbn: "AB-KEYS" });
  const row = await openBook(page, book.title);
  const edit = row.getByRole("button", { name: /^Edit/ });
  await edit.focus();
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "Edit Book" });
  await expect(form.getByLabel("Title")).toHaveValue(book.title);
  await form.getByLabel("Subject").focus();
  await page.keyboard.type("Geography");
  await page.keyboard.press("Enter");
  await expect(form).toBeHidden();
  await expect(edit).toBeFocused();
  const { data } = await admin.client.from("books").select("subject").eq("id", book.id).single();
  expect(data?.subject).toBe("Geography");

  await row.getByRole("button", { name: /^Delete/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No books found", { exact: true })).toBeVisible();
});

test("on a phone a row is a card with labelled values, and the sort order is chosen above", async ({
  page,
  admin,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const book = await addBook(admin.client, { isbn: "AB-CARD", price: 12 });
  const row = await openBook(page, book.title);
  await expect(page.getByRole("columnheader", { name: "Price (GH₵)" })).toBeHidden();
  const price = row.getByRole("cell").filter({ hasText: "GH₵12.00" });
  expect(await price.evaluate((cell) => getComputedStyle(cell, "::before").content)).toContain("Price");
  const box = await row.getByRole("button", { name: /^Edit/ }).boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await page.getByLabel("Sort by").selectOption({ label: "Price (GH₵): highest first" });
  await expect(page).toHaveURL(/sort=-price/);
});
