import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { officePages } from "#app/office/frame/office-pages.ts";
import { demoWordsIn } from "#tests/support/demo-words.ts";
import { pdfOf } from "#tests/support/digital-client.ts";
import { inEmptyShop } from "#tests/support/empty-shop.ts";
import { dataOf, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { findMail, listMails } from "#tests/support/outbox.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { memberPages, shopPages } from "#tests/support/shop-pages.ts";
import { expect } from "#tests/support/test.ts";
import { addPublisher, openAdmin, otherBrowser } from "./back-office.ts";

const test = inEmptyShop();

/** '2026-12-05T09:00', this many days from now, as a field for a time takes it. */
const inDays = (days: number, time: string) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`;

/** The page and what it has loaded. */
async function expectNoDemo(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 }).first(), path).toBeVisible();
  await expect(page.locator(".animate-pulse"), path).toHaveCount(0);
  expect(demoWordsIn(await page.content()), path).toEqual([]);
}

async function setUp(page: Page): Promise<void> {
  await openAdmin(page, "/admin/settings?group=shop", "Settings");
  await page.getByLabel("Name", { exact: true }).fill("Kente Books");
  await page.getByRole("button", { name: "Save" }).click();
  await expectMessage(page, "Settings saved");
  await openAdmin(page, "/admin/settings?group=contact", "Settings");
  await page.getByLabel("Email", { exact: true }).fill("hello@kente.example");
  await page.getByRole("button", { name: "Save" }).click();
  await expectMessage(page, "Settings saved");
  await addPublisher(page, "Adom Press");
}

async function addTitle(page: Page, title: string, kind: "Book" | "Digital"): Promise<void> {
  await openAdmin(page, "/admin/books", "Book Management");
  await page.getByRole("button", { name: "Add Book" }).click();
  const form = page.getByRole("dialog", { name: "Add New Book" });
  await form.getByRole("radio", { name: kind, exact: true }).check();
  await form.getByLabel("Title").fill(title);
  await form.getByLabel("Publisher").fill("Adom Press");
  await form.getByLabel("Price (GH₵)").fill("30");
  if (kind === "Book") {
    await form.getByLabel("Stock Quantity").fill("40");
    await form.getByRole("button", { name: "Use an internal code" }).click();
  }
  await form.getByRole("button", { name: "Add Book" }).click();
  await expectMessage(page, "Book added successfully");
}

async function addEvent(page: Page, title: string): Promise<string> {
  await openAdmin(page, "/admin/events", "Events");
  await page.getByRole("button", { name: "Add event" }).click();
  const dialog = page.getByRole("dialog", { name: "Add event" });
  await dialog.getByLabel("Title").fill(title);
  await dialog.getByLabel("Starts").fill(inDays(8, "09:00"));
  await dialog.getByLabel("Ends").fill(inDays(8, "12:30"));
  await dialog.getByLabel("Place", { exact: true }).fill("Osu");
  await dialog.getByLabel("Number of places").fill("9");
  await dialog.getByRole("button", { name: "Add event" }).click();
  await expectMessage(page, `${title} added`);
  await page.getByRole("link", { name: title }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
  await expectMessage(page, "Event published");
  return (await page.getByRole("link", { name: /^\/events\// }).textContent()) ?? "";
}

/** @returns the address of the purchase order */
async function buyFrom(page: Page, supplier: string, title: string): Promise<string> {
  await openAdmin(page, "/admin/suppliers", "Suppliers");
  await page.getByRole("button", { name: "Add supplier" }).click();
  const dialog = page.getByRole("dialog", { name: "Add supplier" });
  await dialog.getByLabel("Name").fill(supplier);
  await dialog.getByLabel(/^Email address/).fill("orders@supplier.example");
  await dialog.getByRole("button", { name: "Add supplier" }).click();
  await expectMessage(page, `${supplier} added`);
  await openAdmin(page, "/admin/purchases", "Purchases");
  await page.getByRole("button", { name: "New purchase order" }).click();
  const begin = page.getByRole("dialog", { name: "New purchase order" });
  const option = begin.getByRole("option", { name: supplier });
  await begin.getByLabel("Supplier").selectOption(await option.getAttribute("value"));
  await begin.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Purchase order", exact: true })).toBeVisible();
  await page.getByLabel("Add a book").fill(title);
  await page.getByRole("button", { name: `Add ${title}`, exact: true }).click();
  await expect(page.getByLabel(`Copies of ${title}`)).toHaveValue("1");
  await page.getByLabel(`List price of ${title}`).fill("20");
  await page.getByRole("button", { name: "Save and Mark as Sent" }).click();
  await page.getByRole("button", { name: "Email the supplier" }).click();
  await expect(page.getByRole("list", { name: "Emails to the supplier" })).toContainText("Sent", {
    timeout: 30_000,
  });
  return new URL(page.url()).pathname;
}

/** The words of every email: subject, text, HTML, and of attached PDF files. */
async function wordsOfEmails(dataDir: string): Promise<string[]> {
  const mails = await listMails(dataDir);
  const sources = await Promise.all(
    (await readdir(join(dataDir, "outbox"))).map((name) => readFile(join(dataDir, "outbox", name), "utf8")),
  );
  const papers = sources.flatMap((source) =>
    [...source.matchAll(/application\/pdf[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/g)].map(([, content = ""]) =>
      pdfPages(Buffer.from(content, "base64")).join("\n"),
    ),
  );
  expect(papers.length, "purchase orders on paper").toBeGreaterThan(0);
  return [...mails.map(({ to, subject, text }) => `${to} ${subject} ${text}`), ...papers];
}

test("a shop that was opened without the demo and filled by clicks has no word of the demo on any page or paper, or in any email", async ({
  page,
  context,
  browser,
  shop,
  admin,
  signIn,
  newMember,
}) => {
  test.slow();
  await signIn(context, admin);
  await setUp(page);
  const [title, event] = [`Reader ${randomUUID().slice(0, 8)}`, `Phonics ${randomUUID().slice(0, 8)}`];
  await addTitle(page, title, "Book");
  await addTitle(page, `${title} online`, "Digital");
  await page
    .getByLabel("Add a file")
    .setInputFiles({ name: "Reader.pdf", mimeType: "application/pdf", buffer: pdfOf(2_000) });
  await expectMessage(page, "Reader.pdf added");
  const digitalPath = page.url().slice(shop.url.length);
  const eventPath = await addEvent(page, event);
  const purchasePath = await buyFrom(page, "Longhorn", title);

  const visitor = await (await browser.newContext()).newPage();
  const visit = async (path: string) => {
    await visitor.goto(shop.url + path);
    await visitor.locator("html[data-alive]").waitFor({ state: "attached" });
  };
  await visit(eventPath);
  await visitor.getByLabel("Full name").fill("Ama Mensah");
  await visitor.getByLabel("Email").fill("ama@school.example");
  await visitor.getByRole("button", { name: "Register", exact: true }).click();
  await expect(visitor.getByText("You have a place.")).toBeVisible();
  await visit("/guidance");
  const form = visitor.getByRole("form", { name: "Ask for a consultation" });
  // Its code comes after the page's own: its message shows that it has.
  await expect(async () => {
    await form.getByRole("button", { name: "Send Request" }).click();
    await expect(form.getByText("Please tell us what it is about")).toBeVisible({ timeout: 500 });
  }).toPass();
  await form.getByLabel("Full name").fill("Kofi Boateng");
  await form.getByLabel("Email").fill("kofi@school.example");
  await form.getByLabel("What it is about").fill("Which books for three classes?");
  await form.getByRole("button", { name: "Send Request" }).click();
  await expect(visitor.getByText("We've received your request.")).toBeVisible();

  const customer = await newMember();
  const books = await dataOf(admin.client.from("books").select("id, price, title").order("title"));
  const orders: string[] = [];
  for (const book of books) orders.push(await placeOrder(customer, book));
  await findMail(shop.dataDir, customer.email, 2);
  await findMail(shop.dataDir, "ama@school.example");
  await findMail(shop.dataDir, "kofi@school.example");
  const consultation = await dataOf(admin.client.from("consultations").select("id").single());

  const ours = shopPages.filter((path) => !path.startsWith("/products/"));
  for (const path of [...ours, "/products/adom-press", eventPath, `/books/${books[0]?.id}`])
    await expectNoDemo(visitor, shop.url + path);
  const member = await otherBrowser(browser, signIn, customer);
  const own = [...memberPages, "/wishlist"].filter((path) => path !== "/order-confirmation");
  for (const path of [...own, ...orders.flatMap((id) => [`/order-confirmation/${id}`])])
    await expectNoDemo(member, shop.url + path);
  const listed = officePages.filter(({ entry }) => entry).map(({ to }) => to);
  const papers = ["invoice", "delivery-note", "packing-list"].map(
    (kind) => `/admin/orders/${orders[0]}/${kind}`,
  );
  for (const path of [
    ...listed,
    ...papers,
    digitalPath,
    purchasePath,
    `${purchasePath}/print`,
    `/admin/consultations/${consultation.id}`,
  ])
    await expectNoDemo(page, path);

  const mails = await wordsOfEmails(shop.dataDir);
  expect(mails.length).toBeGreaterThan(8);
  for (const words of mails) expect(demoWordsIn(words), words).toEqual([]);
});
