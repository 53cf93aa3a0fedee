import { readFile } from "node:fs/promises";
import { addBook, placeOrder } from "#tests/support/factories.ts";
import { expect, test } from "#tests/support/test.ts";
import { openAdmin, setSchoolTerms, shortId } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("a publisher's sales today change with an order and its cancellation, and can be exported", async ({
  page,
  admin,
  member,
}) => {
  const publisher = `House ${crypto.randomUUID().slice(0, 8)}`;
  // More than other tests sell, so that it is among the first.
  const book = await addBook(admin.client, { price: 8_050_000, stock_quantity: 50, publisher });
  const order = await placeOrder(member, book, 3);
  await placeOrder(member, book, 2);

  await openAdmin(page, "/admin/reports?period=today", "Reports");
  const line = page.getByRole("table", { name: "Sales by publisher" }).getByRole("row", { name: publisher });
  await expect(line).toContainText("5");
  await expect(line).toContainText("GH₵40,250,000.00");
  await line.getByRole("link", { name: publisher }).click();
  await expect(page.getByText(`Only ${publisher}`)).toBeVisible();
  await expect(page.getByText("GH₵40,250,000.00", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("GH₵0.00 on the same days last year")).toBeVisible();

  await admin.client.from("orders").update({ status: "cancelled" }).eq("id", order).throwOnError();
  await page.reload();
  await expect(line).toContainText("GH₵16,100,000.00");

  const download = page.waitForEvent("download");
  await page
    .getByRole("region", { name: "By publisher" })
    .getByRole("button", { name: "Download CSV" })
    .click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file.replace(/^\uFEFF/, "").split(/\r?\n/)[0]).toBe("Publisher,Copies,Sales");
  expect(file).toContain(`${publisher},2,16100000.00`);
});

test("the margin of a title follows from what its receipt cost, on the stock card and in the report", {
  tag: "@gate",
}, async ({ page, admin, member }) => {
  const book = await addBook(admin.client, {
    price: 20,
    stock_quantity: 0,
    publisher: `House ${crypto.randomUUID()}`,
  });
  const lines = [{ book_id: book.id, copies: 10, damaged: 0, cost: 8 }];
  const receipt = { _id: crypto.randomUUID(), _lines: lines, _rate: 1 };
  await admin.client.rpc("book_receipt", receipt).throwOnError();
  await placeOrder(member, book, 3);

  await openAdmin(page, `/admin/stock?book=${book.id}`, "Stock card");
  await expect(page.getByText("A copy costs GH₵8.00 on average: a margin of GH₵12.00, 60 %.")).toBeVisible();
  await openAdmin(page, "/admin/reports?report=margin&period=today", "Reports");
  const row = page
    .getByRole("table", { name: "Margin by publisher" })
    .getByRole("row", { name: book.publisher ?? "" });
  await expect(row.getByRole("cell")).toHaveText(["3", "3", "GH₵60.00", "GH₵24.00", "GH₵36.00", "60 %"]);
  await page.getByRole("combobox", { name: "Break down by" }).selectOption("Title");
  await expect(
    page.getByRole("table", { name: "Margin by title" }).getByRole("row", { name: book.title }),
  ).toContainText("GH₵36.00");
  await expect(page.getByText(/^In stock today: .* that cost GH₵/)).toBeVisible();
});

test("the URL holds the report, its period and its columns, and a school term can be chosen", async ({
  page,
  admin,
}) => {
  const { past } = await setSchoolTerms(admin);
  await openAdmin(page, "/admin/reports", "Reports");
  await page.getByRole("combobox", { name: "Period" }).selectOption(past.name);
  await expect(page).toHaveURL(/period=2026-09-15_2026-12-17/);
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("2026-09-15");
  await page.getByRole("combobox", { name: "Columns" }).selectOption("By school term");
  await page.getByText("Show as a table").first().click();
  await expect(page.getByRole("table", { name: "Sales over time" }).getByRole("row")).toContainText([
    "Term",
    past.name,
  ]);
  await page.getByRole("combobox", { name: "Columns" }).selectOption("By month");
  await page.getByRole("combobox", { name: "Break down by" }).selectOption("Region");
  await expect(page.getByRole("heading", { name: "By region" })).toBeVisible();
  await page.getByLabel("To", { exact: true }).fill("2026-10-31");
  await page.getByLabel("To", { exact: true }).press("Enter");
  await expect(page).toHaveURL(/period=2026-09-15_2026-10-31/);
  await page.goBack();
  await expect(page).toHaveURL(/period=2026-09-15_2026-12-17/);
  for (const [name, heading] of [
    ["Takings", "By method"],
    ["Owed", "Owed for orders"],
    ["Not sold", "In stock and not sold"],
    ["Wanted", "Waited for and wished for"],
    ["Demand", "Searches that found little"],
  ] as const) {
    await page.getByRole("navigation", { name: "Reports" }).getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
  }
});

test("a customer who owes money links to their unpaid orders", async ({ page, admin, member }) => {
  const name = `Ama & Sons ${crypto.randomUUID().slice(0, 8)}`;
  await member.client.from("profiles").update({ full_name: name }).eq("id", member.id).throwOnError();
  const book = await addBook(admin.client, { price: 80.5 });
  const [due, paid] = [await placeOrder(member, book, 2), await placeOrder(member, book, 1)];
  await admin.client
    .rpc("record_payment", {
      _payment_id: crypto.randomUUID(),
      _order_id: paid,
      _kind: "payment",
      _method: "cash",
      _amount: 80.5,
      _paid_on: new Date().toISOString().slice(0, 10),
    })
    .throwOnError();
  await openAdmin(page, "/admin/reports?report=owed", "Reports");
  await expect(page.getByRole("row", { name })).toContainText("GH₵161.00");
  await page.getByRole("link", { name }).click();
  await expect(page.getByLabel("Filter by payment")).toHaveValue("due");
  const rows = page.getByRole("table", { name: "Orders" }).getByRole("row").filter({ hasText: "…" });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(shortId(due));
});
