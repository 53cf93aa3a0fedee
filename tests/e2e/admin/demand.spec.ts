import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { addBook, dataOf } from "#tests/support/factories.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

/** A title that the shop doesn't have, without digits, which could look like a phone number and not be counted. */
const newText = () => `Ananse ${randomUUID().replace(/[^a-z]/g, "")} tales`;

/** Pages of this many visitors, each on a different network. */
async function visitors(browser: Browser, baseURL: string | undefined, count: number): Promise<Page[]> {
  const network = randomUUID().slice(0, 4);
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const extraHTTPHeaders = { "X-Forwarded-For": `2001:db8:${network}:${n}::1` };
      const context = await browser.newContext({ baseURL, extraHTTPHeaders, serviceWorkers: "block" });
      return context.newPage();
    }),
  );
}

/** Opens a page and waits until it responds to clicks. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator("html[data-alive]").waitFor({ state: "attached" });
}

async function search(page: Page, text: string): Promise<void> {
  await open(page, "/shop");
  const box = page.getByRole("searchbox", { name: "Search the catalogue" });
  await box.pressSequentially(text);
  await box.press("Enter");
  await expect(page).toHaveURL(new RegExp(`q=${text.split(" ")[0]}`));
  await expect(page.getByText("No books found matching your search criteria.")).toBeVisible();
}

async function pasteLine(page: Page, text: string): Promise<void> {
  await open(page, "/bulk-order");
  await page.getByLabel("Your list").fill(`${text}\t12`);
  await page.getByRole("button", { name: /^Check/ }).click();
  await expect(page.getByText("We don't have a book with this ISBN or title.")).toBeVisible();
}

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("the report shows what three visitors searched for and two schools couldn't order, and no half-typed searches", async ({
  browser,
  baseURL,
  page,
}) => {
  const [searched, rare, ordered] = [newText(), newText(), newText()];
  const [first, second, third] = (await visitors(browser, baseURL, 3)) as [Page, Page, Page];
  for (const visitor of [first, second, third]) await search(visitor, searched);
  for (const visitor of [first, first, second]) await search(visitor, rare);
  for (const visitor of [second, third]) await pasteLine(visitor, ordered);
  await pasteLine(first, rare);

  const searches = page.getByRole("table", { name: "Searches that found little", exact: true });
  const lines = page.getByRole("table", { name: "Lines of bulk orders without a book" });
  // Each process writes what it has gathered every ten seconds.
  await expect(async () => {
    await openAdmin(page, "/admin/reports?report=demand&period=today", "Reports");
    await expect(searches.getByRole("row", { name: searched.toLowerCase() })).toContainText("3", {
      timeout: 1_000,
    });
    await expect(lines.getByRole("row", { name: ordered.toLowerCase() })).toContainText("2", {
      timeout: 1_000,
    });
  }).toPass({ timeout: 40_000 });
  await expect(page.getByText(rare.toLowerCase())).toHaveCount(0);
  await expect(page.getByText(searched.toLowerCase().slice(0, -2), { exact: true })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Searches over time" })).toBeVisible();
  await expectAccessibleAtWidths(page);

  const download = page.waitForEvent("download");
  await page
    .getByRole("region", { name: "Searches that found little", exact: true })
    .getByRole("button", { name: "Download CSV" })
    .click();
  const file = (await readFile(await (await download).path(), "utf8")).replace(/^\uFEFF/, "");
  expect(file.split(/\r?\n/)[0]).toBe("Looked for,Last,Found,Visitors");
  expect(file).toMatch(new RegExp(`^${searched.toLowerCase()},[\\d-]+,0,3\\r?$`, "m"));

  await searches.getByRole("link", { name: searched.toLowerCase() }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Book Management" })).toBeVisible();
  await expect(page.getByRole("searchbox").first()).toHaveValue(searched.toLowerCase());
});

test("booklist titles without a book and books on wishlists are in the report of their period", async ({
  page,
  admin,
  member,
}) => {
  const [title, school] = [newText(), newText()];
  const book = await addBook(admin.client, { title: newText(), stock_quantity: 7 });
  const list = await dataOf(
    admin.client.rpc("save_booklist", {
      _school: school,
      _class_name: "Class 4",
      _school_year: "2026/2027",
      _lines: [{ title }],
    }),
  );
  await member.client.from("wishlists").insert({ user_id: member.id, book_id: book.id }).throwOnError();

  await openAdmin(page, "/admin/reports?report=demand&period=today", "Reports");
  const listed = page
    .getByRole("table", { name: "Booklist titles without a book" })
    .getByRole("row", { name: title });
  await expect(listed).toContainText("1");
  await expect(listed.getByRole("link", { name: `${school}, Class 4, 2026/2027` })).toHaveAttribute(
    "href",
    `/admin/booklists/${list.id}`,
  );
  const wished = page
    .getByRole("table", { name: "Books on wishlists" })
    .getByRole("row", { name: book.title });
  await expect(wished.getByRole("cell")).toHaveText(["Collins", "7", "1", "1"]);
  await openAdmin(page, "/admin/reports?report=demand&period=2026-01-01_2026-01-31", "Reports");
  await expect(wished.getByRole("cell")).toHaveText(["Collins", "7", "0", "1"]);
});
