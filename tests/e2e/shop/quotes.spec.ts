import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { shop } from "#shared/owner/shop.ts";
import { formatCedis, pesewasFromCedis } from "#shared/text/money.ts";
import { addCodeTitle } from "#tests/support/digital-client.ts";
import { addBook, dataOf, fillCart, newTitle, stockOf } from "#tests/support/factories.ts";
import { printedHeaderOffset } from "#tests/support/layout.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { expect, expectAccessibleAtWidths, type Member, test } from "#tests/support/test.ts";
import { openAdmin, openOrder, otherBrowser } from "../admin/back-office.ts";
import { openCart, panel } from "./cart-steps.ts";

type Book = { id: string; title: string };

const accept = (page: Page) => page.getByRole("button", { name: "Accept and Order" });

async function fillInAcceptance(page: Page) {
  await page.getByLabel("Purchase order number").fill("LPO 2026/118");
  await page.getByLabel("Address", { exact: true }).fill("5 Castle Road");
  await page.getByLabel("City").fill("Cape Coast");
}

const contact = {
  _institution: "Castle Road School",
  _contact_name: "The bursar",
  _contact_email: "bursar@school.example",
  _contact_phone: "+233201234567",
};

/** A school's request of a quote for copies of a book, through the API. */
async function request({ client }: Member, book: Book, quantity: number): Promise<string> {
  await fillCart(client, book.id, quantity);
  return dataOf(client.rpc("request_quote", { _quote_id: randomUUID(), ...contact }));
}

/** Offers copies of a book at a price as staff; `version` is the one that was read. */
async function offer(
  { client }: Member,
  id: string,
  version: number,
  book: Book,
  quantity: number,
  price: number,
) {
  const lines = [{ book_id: book.id, quantity, unit_price: price }];
  await dataOf(client.rpc("update_quote", { _quote_id: id, _version: version, _lines: lines }));
  await dataOf(client.rpc("send_quote", { _quote_id: id, _version: version + 1 }));
}

const ordersOf = async ({ client, id }: Member) =>
  dataOf(client.from("orders").select("id, total_amount, status").eq("user_id", id));

test("a school requests a quote for its cart, staff change a price and send it, and it becomes one order", async ({
  page,
  context,
  browser,
  member,
  admin,
  signIn,
}) => {
  test.setTimeout(240_000);
  const maths = await addBook(admin.client, { price: 50, stock_quantity: 100 });
  const reading = await addBook(admin.client, { price: 20, stock_quantity: 100 });
  await fillCart(member.client, maths.id, 30);
  await fillCart(member.client, reading.id, 10);
  await signIn(context, member);
  await page.goto("/shop");
  await openCart(page);
  await panel(page).getByRole("link", { name: "Request a quote" }).click();
  await page.getByLabel("School or institution").fill("Castle Road School");
  await expect(page.getByLabel("Contact person")).toHaveValue("Reader of the test");
  await page.getByLabel("Region").selectOption("Volta");
  await page.getByRole("button", { name: "Request Quote" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Quote request" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Books you asked about" })).toContainText("30 copies");
  await expect(page.getByText("Deliver to the address, Volta")).toBeVisible();
  const quoteUrl = page.url();

  const office = await otherBrowser(browser, signIn, admin);
  await openAdmin(office, `/admin/quotes?q=Castle`, "Quotes");
  await office.getByRole("link", { name: "New request for Castle Road School" }).first().click();
  await office.getByLabel(`Unit price of ${maths.title}, in cedis`).fill("45");
  await office.getByLabel("Add a book").fill(maths.title);
  await expect(office.getByRole("list", { name: "Books found" })).toContainText("In the quote");
  const copies = office.getByLabel(`Quantity of ${maths.title}`);
  await copies.fill("130");
  await office.getByRole("button", { name: "Save and Send" }).click();
  const question = office.getByRole("alertdialog", { name: "Send it although 1 title is short?" });
  await expect(question).toContainText(`${maths.title}: Only 100 left`);
  await question.getByRole("button", { name: "Cancel" }).click();
  await copies.fill("30");
  await expect(office.getByLabel("Region")).toHaveValue("Volta");
  await office.getByLabel("Delivery fee").selectOption("An agreed amount");
  await office.getByRole("button", { name: "Save and Send" }).click();
  await expect(office.getByText("Enter the delivery fee, 0 or more.")).toBeVisible();
  await office.getByLabel("Agreed fee, in cedis").fill("45");
  await office.getByRole("button", { name: "Save and Send" }).click();
  await expect(office.getByText(/^Quote Q\d{4}-\d{4,} sent$/).first()).toBeVisible();

  await page.reload();
  await expect(page.getByRole("heading", { name: "Pro-forma invoice" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Books" })).toContainText("GH₵1,350.00");
  await expect(page.getByRole("article")).toContainText("Discount−GH₵150.00");
  await expect(page.getByRole("article")).toContainText("DeliveryDeliver to the address, VoltaGH₵45.00");
  await expect(page.getByRole("article")).toContainText("TotalGH₵1,595.00");
  const second = await context.newPage();
  await second.goto(quoteUrl);
  await fillInAcceptance(second);

  await expect(page.getByLabel("Purchase order number (optional)")).toBeVisible();
  await accept(page).click();
  await expectMessage(page, "Please fill in address");
  await fillInAcceptance(page);
  await page.getByRole("radio", { name: "Collect at the shop" }).check();
  await expect(page.getByText("so our usual delivery fee applies.")).toBeVisible();
  await expect(page.getByRole("form", { name: "Accept this quote" })).toContainText("TotalGH₵1,550.00");
  await page.getByRole("radio", { name: "Deliver to the address" }).check();
  await expect(page.getByRole("form", { name: "Accept this quote" })).toContainText("TotalGH₵1,595.00");
  await accept(page).click();
  await expect(page).toHaveURL(/\/order-confirmation\//);
  await expect(page.getByText("LPO 2026/118")).toBeVisible();
  await accept(second).click();
  await expect(second).toHaveURL(page.url());
  const [order, ...others] = await ordersOf(member);
  expect([order, others]).toEqual([expect.objectContaining({ total_amount: 1595, status: "pending" }), []]);
  expect(await stockOf(admin.client, maths.id)).toBe(70);

  const row = await openOrder(office, order?.id ?? "");
  await row.getByRole("button", { name: /^View details/ }).click();
  await expect(office.getByRole("dialog", { name: "Order Details" })).toContainText("LPO 2026/118");
  await office.context().close();
});

test("a changed quote cannot be accepted from an old page, nor any when its stock has run out", {
  tag: "@gate",
}, async ({ page, context, member, admin, signIn, consoleLines }) => {
  const book = await addBook(admin.client, { price: 50, stock_quantity: 20 });
  const id = await request(member, book, 10);
  await offer(admin, id, 1, book, 10, 40);
  await signIn(context, member);
  await page.goto(`/quotes/${id}`);
  await fillInAcceptance(page);
  await offer(admin, id, 3, book, 10, 42);
  consoleLines.expect(/^Failed to accept the quote/);
  await accept(page).click();
  await expectMessage(
    page,
    "Failed to accept the quote",
    "This quote has since been changed. Please check it again.",
  );
  await expect(page.getByRole("article")).toContainText("TotalGH₵420.00");
  expect(await ordersOf(member)).toEqual([]);

  await dataOf(admin.client.from("books").update({ stock_quantity: 3 }).eq("id", book.id).select());
  await accept(page).click();
  await expectMessage(page, "Failed to accept the quote", `Not enough in stock: ${book.title} (3 left).`);
  await expect(page.getByRole("table", { name: "Books" })).toContainText("Only 3 left");
  expect(await ordersOf(member)).toEqual([]);
});

test("the dates of My Quotes line up, whatever their status", async ({
  page,
  context,
  member,
  admin,
  signIn,
}) => {
  const book = await addBook(admin.client, { price: 50 });
  await offer(admin, await request(member, book, 1), 1, book, 1, 40);
  const declined = await request(member, book, 1);
  expect((await member.client.rpc("decline_quote", { _quote_id: declined })).error).toBeNull();
  await request(member, book, 1);
  await signIn(context, member);
  await page.goto("/quotes");
  const dates = page.getByRole("list", { name: "Quotes" }).getByText(/^\d+ \w+ \d{4}$/);
  await expect(dates).toHaveCount(3);
  const left = await dates.evaluateAll((all) => all.map((date) => date.getBoundingClientRect().left));
  expect(new Set(left).size).toBe(1);
});

test("a quote prints as a pro-forma invoice on A4, without buttons", async ({
  page,
  context,
  member,
  admin,
  signIn,
}) => {
  const book = await addBook(admin.client, { price: 50 });
  const id = await request(member, book, 10);
  await offer(admin, id, 1, book, 10, 40);
  await signIn(context, member);
  await page.goto(`/quotes/${id}`);
  await expect(page.getByRole("heading", { name: "Pro-forma invoice" })).toBeVisible();
  const pages = pdfPages(await page.pdf({ format: "A4" }));
  expect(pages).toHaveLength(1);
  for (const text of ["Castle Road School", "Valid until", "How to pay", book.title, "GH₵40.00", shop.name])
    expect(pages[0]).toContain(text);
  expect(await printedHeaderOffset(page)).toBe(0);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("textbox")).toHaveCount(0);
});

test("a quote of 30 titles prints on two pages with every line whole, and the total and how to pay on the last", async ({
  page,
  context,
  member,
  admin,
  signIn,
}) => {
  const words = newTitle("Reader");
  const rows = Array.from({ length: 30 }, (_, n) => ({ title: `${words} ${n + 1}.`, price: n + 1.25 }));
  const books = await dataOf(admin.client.from("books").insert(rows).select("id, title, price"));
  for (const { id } of books) await fillCart(member.client, id, 10);
  const id = await dataOf(member.client.rpc("request_quote", { _quote_id: randomUUID(), ...contact }));
  await dataOf(admin.client.rpc("send_quote", { _quote_id: id, _version: 1 }));
  await signIn(context, member);
  await page.goto(`/quotes/${id}`);
  await expect(page.getByRole("heading", { name: "Pro-forma invoice" })).toBeVisible();
  const pages = pdfPages(await page.pdf({ format: "A4" }));
  expect(pages).toHaveLength(2);
  for (const { title, price } of books) {
    const own = pages.filter((text) => text.includes(title));
    expect(own, title).toHaveLength(1);
    expect(own[0]?.slice(own[0].indexOf(title))).toContain(formatCedis(pesewasFromCedis(price * 10)));
  }
  for (const text of ["Total", "GH₵4,725.00", "How to pay"]) expect(pages[1]).toContain(text);
});

test("the pages of quotes have no accessibility violation and do not scroll sideways", async ({
  page,
  context,
  browser,
  member,
  admin,
  signIn,
}) => {
  test.setTimeout(180_000);
  const book = await addBook(admin.client, { price: 50 });
  const [sent, requested] = [await request(member, book, 10), await request(member, book, 1)];
  await offer(admin, sent, 1, book, 10, 40);
  await signIn(context, member);
  const office = await otherBrowser(browser, signIn, admin);
  const look = async (at: Page, path: string, ready: string) => {
    await at.goto(path);
    await expect(at.getByText(ready).first()).toBeVisible();
    await expectAccessibleAtWidths(at);
  };
  await look(page, "/quotes", "In preparation");
  await look(page, "/quotes/new", "Who is it for?");
  await look(page, `/quotes/${sent}`, "Pro-forma invoice");
  await look(page, `/quotes/${requested}`, "Books you asked about");
  await look(office, "/admin/quotes", "Castle Road School");
  await look(office, `/admin/quotes/${sent}`, book.title);
  await office.context().close();
});

test("a quote of digital titles alone is accepted without an address", async ({
  page,
  context,
  member,
  admin,
  signIn,
}) => {
  const title = await addCodeTitle(admin.client, [`${randomUUID()}`, `${randomUUID()}`], { price: 40 });
  const id = await request(member, title, 2);
  await offer(admin, id, 1, title, 2, 35);
  await signIn(context, member);
  await page.goto(`/quotes/${id}`);
  await expect(page.getByText("Nothing has to be delivered")).toBeVisible();
  await expect(page.getByLabel("Address", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("radio")).toHaveCount(0);
  await expectAccessibleAtWidths(page, [360, 1280]);
  await accept(page).click();
  await expect(page).toHaveURL(/\/order-confirmation\//);
  const placed = await dataOf(
    member.client
      .from("orders")
      .select("delivery_method, shipping_address, total_amount")
      .eq("user_id", member.id),
  );
  expect(placed).toEqual([{ delivery_method: "download", shipping_address: null, total_amount: 70 }]);
});
