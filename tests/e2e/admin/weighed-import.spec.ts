import { addBook, newIsbn, newTitle } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test("a list with a price of ten times the old one and titles that slipped by a row shows how far it moves the shop, and is imported once that was looked at @gate", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  await signIn(context, admin);
  const series = newTitle("Series");
  const isbns = Array.from({ length: 8 }, () => newIsbn().isbn13);
  const title = (at: number) => `${series} volume ${at + 1}`;
  await Promise.all(
    isbns.map((isbn, at) =>
      addBook(admin.client, { title: title(at), isbn, price: 40 + at, stock_quantity: 10 + at }),
    ),
  );
  const rows = isbns.map((isbn, at) =>
    at === 7
      ? `${title(7)},${isbn},470,17`
      : `${at < 6 ? title(at + 1) : title(6)},${isbn},${42 + at},${at === 0 ? 500 : 10 + at}`,
  );
  await openAdmin(page, "/admin/books/import", "Import Books");
  await page.getByLabel("CSV file").setInputFiles({
    name: "slipped.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`title,isbn,price,stock\n${rows.join("\n")}`),
  });
  await page.getByLabel("Also replace the stock of existing books").check();
  await page.getByRole("button", { name: "Check rows" }).click();

  const prices = page.getByRole("region", { name: "Prices" });
  await expect(prices).toContainText("8 prices rise, 0 fall, 0 stay.");
  await expect(prices).toContainText("from GH₵348.00 to GH₵785.00 (+125.6 %)");
  await prices.getByText("Largest changes by ratio").first().click();
  const largest = prices.getByRole("table", { name: "Largest changes by ratio" }).getByRole("row");
  await expect(largest.nth(1)).toContainText("GH₵47.00 → GH₵470.0010 times");
  const stock = page.getByRole("region", { name: "Stock" });
  await stock.getByText("Largest changes of stock").first().click();
  await expect(stock.getByRole("table").getByRole("row").nth(1)).toContainText("10 → 500+490");

  const odd = page.getByRole("region", { name: "What looks odd" });
  await expect(odd.getByRole("listitem").filter({ hasText: "Look first" })).toContainText([
    "1 price becomes ten times the old one or more, or a tenth or less.",
    "6 books would get a title without a word of the old one, or the title of another book.",
  ]);
  await odd.getByText("6 examples: Another title").click();
  await expect(odd).toContainText(`${title(0)} → ${title(1)}`);
  await expectAccessibleAtWidths(page);
  await odd.getByRole("link", { name: "Show this row: Ten times or a tenth" }).click();
  await expect(page).toHaveURL(/odd=tenfold/);
  const shown = page.getByRole("table", { name: "Rows of the file" }).getByRole("row");
  await expect(shown).toHaveCount(2);
  await expect(shown.nth(1)).toContainText(title(7));
  await page.reload();
  await expect(shown).toHaveCount(2);

  await expect(page.getByRole("button", { name: "Import 8 books" })).toBeDisabled();
  await page.getByLabel("I have looked at what is marked “Look first”, and it is right").check();
  await page.getByRole("button", { name: "Import 8 books" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Import", exact: true }).click();
  await expectMessage(page, "Books imported");
});
