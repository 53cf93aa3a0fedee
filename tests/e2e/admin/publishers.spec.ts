import sharp from "sharp";
import { addBook } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test.afterEach(async ({ admin }) => {
  const { error } = await admin.client.from("publishers").delete().like("slug", "adom%");
  expect(error).toBeNull();
});

test("staff add a publisher with a logo, customers find it in menus, and renaming it takes its books along", async ({
  page,
  context,
  browser,
  baseURL,
  admin,
  signIn,
}) => {
  await signIn(context, admin);
  const book = await addBook(admin.client, { publisher: "Adom Books", stock_quantity: 5 });
  await addBook(admin.client, { publisher: "ADOM-BOOKS" });
  await openAdmin(page, "/admin/publishers", "Publishers");
  await page.getByRole("button", { name: "Add Publisher" }).click();
  const dialog = page.getByRole("dialog", { name: "Add publisher" });
  await dialog.getByRole("button", { name: "Add Publisher" }).click();
  await expect(dialog.getByText("Name is required")).toBeVisible();
  await dialog.getByLabel("Name").fill("Adom Books");
  await expect(dialog.getByLabel("Address")).toHaveValue("adom-books");
  const buffer = await sharp({ create: { width: 900, height: 300, channels: 3, background: "#205080" } })
    .png()
    .toBuffer();
  await dialog
    .getByLabel("Logo (optional)")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  await expect(dialog.getByRole("img", { name: "Adom Books" })).toBeVisible();
  await dialog.getByLabel("Known for (optional)").fill("Readers\nMaths");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add Publisher" }).click();
  await expectMessage(page, "Adom Books added");

  const visitor = await (await browser.newContext({ baseURL })).newPage();
  await expect(async () => {
    await visitor.goto("/products");
    await expect(visitor.getByRole("main").getByRole("img", { name: "Adom Books" })).toBeVisible({
      timeout: 500,
    });
  }).toPass();
  await visitor.getByRole("button", { name: "Products & Services" }).click();
  await visitor.getByRole("menuitem", { name: "Adom Books" }).click();
  await expect(visitor.getByRole("heading", { level: 1, name: "Adom Books" })).toBeVisible();
  await expect(visitor.getByRole("article").filter({ hasText: book.title })).toBeVisible();

  await page.getByRole("button", { name: "Edit Adom Books" }).click();
  const edit = page.getByRole("dialog", { name: "Edit publisher" });
  await edit.getByLabel("Name").fill("Adom Press");
  await expect(edit.getByText("Saving also renames its 1 book.")).toBeVisible();
  await edit.getByRole("button", { name: "Save" }).click();
  await expectMessage(page, "Adom Press saved");
  const merge = page.getByRole("dialog", { name: "Merge spellings into Adom Press" });
  await expect(merge.getByText("Looks like this publisher")).toBeVisible();
  await merge.getByRole("checkbox", { name: "ADOM-BOOKS" }).check();
  await merge.getByRole("button", { name: "Check" }).click();
  await merge.getByRole("button", { name: "Rename 1 book" }).dblclick();
  await expectMessage(page, "1 book renamed to Adom Press");
  await expect(page.getByText("0 books renamed to Adom Press")).toHaveCount(0);

  await visitor.setViewportSize({ width: 360, height: 740 });
  await expect(async () => {
    await visitor.goto("/products/adom-books");
    await expect(visitor.getByRole("heading", { level: 1, name: "Adom Press" })).toBeVisible({
      timeout: 500,
    });
    // For up to a second, a page that is rendered anew reads its own publisher and still has the menu of before.
    await expect(visitor.locator("#mobile-menu")).toContainText("Adom Press", { timeout: 500 });
  }).toPass();
  await expect(visitor.getByRole("article").filter({ hasText: book.title })).toBeVisible();
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await visitor.getByRole("button", { name: "Menu", exact: true }).click();
  const menu = visitor.getByRole("navigation", { name: "Mobile" });
  await menu.getByText("Products & Services").click();
  await expect(menu.getByRole("link", { name: "Adom Press" })).toBeVisible();
  await visitor.context().close();
});
