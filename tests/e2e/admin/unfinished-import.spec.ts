import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, type Member, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

const titles = ["First", "Second", "Third"];

/** Applies the first of three rows, as a command that is interrupted leaves an import. @returns the books' codes */
async function interruptImport(admin: Member, fileName: string) {
  const codes = titles.map((title) => `${fileName}-${title}-${Date.now().toString(36)}`);
  const { data: id, error } = await admin.client.rpc("create_book_import", {
    _file_name: fileName,
    _default_price: 5,
    _default_stock: 2,
  });
  if (error) throw error;
  const rows = titles.map((title, at) => ({ line: at + 2, title, isbn: codes[at] }));
  const staged = await admin.client.rpc("stage_book_import_rows", { _import_id: id, _rows: rows });
  if (staged.error) throw staged.error;
  const applied = await admin.client.rpc("apply_book_import", { _import_id: id, _rows: 1 });
  if (applied.error) throw applied.error;
  return codes;
}

async function titlesOf(admin: Member, codes: string[]) {
  const { data, error } = await admin.client.from("books").select("title").in("isbn", codes).order("title");
  if (error) throw error;
  return data.map(({ title }) => title);
}

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("an import that was interrupted is shown and continued", async ({ page, admin }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const codes = await interruptImport(admin, "large.csv");
  await openAdmin(page, "/admin/books/import", "Import Books");
  await expect(page.getByText("large.csv: 1 of 3 rows applied")).toBeVisible();
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: "Continue this import" }).click();
  await expectMessage(page, "Books imported");
  expect(await titlesOf(admin, codes)).toEqual(titles);
  await expect(page.getByRole("button", { name: "Continue this import" })).toHaveCount(0);
});

test("an import that was interrupted is undone, and then another one can begin", async ({ page, admin }) => {
  const codes = await interruptImport(admin, "wrong.csv");
  await openAdmin(page, "/admin/books/import", "Import Books");
  await expect(page.getByText("wrong.csv: 1 of 3 rows applied")).toBeVisible();
  await page.getByRole("button", { name: "Undo this import" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo", exact: true }).click();
  await expectMessage(page, "Import undone");
  expect(await titlesOf(admin, codes)).toEqual([]);
  const next = await interruptImport(admin, "right.csv");
  expect(await titlesOf(admin, next)).toEqual(["First"]);
  await page.reload();
  await page.getByRole("button", { name: "Continue this import" }).click();
  await expectMessage(page, "Books imported");
});
