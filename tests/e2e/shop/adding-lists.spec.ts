import type { Page } from "@playwright/test";
import { booklistAddress } from "#app/features/booklists/booklist-code.ts";
import { addBook, dataOf, newTitle } from "#tests/support/factories.ts";
import { dropAnswers, holdBack } from "#tests/support/intercept.ts";
import { isReachable } from "#tests/support/layout.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, type Member, test } from "#tests/support/test.ts";

type Book = { id: string; title: string };

const copiesOf = async ({ client }: Member) =>
  (await dataOf(client.from("cart_items").select("quantity"))).map(({ quantity }) => quantity);

async function addList({ client }: Member, book: Book): Promise<string> {
  const names = { _school: newTitle("School"), _class_name: "Primary 4", _school_year: "2026/2027" };
  const draft = await dataOf(client.rpc("save_booklist", { ...names, _lines: [{ book_id: book.id }] }));
  const version = { _id: draft.id, _updated_at: draft.updated_at, _status: "published" };
  return booklistAddress((await dataOf(client.rpc("set_booklist_status", version))).code);
}

/** Each way to add many books: the page, how to prepare it in the first tab, and its button. */
const ways = {
  "a bulk order": {
    path: async () => "/bulk-order",
    prepare: async (page: Page, book: Book) => {
      await page.getByLabel("Your list").fill(`${book.title}, 2`);
      await page.getByRole("button", { name: /^Check/ }).click();
    },
    add: (page: Page) => page.getByRole("button", { name: "Add 1 title to Cart" }),
  },
  "a booklist": {
    path: addList,
    prepare: async (page: Page) => page.getByLabel("For how many children?").fill("2"),
    add: (page: Page) => page.getByRole("button", { name: "Add Selected to Cart" }),
  },
} as const;

for (const [name, { path, prepare, add }] of Object.entries(ways)) {
  test(`after ${name} is added, View Cart and Proceed to Checkout are visible, 360 and 1280 px wide`, async ({
    page,
    context,
    admin,
    member,
    signIn,
  }) => {
    const book = await addBook(admin.client, { price: 10 });
    await page.setViewportSize({ width: 360, height: 640 });
    await signIn(context, member);
    await page.goto(await path(admin, book));
    await prepare(page, book);
    await add(page).click();
    const note = page.getByRole("status").filter({ hasText: "added to your cart" });
    await expect(note).toBeVisible();
    const [cart, checkout] = [
      note.getByRole("button", { name: "View Cart" }),
      note.getByRole("link", { name: "Proceed to Checkout" }),
    ];
    for (const link of [cart, checkout]) expect(await isReachable(link)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 640 });
    for (const link of [cart, checkout]) expect(await isReachable(link)).toBe(true);
  });

  test(`${name} added in two tabs at once is added once, and both tabs show it`, async ({
    page,
    context,
    admin,
    member,
    signIn,
  }) => {
    const book = await addBook(admin.client, { price: 10 });
    await signIn(context, member);
    const address = await path(admin, book);
    await page.goto(address);
    await prepare(page, book);
    await expect(add(page)).toBeEnabled();
    const other = await context.newPage();
    await other.goto(address);
    await expect(add(other)).toBeEnabled();
    await expect(other.getByText("1 title, 2 copies")).toBeVisible();

    // Clicked in the second tab while the first tab waits for its response.
    const release = await holdBack(page, /rpc\/add_book/);
    const request = page.waitForRequest(/rpc\/add_book/);
    await add(page).click();
    await request;
    await add(other).click();
    await expect(other.getByText("1 title (2 copies) added to your cart.")).toBeVisible();
    release();
    await expect(page.getByText("1 title (2 copies) added to your cart.")).toBeVisible();
    expect(await copiesOf(member)).toEqual([2]);

    // Once added, neither tab offers it again.
    await expect(add(page).and(page.locator(":enabled"))).toHaveCount(0);
    await expect(add(other).and(other.locator(":enabled"))).toHaveCount(0);
  });

  test(`${name} is added once when its response is lost and it is sent again`, {
    tag: name === "a booklist" ? "@gate" : [],
  }, async ({ page, context, admin, member, signIn, consoleLines }) => {
    const book = await addBook(admin.client, { price: 10 });
    await signIn(context, member);
    await page.goto(await path(admin, book));
    await prepare(page, book);
    consoleLines.expect(/^Failed to add to cart/);
    await dropAnswers(page, /rpc\/add_book/, 1);
    await add(page).click();
    await expectMessage(
      page,
      "Failed to add to cart",
      "The connection was interrupted. It's safe to try again: your books will be added only once.",
    );
    await add(page).click();
    await expect(page.getByText("1 title (2 copies) added to your cart.")).toBeVisible();
    expect(await copiesOf(member)).toEqual([2]);
  });
}

test("keeps the focus on a booklist's add button while the cart reloads, and on View Cart after that", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const book = await addBook(admin.client, { price: 10 });
  await signIn(context, member);
  const isRead = page.waitForResponse(/\/cart_items\?/);
  await page.goto(await addList(admin, book));
  await isRead;
  const bar = page.locator("form[data-bottom-bar]");
  await expect(bar.getByRole("button", { name: "Add Selected to Cart" })).toBeEnabled();
  const release = await holdBack(page, /\/cart_items\?/);
  const reading = page.waitForRequest(/\/cart_items\?/);
  await bar.getByRole("button").click();
  await reading;
  await expect(bar.getByRole("button", { name: "Adding…" })).toBeFocused();
  await expect(bar.getByRole("status")).toHaveText("1 title, 1 copyGH₵10.00");
  release();
  await expect(bar.getByRole("status")).toHaveText("From this list1 title in your cart");
  await expect(bar.getByRole("button", { name: "View Cart" })).toBeFocused();
});
