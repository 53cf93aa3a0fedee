import type { Page } from "@playwright/test";
import { newIsbn, newTitle } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { inWindows1252 } from "#tests/support/old-encodings.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
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
  await page
    .getByRole("alertdialog", { name: "Import these books?" })
    .getByRole("button", { name: "Import", exact: true })
    .click();
  await expectMessage(page, "Books imported");
  const { data } = await admin.client.from("books").select("price").eq("title", `${title} 1`).single();
  expect(data?.price).toBe(230);

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
