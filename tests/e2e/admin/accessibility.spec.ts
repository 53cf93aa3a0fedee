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

const pages = [
  ["/admin", "Admin Dashboard"],
  ["/admin/users", "User Management"],
  ["/admin/books", "Book Management"],
  ["/admin/orders", "Order Management"],
  ["/admin/reviews", "Review Management"],
  ["/admin/booklists", "Booklists"],
  ["/admin/booklists/new", "New booklist"],
  ["/admin/booklists/import", "Import booklists"],
  ["/admin/quotes", "Quotes"],
  ["/admin/consultations", "Consultations"],
  ["/admin/publishers", "Publishers"],
  ["/admin/suppliers", "Suppliers"],
  ["/admin/purchases", "Purchases"],
  ["/admin/receiving", "Receiving"],
  ["/admin/receiving/new", "Receive goods"],
  ["/admin/stock", "Stock card"],
  ["/admin/stock/labels?all=1", "Labels"],
  ["/admin/scan", "Scan with the camera"],
  ["/admin/counts", "Counts"],
  ["/admin/events", "Events"],
  ["/admin/payments", "Payments"],
  ["/admin/payments?view=closing", "Payments"],
  ["/admin/payments?view=statement", "Payments"],
  ["/admin/reports?period=12-months", "Reports"],
  ["/admin/reports?report=owed", "Reports"],
  ["/admin/reports?report=margin&period=today", "Reports"],
  ["/admin/reports?report=demand&period=12-months", "Reports"],
  ["/admin/activity", "Activity"],
  ["/admin/orders/:order/packing-list", "Packing list"],
] as const;

/** For all of them a merge doesn't wait. */
const pagesInGate: string[] = ["/admin", "/admin/books", "/admin/orders"];

for (const [path, heading] of pages)
  test(`axe finds nothing on ${path}, which fits the screen and has large enough targets`, {
    tag: pagesInGate.includes(path) ? "@gate" : [],
  }, async ({ page, admin, newMember }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    const showsOrders = /order|report|\/admin$/.test(path);
    const order = showsOrders ? await placeOrder(await newMember(), await addBook(admin.client), 1) : "";
    await openAdmin(page, path.replace(":order", order), heading);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await expectAccessibleAtWidths(page);
    await page.setViewportSize({ width: 1024, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1024);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await lowTargets(page)).toEqual([]);
  });

test.describe("axe finds nothing", () => {
  test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

  test("when a book is deleted", async ({ page, admin }) => {
    const book = await addBook(admin.client, { isbn: "AB-AXE-1", stock_quantity: 2 });
    const row = await openBook(page, book.title);
    await row.getByRole("button", { name: /^Delete/ }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await expectAccessibleAtWidths(page);
  });

  test("in a book's form, with its messages and a cover to crop", async ({ page, admin }) => {
    const book = await addBook(admin.client, { isbn: "AB-AXE-2", stock_quantity: 2 });
    const row = await openBook(page, book.title);
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
  });

  test("in a statement's columns, and in its lines of every kind", async ({ page, admin, member }) => {
    const book = await addBook(admin.client, { price: 61.37 });
    await placeOrder(member, book, 1);
    await placeOrder(member, book, 1);
    await openAdmin(page, "/admin/payments?view=statement", "Payments");
    const lines = ["order 999999999;1", ";61.37", "x;-3"].map((line) => `23/11/2026;;${line}`);
    await page
      .getByLabel("Lines of the statement")
      .fill(["Date;Transaction ID;Narration;Amount", ...lines].join("\n"));
    await page.getByRole("button", { name: "Read Lines" }).click();
    await expect(page.getByRole("list", { name: "Columns of the file" })).toBeVisible();
    await expectAccessibleAtWidths(page);
    await page.getByRole("button", { name: "Find Orders" }).click();
    await expect(page.getByText("orders have this amount due.")).toBeVisible();
    await page.getByRole("combobox", { name: "Order for line 3" }).selectOption("Another order…");
    await page.getByText("1 line is left out").click();
    await expectAccessibleAtWidths(page);
    await page.getByRole("button", { name: "No order 1" }).click();
    await expect(page.getByText("No order found.")).toBeVisible();
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await lowTargets(page)).toEqual([]);
  });

  test("in an order's details", async ({ page, admin, member }) => {
    const order = await placeOrder(member, await addBook(admin.client), 1);
    const orderRow = await openOrder(page, order);
    await orderRow.getByRole("button", { name: /View details/ }).click();
    await expect(page.getByRole("dialog").getByText("Status history")).toBeVisible();
    await expectAccessibleAtWidths(page);
  });

  test("when a review is deleted, and with the sidebar collapsed", async ({ page }) => {
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
