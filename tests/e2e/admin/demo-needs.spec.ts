import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { dataOf, type Member, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { type ShopServer, START_MS } from "#tests/support/shop-server.ts";
import { test as base, expect, expectAccessibleAtWidths } from "#tests/support/test.ts";
import { readDemoBooklists } from "../../../supabase/seed/demo-booklists.ts";
import { openAdmin, setSchoolTerms } from "./back-office.ts";

/** A separate demo shop, because other tests' sales and lists would change the proposal. */
const test = base.extend<object, { shop: ShopServer }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
    async ({}, use) => {
      const shop = await startPreparedShop("demo");
      await use(shop);
      await shop.stop();
    },
    { scope: "worker", timeout: START_MS + 10_000 },
  ],
});

/** The expected pupils of the demo's published lists; more than a thousand, so that numbers have a comma. */
const pupils: Readonly<Record<string, number>> = {
  "Primary 4": 1042,
  "Primary 6": 135,
  "JHS 1": 250,
  "Year 10 IGCSE": 128,
};

const SOLD = 3;
const ON_THEIR_WAY = 10;
const MATHS_4 = "Cambridge Primary Mathematics Learner's Book 4";
const MATHS_7 = "Lower Secondary Maths Student's Book 7";

/** The copies of each title that the demo's lists need for these pupils. */
function neededByLists(): Map<string, number> {
  const { lists, lines } = readDemoBooklists();
  const needed = new Map<string, number>();
  for (const { booklist_id, book_id, title, copies, is_required } of lines) {
    const list = lists.find(({ id }) => id === booklist_id);
    if (!book_id || !is_required || list?.status !== "published") continue;
    needed.set(title, (needed.get(title) ?? 0) + copies * (pupils[list.class_name] ?? 0));
  }
  return needed;
}

const number = (text: string | undefined) => Number((text ?? "").replaceAll(",", ""));

/** The copies of one part of a sum, as a reader works them out. */
function copiesIn(part: string): number {
  const each = /^([\d,]+) copies for each of ([\d,]+) pupils? of /.exec(part);
  if (each) return number(each[1]) * number(each[2]);
  const plain = /^([\d,]+) (pupils? of |waiting$|(copy|copies) for |sold )/.exec(part);
  if (!plain) throw new Error(`Not a number with its reason: ${part}`);
  return number(plain[1]);
}

/** Reads 'Needed 1,039 = 1,042 pupils of … − 3 sold …; 21 in stock → order 1,018' and works out both numbers. */
function readReason(sentence: string) {
  const [, needed, sum = "", available = "", proposed] =
    /^Needed ([\d,]+)(?: = (.*))?; (.*) → order ([\d,]+)$/.exec(sentence) ?? [];
  const [first = "", ...others] = sum.split(/ (?=[+−] )/);
  const total = others.reduce(
    (all, part) => all + (part.startsWith("−") ? -1 : 1) * copiesIn(part.slice(2)),
    sum === "" ? 0 : copiesIn(first),
  );
  const there = available.split(", ").map((part) => {
    if (!/^[\d,]+ (in stock|on their way|in drafts)$/.test(part)) throw new Error(`Not a stock: ${part}`);
    return number(part.split(" ")[0]);
  });
  return {
    stated: { needed: number(needed), proposed: number(proposed) },
    workedOut: {
      needed: total,
      proposed: Math.max(total - there.reduce((all, copies) => all + copies, 0), 0),
    },
    stock: there[0],
  };
}

/** Each shown line: its title, its cells and its sentences. */
async function readLines(page: Page) {
  const rows = page.getByRole("table", { name: /^Needed from / }).locator("tbody tr");
  return rows.evaluateAll((found) =>
    found.map((row) => ({
      title: row.querySelector("p")?.textContent ?? "",
      reason:
        [...row.querySelectorAll("p")].find((one) => one.textContent?.startsWith("Needed"))?.textContent ??
        "",
      needed: row.querySelector("[data-label=Needed]")?.textContent ?? "",
      stock: row.querySelector("[data-label='In stock']")?.textContent ?? "",
      copies: row.querySelector("input")?.value ?? "",
    })),
  );
}

/** A supplier with a purchase order on its way, so that the publisher's titles are proposed from them. */
async function orderFrom({ client }: Member, name: string, title: string): Promise<string> {
  const [supplier, id] = [randomUUID(), randomUUID()];
  const book = await bookOf(client, title);
  await dataOf(client.rpc("save_supplier", { _id: supplier, _name: name }));
  await dataOf(client.rpc("create_purchase_order", { _id: id, _supplier_id: supplier }));
  const lines = [{ book_id: book.id, copies: ON_THEIR_WAY, list_price: 10, discount: 30 }];
  await dataOf(client.rpc("update_purchase_order", { _id: id, _version: 1, _lines: lines }));
  await dataOf(client.rpc("send_purchase_order", { _id: id, _version: 2 }));
  return supplier;
}

/** The book of a title on the demo's lists: another publisher may have one of the same title. */
const bookOf = async (client: Member["client"], title: string) => {
  const id = readDemoBooklists().lines.find((line) => line.title === title)?.book_id ?? "";
  return dataOf(client.from("books").select("*").eq("id", id).single());
};

/** Staff type the number into the list's form. The lists are moved to the school year of the coming term. */
async function expectPupils(page: Page, id: string, schoolYear: string, count: number): Promise<void> {
  await page.goto(`/admin/booklists/${id}`);
  await page.getByLabel("School year").fill(schoolYear);
  await page.getByLabel("Expected pupils (optional)").fill(String(count));
  await page.getByRole("button", { name: /^Save/ }).first().click();
  await expectMessage(page, "Booklist saved");
}

test("a term's proposal for the demo's schools explains every number, and becomes a draft for each supplier", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  test.setTimeout(180_000);
  await signIn(context, admin);
  const { client } = admin;
  await orderFrom(admin, "Cambridge in Accra", MATHS_4);
  const collins = await orderFrom(admin, "Collins Agency", MATHS_7);
  const sold = await bookOf(client, MATHS_4);
  await placeOrder(member, sold, SOLD);
  const waited = await bookOf(client, MATHS_7);
  await client.from("books").update({ stock_quantity: 0 }).eq("id", waited.id).throwOnError();
  await member.client.rpc("request_stock_alert", { _book_id: waited.id }).throwOnError();

  const { from, to } = (await setSchoolTerms(admin)).coming;
  const year = Number(from.slice(0, 4)) - (Number(from.slice(5, 7)) < 8 ? 1 : 0);
  const lists = readDemoBooklists().lists.filter(({ status }) => status === "published");
  expect(lists.map(({ class_name }) => class_name).sort()).toEqual(Object.keys(pupils).sort());
  for (const { id, class_name } of lists)
    if (class_name !== "Year 10 IGCSE")
      await expectPupils(page, id, `${year}/${year + 1}`, pupils[class_name] ?? 0);
  const needs = `/admin/purchases?view=needs&term=${from}_${to}`;
  await openAdmin(page, needs, "What a term needs");
  await expect(page.getByText(/^Pupils unknown: Year 10 IGCSE at Harmattan Ridge/).first()).toBeVisible();
  const last = lists.find(({ class_name }) => class_name === "Year 10 IGCSE");
  await expectPupils(page, last?.id ?? "", `${year}/${year + 1}`, pupils["Year 10 IGCSE"] ?? 0);

  await openAdmin(page, `${needs}&covered=yes`, "What a term needs");
  await expect(page.getByText(/^Needed 1,/).first()).toBeVisible();
  await expect(page.getByText("Pupils unknown")).toHaveCount(0);
  const lines = await readLines(page);
  const expected = neededByLists();
  expected.set(MATHS_4, (expected.get(MATHS_4) ?? 0) - SOLD);
  expected.set(MATHS_7, (expected.get(MATHS_7) ?? 0) + 1);
  expect(new Map(lines.map(({ title, needed }) => [title, number(needed)]))).toEqual(expected);
  for (const { title, reason, needed, stock, copies } of lines) {
    const read = readReason(reason);
    expect(read.stated, `${title}: ${reason}`).toEqual(read.workedOut);
    expect([number(needed), number(stock), number(copies)], title).toEqual([
      read.stated.needed,
      read.stock,
      read.stated.proposed,
    ]);
  }
  const row = (title: string): Locator => page.getByRole("row").filter({ hasText: title });
  await expect(row(MATHS_4)).toContainText(`− ${SOLD} sold this school year`);
  await expect(row(MATHS_7)).toContainText(`+ 1 waiting; 0 in stock, ${ON_THEIR_WAY} on their way`);
  await expectAccessibleAtWidths(page);

  await openAdmin(page, needs, "What a term needs");
  await page.getByLabel("Order these from").selectOption(collins);
  const proposed = new Map((await readLines(page)).map(({ title, copies }) => [title, Number(copies)]));
  await page.getByRole("button", { name: "Make Drafts" }).click();
  await expect(page.getByRole("link", { name: "Draft to Cambridge in Accra" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Draft to Collins Agency" })).toBeVisible();
  await expect(page.getByText("Everything needed is in stock, on its way or in a draft.")).toBeVisible();
  const drafts = await dataOf(client.from("purchase_orders").select("id").eq("status", "draft"));
  const drafted = await dataOf(
    client
      .from("purchase_order_lines")
      .select("book_id, copies")
      .in(
        "purchase_order_id",
        drafts.map(({ id }) => id),
      ),
  );
  const ids = drafted.map(({ book_id }) => book_id);
  const titles = new Map(
    (await dataOf(client.from("books").select("id, title").in("id", ids))).map(({ id, title }) => [
      id,
      title,
    ]),
  );
  expect(new Map(drafted.map(({ book_id, copies }) => [titles.get(book_id), copies]))).toEqual(proposed);
  expect([...proposed.values()].every((copies) => copies > 0)).toBe(true);
});
