import type { Page } from "@playwright/test";
import { bookPath } from "#app/features/books/book-address.ts";
import { addBook, newTitle } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { isReachable } from "#tests/support/layout.ts";
import { expect, expectAccessible, type Member, test } from "#tests/support/test.ts";

const main = (page: Page) => page.getByRole("main");
const box = (page: Page) => page.getByRole("banner").getByLabel("Search books").filter({ visible: true });
const list = (page: Page) => page.getByRole("listbox", { name: "Suggestions" });
const options = (page: Page) => list(page).getByRole("option");
const status = (page: Page) =>
  page
    .getByRole("banner")
    .getByRole("status")
    .filter({ hasText: /suggestion/i });

/** A book's title, publisher and price at the end of its line; the words on a drawn cover come before them. */
const line = ({ title }: { title: string }) => new RegExp(`${title}.*GH₵\\d+\\.\\d\\d$`);

/**
 * Three books that no other test finds, because their titles use unique words. None is a number: a search for
 * "two" also finds the word itself, whose digits come from the clock.
 */
async function addShelf(admin: Member) {
  const word = newTitle("Wobble").split(" ").at(-1) ?? "";
  const add = (title: string, more: object = {}) => addBook(admin.client, { title, ...more });
  const books = [
    await add(`${word} Apple`, { publisher: `${word} Press`, subject: `${word} Studies` }),
    await add(`${word} Banana`),
    await add(`A Reader about ${word}`),
  ] as const;
  return { word, books };
}

test("suggests titles with cover and price, publisher, subject and all results, and opens what the arrow keys choose", async ({
  page,
  admin,
}) => {
  const { word, books } = await addShelf(admin);
  await page.goto("/about");
  await box(page).pressSequentially(word.slice(0, -1).toUpperCase());
  await expect(options(page)).toHaveText([
    line(books[0]),
    line(books[1]),
    line(books[2]),
    `${word} PressPublisher, 1 book`,
    `${word} StudiesSubject, 1 book`,
    `All results for “${word.slice(0, -1).toUpperCase()}”`,
  ]);
  await expect(options(page).locator(".drawn-cover")).toHaveCount(3);
  await expect(status(page)).toHaveText("5 suggestions");
  await expect(box(page)).toHaveAttribute("aria-expanded", "true");
  await expectAccessible(page);

  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const second = options(page).nth(1);
  await expect(second).toHaveAttribute("aria-selected", "true");
  await expect(box(page)).toHaveAttribute("aria-activedescendant", (await second.getAttribute("id")) ?? "");
  await expect(box(page)).toBeFocused();
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
  await expect(options(page).last()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(box(page)).not.toHaveAttribute("aria-activedescendant");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(bookPath(books[0]));
  await expect(box(page)).toHaveValue("");
  await expect(list(page)).toBeHidden();

  await box(page).fill(`${word} pre`);
  await options(page).getByText("Publisher, 1 book").click();
  await expect(main(page).getByText("1 Book(s) Found")).toBeVisible();
  await expect(page).toHaveURL(`/shop?publisher=${word}%20Press`);

  await box(page).fill(`${word} pre`);
  await expect(options(page).last()).toHaveText(`All results for “${word} pre”`);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/search?q=${word}%20pre`);
});

test("Escape closes the list and keeps the text, arrow down opens it again, and Enter searches for the text", {
  tag: "@gate",
}, async ({ page, admin }) => {
  const { word } = await addShelf(admin);
  await page.goto("/about");
  await box(page).fill(word);
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(list(page)).toBeHidden();
  await expect(box(page)).toHaveValue(word);
  await expect(box(page)).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("ArrowDown");
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/search?q=${word}`);
  await expect(list(page)).toBeHidden();
});

test("Escape keeps the text as soon as the list appears", async ({ page, admin }) => {
  const { word } = await addShelf(admin);
  await page.goto("/about");
  const escaped = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const appeared = new MutationObserver(() => {
          if (!document.querySelector("[role=listbox]:not([hidden]) [role=option]")) return;
          appeared.disconnect();
          const pressed = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
          // Unless a handler prevents it, the browser clears a search field.
          resolve(document.activeElement?.dispatchEvent(pressed) ? "cleared" : "kept");
        });
        appeared.observe(document.body, { subtree: true, childList: true, attributes: true });
      }),
  );
  await box(page).fill(word);
  expect(await escaped).toBe("kept");
  await expect(list(page)).toBeHidden();
  await expect(box(page)).toHaveValue(word);
});

test("a late response never replaces a newer one", async ({ page, admin }) => {
  const { word, books } = await addShelf(admin);
  const first = new RegExp(`/suggestions\\?q=${word}$`);
  const release = await holdBack(page, first);
  await page.goto("/about");
  const requested = page.waitForRequest(first);
  await box(page).fill(word);
  await requested;
  await box(page).fill(`${word} banana`);
  await expect(options(page)).toHaveText([line(books[1]), /^All results/]);
  release();
  await box(page).press("ArrowDown");
  await expect(options(page).first()).toHaveAttribute("aria-selected", "true");
  await expect(options(page)).toHaveText([line(books[1]), /^All results/]);
});

test("what is typed while the list's code is loading gets its suggestions, and is not lost", async ({
  page,
  admin,
}) => {
  const { word } = await addShelf(admin);
  await page.goto("/about");
  const release = await holdBack(page, /\/assets\/.*\.js$/);
  await box(page).fill(word);
  release();
  await expect(options(page)).toHaveCount(6);
  await expect(box(page)).toHaveValue(word);
  await expect(box(page)).toBeFocused();
});

test("without suggestions, because the shop cannot be reached or nothing matches, the box still searches", async ({
  page,
}) => {
  await page.goto("/about");
  await page.route(/\/suggestions\?/, (route) => route.abort());
  const failed = page.waitForEvent("requestfailed");
  await box(page).fill("maths");
  await failed;
  await expect(list(page)).toBeHidden();
  await page.unroute(/\/suggestions\?/);
  await box(page).fill("xyzzyx");
  await expect(status(page)).toHaveText("No suggestions");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/search?q=xyzzyx");
});

test.describe("at 360 px", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test("the list fits below the box, in the page and in the menu, and a tap opens a book", async ({
    page,
    admin,
  }) => {
    const { word, books } = await addShelf(admin);
    await page.goto("/about");
    await box(page).fill(word);
    await expect(options(page)).toHaveCount(6);
    const [outer, inner] = [await box(page).boundingBox(), await list(page).boundingBox()];
    expect([inner?.x, inner?.width]).toEqual([outer?.x, outer?.width]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    for (const option of await options(page).all())
      expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    // A phone's keyboard takes the rest.
    const all = await options(page).last().boundingBox();
    expect((all?.y ?? 740) + (all?.height ?? 0)).toBeLessThanOrEqual(440);
    expect(await isReachable(options(page).last())).toBe(true);
    await expectAccessible(page);
    await options(page).nth(1).tap();
    await expect(page).toHaveURL(bookPath(books[1]));
    // The address changes first; the page that then replaces this one closes an open menu.
    await expect(page.getByRole("region", { name: "Reviews" })).toBeVisible();

    await page.getByRole("button", { name: "Menu" }).click();
    await box(page).fill(word);
    await options(page).first().tap();
    await expect(page).toHaveURL(bookPath(books[0]));
    await expect(page.getByRole("navigation", { name: "Mobile" })).toBeHidden();
  });

  test("long titles are shown whole, because levels of a course differ at the end", async ({
    page,
    admin,
  }) => {
    const { id } = await addBook(admin.client, {
      title: `${newTitle("Cambridge")} Checkpoint Lower Secondary Mathematics Student's Book 7`,
    });
    const { data } = await admin.client.from("books").select("title").eq("id", id).single();
    await page.goto("/about");
    await box(page).fill(data?.title.slice(0, 40) ?? "");
    const title = options(page).first().locator(".line-clamp-4");
    await expect(title).toHaveText(data?.title ?? "");
    expect(await title.evaluate((node) => node.scrollHeight - node.clientHeight)).toBe(0);
  });
});
