import { randomUUID } from "node:crypto";
import { addBook, dataOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin, setSchoolTerms } from "./back-office.ts";

test("staff enter a class's pupils, see why a term needs its books, change the copies, and get a draft for each supplier", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  await signIn(context, admin);
  const key = randomUUID().slice(0, 8);
  const publisher = `Publisher ${key}`;
  const [maths, english] = [
    await addBook(admin.client, { title: `Maths ${key}`, publisher, stock_quantity: 30 }),
    await addBook(admin.client, { title: `English ${key}`, publisher, stock_quantity: 0 }),
  ];
  const [supplierId, supplierName] = [randomUUID(), `Sedco ${key}`];
  await dataOf(admin.client.rpc("save_supplier", { _id: supplierId, _name: supplierName }));
  const { from, to } = (await setSchoolTerms(admin)).coming;
  const startYear = Number(from.slice(0, 4)) - (Number(from.slice(5, 7)) < 8 ? 1 : 0);
  const lines = [{ book_id: maths.id }, { book_id: english.id, copies: 2 }];
  const list = await dataOf(
    admin.client.rpc("save_booklist", {
      _school: `Asante Primary ${key}`,
      _class_name: "P4",
      _school_year: `${startYear}/${startYear + 1}`,
      _lines: lines,
    }),
  );
  await dataOf(
    admin.client.rpc("set_booklist_status", {
      _id: list.id,
      _updated_at: list.updated_at,
      _status: "published",
    }),
  );

  const needs = `/admin/purchases?view=needs&term=${from}_${to}&publisher=${encodeURIComponent(publisher)}`;
  await openAdmin(page, needs, "What a term needs");
  const unsupplied = page.getByRole("region", { name: "Without a supplier" });
  await expect(unsupplied).toContainText(`Pupils unknown: P4 at Asante Primary ${key}`);
  await expect(unsupplied).toContainText("Needed 0; 30 in stock → order 0");

  await page.goto(`/admin/booklists/${list.id}`);
  await page.getByLabel("Expected pupils (optional)").fill("12O");
  await page.getByRole("button", { name: /^Save/ }).first().click();
  await expect(page.getByText("Enter a number from 1 to 9,999, or leave it empty.")).toBeVisible();
  await page.getByLabel("Expected pupils (optional)").fill("120");
  await page.getByRole("button", { name: /^Save/ }).first().click();
  await expectMessage(page, "Booklist saved");

  await openAdmin(page, needs, "What a term needs");
  const sum = `Needed 120 = 120 pupils of P4 at Asante Primary ${key}; 30 in stock → order 90`;
  await expect(unsupplied).toContainText(sum);
  await expect(unsupplied).toContainText(`Needed 240 = 2 copies for each of 120 pupils of P4`);
  const copies = page.getByLabel(`Copies of ${maths.title}`);
  await expect(copies).toHaveValue("90");
  await page.getByRole("button", { name: "Make Draft" }).click();
  await expect(page.getByRole("alert")).toHaveText("There is nothing to order from a supplier.");
  await page.getByLabel("Order these from").selectOption(supplierId);
  await copies.fill("many");
  await page.getByRole("button", { name: "Make Draft" }).click();
  await expect(copies).toHaveAttribute("aria-invalid", "true");
  await copies.fill("100");
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: "Make Draft" }).dblclick();
  const made = page.getByRole("link", { name: `Draft to ${supplierName}` });
  await expect(made).toBeVisible();
  await expect(page.getByLabel(`Copies of ${maths.title}`)).toBeHidden();
  const { data: drafts } = await admin.client
    .from("purchase_orders")
    .select("status")
    .eq("supplier_id", supplierId);
  expect(drafts).toEqual([{ status: "draft" }]);

  // The address follows the click: `check` would expect the change at once.
  const covered = page.getByLabel("Include titles with enough copies");
  await covered.click();
  await expect(covered).toBeChecked();
  await expect(page.getByRole("region", { name: supplierName })).toContainText(
    "30 in stock, 100 in drafts → order 0",
  );
  await made.click();
  await expect(page.getByLabel(`Copies of ${maths.title}`)).toHaveValue("100");
  await expect(page.getByLabel(`Copies of ${english.title}`)).toHaveValue("240");
});
