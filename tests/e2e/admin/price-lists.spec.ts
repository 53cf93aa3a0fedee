import type { Page } from "@playwright/test";
import { newIsbn, newTitle } from "#tests/support/factories.ts";
import { makeWorkbook } from "#tests/support/make-workbook.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { inWindows1252 } from "#tests/support/old-encodings.ts";
import { onixMessage, onixProduct } from "#tests/support/onix-message.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { zip } from "#tests/support/zip.ts";
import { openAdmin } from "./back-office.ts";

async function chooseFile(page: Page, name: string, buffer: Buffer) {
  await openAdmin(page, "/admin/books/import", "Import Books");
  await page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer });
}

const examples = (page: Page) => page.getByRole("list", { name: "Prices in the file and in the shop" });

test("a list in pounds asks for the rate, shows its first prices in cedis, and proposes the rate the next time @gate", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  await signIn(context, admin);
  const title = newTitle("Café");
  const [first, second] = [newIsbn().isbn13, newIsbn().isbn13];
  const list = (price: string) =>
    inWindows1252(
      [
        "ISBN13;Title;Imprint;Price (£)",
        `${first};${title} 1;Collins;${price}`,
        `${second};${title} 2;Collins;8.50`,
      ].join("\r\n"),
    );
  const supplier = newTitle("Supplier");

  await chooseFile(page, "pounds 2026.csv", list("12.99"));
  await expect(page.getByText("2 prices in British pounds. Say what they become in the shop.")).toBeVisible();
  await expect(page.getByLabel("Prices without a currency are in")).toHaveValue("GBP");
  await expect(page.getByLabel("Supplier or list")).toHaveValue("pounds");
  await page.getByRole("button", { name: "Check rows" }).click();
  await expect(page.getByLabel("£1 costs (GH₵)")).toBeFocused();
  await expect(page.getByText("Enter how many cedis it costs, such as 15.80")).toBeVisible();
  await page.getByLabel("£1 costs (GH₵)").fill("15.80");
  await page.getByLabel("Add in percent").fill("12");
  await page.getByLabel("Supplier or list").fill(supplier);
  await expect(examples(page).getByRole("listitem")).toHaveText([
    `${title} 1£12.99 →  becomes GH₵230.00`,
    `${title} 2£8.50 →  becomes GH₵150.50`,
  ]);
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: "Check rows" }).click();

  await expect(
    page.getByText("Prices that are not in cedis: £1 = GH₵15.80, 12 % added, rounded to GH₵0.50."),
  ).toBeVisible();
  const rows = page.getByRole("table", { name: "Rows of the file" });
  await expect(rows.getByRole("row").filter({ hasText: `${title} 1` })).toContainText(
    "GH₵230.00£12.99 in the file",
  );
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: "Import 2 books" }).click();
  const question = page.getByRole("alertdialog", { name: "Import these books?" });
  await expect(question).toContainText("The new books have no copies, so customers can't order them yet.");
  await question.getByRole("button", { name: "Import", exact: true }).click();
  await expectMessage(page, "Books imported");
  const { data } = await admin.client.from("books").select("price").eq("title", `${title} 1`).single();
  expect(data?.price).toBe(230);

  await openAdmin(page, "/admin/books/import", "Import Books");
  await page.getByRole("button", { name: `New Rate for ${supplier}` }).click();
  const dialog = page.getByRole("dialog", { name: `New rate for ${supplier}` });
  await expect(dialog.getByLabel("Add in percent")).toHaveValue("12");
  await dialog.getByLabel("£1 costs (GH₵)").fill("20");
  await expect(dialog.getByRole("list", { name: "Prices in the file and in the shop" })).toContainText(
    `${title} 1£12.99 →  becomes GH₵291.00`,
  );
  await expectAccessibleAtWidths(page);
  await dialog.getByRole("button", { name: "Show New Prices" }).click();
  await expect(
    page
      .getByRole("table", { name: "Rows of the file" })
      .getByRole("row")
      .filter({ hasText: `${title} 1` }),
  ).toContainText("GH₵291.00");

  await chooseFile(page, "pounds 2027.csv", list("13.49"));
  await page.getByLabel("Supplier or list").fill(supplier.toUpperCase());
  await expect(
    page.getByText(/^On \d+ \w+ \d{4} it was £1 = GH₵15.80, 12 % added, rounded to GH₵0.50\.$/),
  ).toBeVisible();
  await page.getByRole("button", { name: "Use these" }).click();
  await expect(page.getByLabel("£1 costs (GH₵)")).toHaveValue("15.8");
  await expect(page.getByLabel("Add in percent")).toHaveValue("12");
  await expect(examples(page)).toContainText("£13.49 →  becomes GH₵238.50");
  await page.getByLabel("Prices without a currency are in").selectOption("Ghana cedis");
  await expect(examples(page)).toHaveCount(0);
});

test("a list with headings, sums and notes says which lines are not books, asks about others, and fills the class @gate", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  await signIn(context, admin);
  const title = newTitle("Reader");
  const isbns = [newIsbn(), newIsbn(), newIsbn()].map(({ isbn13 }) => isbn13);
  const list = [
    "KANESHIE BOOKS,,,",
    "Title,ISBN,Publisher,Price",
    "LOWER PRIMARY,,,",
    `${title} 1,${isbns[0]},Collins,45.00`,
    `${title} 2,${isbns[1]},Collins,45.00`,
    "Sub-total,,,90.00",
    "JHS,,,",
    `${title} 3,${isbns[2]},Collins,12.50`,
    `${title} box,,,102.50`,
    "Bank: GCB 1010101010101,,,",
  ];
  await chooseFile(page, "kaneshie.csv", Buffer.from(list.join("\n")));
  await page.getByText("5 lines are left out").click();
  await expect(page.getByRole("list", { name: "Lines left out" }).getByRole("listitem")).toContainText([
    "KANESHIE BOOKSLine 1: This line is above the headings.",
    "LOWER PRIMARYLine 3: This is a heading, not a book.",
    "Sub-total · 90.00Line 6: This looks like a line of totals, not a book.",
    "JHSLine 7: This is a heading, not a book.",
    "Bank: GCB 1010101010101Line 10: This is a note, not a book.",
  ]);
  await expect(page.getByRole("list", { name: "Lines that may not belong in the shop" })).toContainText(
    `${title} box · 102.50Line 9: This may be a sum, not a book: its price is the sum of those above.`,
  );
  await expect(page.getByRole("button", { name: "Check rows" })).toBeDisabled();
  await page.getByLabel("What should happen to them?").selectOption("Choose line by line");
  await page.getByRole("checkbox", { name: `Import as a book ${title} box` }).check();
  await page.getByLabel("Headings above books").selectOption("Grade Level");
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: "Check rows" }).click();
  await expect(page.getByText("5 lines are left out: not books to sell.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Problems 0" })).toBeVisible();
  await page.getByRole("link", { name: "Show these lines" }).click();
  await expect(page.getByRole("link", { name: "Left out 5" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("table", { name: "Rows of the file" }).getByRole("row")).toContainText([
    "In the file",
    "KANESHIE BOOKS",
    "LOWER PRIMARY",
    "Sub-total · 90.00",
    "JHS",
    "Bank: GCB 1010101010101",
  ]);
  await expectAccessibleAtWidths(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download 5 lines left out" }).click();
  expect((await downloading).suggestedFilename()).toBe("kaneshie-left-out.csv");
  await page.getByRole("button", { name: "Import 4 books" }).click();
  await page
    .getByRole("alertdialog", { name: "Import these books?" })
    .getByRole("button", { name: "Import", exact: true })
    .click();
  await expectMessage(page, "Books imported");
  await expect(page.getByText("Not imported: 5 lines left out")).toBeVisible();
  const books = admin.client
    .from("books")
    .select("price, grade_level")
    .like("title", `${title}%`)
    .order("title");
  expect((await books).data).toEqual([
    { price: 45, grade_level: "Lower Primary" },
    { price: 45, grade_level: "Lower Primary" },
    { price: 12.5, grade_level: "JHS" },
    { price: 102.5, grade_level: "JHS" },
  ]);
});

test("a list with two columns for the price asks which one, for each rate in turn, and a workbook's hidden rows are left out until taken @gate", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  await signIn(context, admin);
  const title = newTitle("Map");
  const row = (cells: string[], hidden = "") =>
    `<row${hidden}>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join("")}</row>`;
  const rows =
    row(["Title", "ISBN", "Price", "Price"]) +
    row([`${title} 1`, newIsbn().isbn13, "US$4", "55"]) +
    row([`${title} 2`, newIsbn().isbn13, "41", "56"], ' hidden="1"') +
    row([`${title} 3`, newIsbn().isbn13, "£3", "57"]);
  await chooseFile(page, "maps.xlsx", await makeWorkbook({ List: rows }));
  await expect(page.getByRole("alert")).toHaveText(
    "Several columns may be “Price”: Price (column 3), Price (column 4). Choose one of them.",
  );
  await expect(page.getByRole("button", { name: "Check rows" })).toBeDisabled();
  await page.getByLabel("Price (column 3) is").selectOption("Price");
  for (const sign of ["US$", "£"]) {
    await page.getByRole("button", { name: "Check rows" }).click();
    await expect(page.getByLabel(`${sign}1 costs (GH₵)`)).toBeFocused();
    await page.getByLabel(`${sign}1 costs (GH₵)`).fill("15.80");
  }
  await page.getByLabel("Price (column 4) is").selectOption("Price");
  await expect(page.getByText("1 row is hidden in the workbook and left out.")).toBeVisible();
  await page.getByLabel("Also import hidden rows").check();
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: "Check rows" }).click();
  const plan = page.getByRole("table", { name: "Rows of the file" });
  await expect(plan.getByRole("row").filter({ hasText: `${title} 1` })).toContainText("GH₵55.00");
  await expect(plan.getByRole("row").filter({ hasText: `${title} 2` })).toContainText("GH₵56.00");
});

test("a publisher's ONIX message is read by its content, asks for the rate, and leaves out what is no title @gate", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  await signIn(context, admin);
  const title = newTitle("Onix");
  const product = (name: string, price: string) =>
    onixProduct({ isbn: newIsbn().isbn13, title: `${title} ${name}`, price, author: "Zo&euml; Mensah" });
  const message = onixMessage([
    product("1", "12.99"),
    product("2", "8.50"),
    product("Display", "90").replace("<ProductForm>BC", "<ProductForm>XB"),
  ]);
  await chooseFile(page, "message.xml", Buffer.from(message.slice(0, -200)));
  await expect(page.getByRole("alert")).toContainText("The file ends in the middle");
  await page.getByLabel("CSV file").setInputFiles({
    name: "message.txt",
    mimeType: "text/plain",
    buffer: Buffer.from(await zip({ "message.xml": message })),
  });
  await expect(page.getByText("has 3 rows")).toBeVisible();
  await expect(page.getByText("2 prices in British pounds.")).toBeVisible();
  await page.getByLabel("£1 costs (GH₵)").fill("15.80");
  await page.getByText("1 line is left out").click();
  await expect(page.getByRole("list", { name: "Lines left out" })).toContainText(
    "This is a display, a pack or promotional material for shops, not a title to sell.",
  );
  await page.getByRole("button", { name: "Check rows" }).click();
  const rows = page.getByRole("table", { name: "Rows of the file" });
  await expect(rows.getByRole("row").filter({ hasText: `${title} 1` })).toContainText("£12.99 in the file");
  await page.getByRole("button", { name: "Import 2 books" }).click();
  await page
    .getByRole("alertdialog", { name: "Import these books?" })
    .getByRole("button", { name: "Import", exact: true })
    .click();
  await expectMessage(page, "Books imported");
  const books = admin.client
    .from("books")
    .select("authors, publisher, price")
    .like("title", `${title}%`)
    .order("title");
  expect((await books).data).toEqual([
    { authors: "Zoë Mensah", publisher: "Collins", price: 205 },
    { authors: "Zoë Mensah", publisher: "Collins", price: 134.5 },
  ]);
});
