import type { Page } from "@playwright/test";
import { addBook } from "#tests/support/factories.ts";
import { breakCalls, holdBack } from "#tests/support/intercept.ts";
import { expect, expectAccessibleAtWidths, findOnShelf, type Member, test } from "#tests/support/test.ts";

const BOOKS = /\/rest\/v1\/books/;

const heart = (page: Page, title: string) => page.getByRole("button", { name: `Add to wishlist: ${title}` });
const wishes = (page: Page) => page.getByRole("list", { name: "Books on your wishlist" });

async function wish(member: Member, ...bookIds: string[]) {
  const rows = bookIds.map((book_id) => ({ user_id: member.id, book_id }));
  const { error } = await member.client.from("wishlists").insert(rows);
  if (error) throw error;
}

test("a visitor is asked to sign in at the heart and on the page, and sees no wishlist", async ({
  page,
  admin,
}) => {
  const book = await addBook(admin.client);
  await findOnShelf(page, book.title);
  await heart(page, book.title).click();
  await expect(page.getByText("Sign in required")).toBeVisible();
  await expect(page.getByText("Please sign in to add books to your wishlist")).toBeVisible();
  await expect(heart(page, book.title)).toHaveAttribute("aria-pressed", "false");

  await page.goto("/wishlist");
  await expect(page.getByRole("heading", { level: 1, name: "My Wishlist" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Sign in required" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/auth$/);
});

test.describe("a customer's wishlist", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  test("adds and removes a book with its heart, in the header and in every tab", { tag: "@gate" }, async ({
    page,
    context,
    admin,
  }) => {
    const book = await addBook(admin.client);
    const other = await context.newPage();
    await findOnShelf(page, book.title);
    await findOnShelf(other, book.title);
    await heart(page, book.title).click();
    await expect(page.getByText("Added to wishlist")).toBeVisible();
    await expect(page.getByText("Book has been added to your wishlist")).toBeVisible();
    await expect(heart(page, book.title)).toHaveAttribute("aria-pressed", "true");
    await expect(heart(other, book.title)).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByRole("link", { name: "Wishlist" }).first()).toContainText("1");

    await heart(other, book.title).click();
    await expect(other.getByText("Removed from wishlist")).toBeVisible();
    await expect(other.getByText("Book has been removed from your wishlist")).toBeVisible();
    await expect(heart(page, book.title)).toHaveAttribute("aria-pressed", "false");
  });

  test("shows eight placeholders, then the books, latest first", async ({ page, admin, member }) => {
    const older = await addBook(admin.client);
    const newer = await addBook(admin.client);
    await wish(member, older.id);
    await wish(member, newer.id);
    const release = await holdBack(page, BOOKS);
    await page.goto("/wishlist");
    const placeholders = page.getByRole("list", { name: "Loading your wishlist" }).getByRole("listitem");
    await expect(placeholders).toHaveCount(8);
    release();
    await expect(wishes(page).getByRole("heading")).toHaveText([newer.title, older.title]);
    await wishes(page).getByRole("button", { name: "Add to Cart" }).first().click();
    await expect(page.getByText("Added to cart!")).toBeVisible();
    await heart(page, newer.title).click();
    await expect(wishes(page).getByRole("heading")).toHaveText([older.title]);
  });

  test("is empty at first and links to the books", async ({ page }) => {
    await page.goto("/wishlist");
    await page.getByRole("main").getByRole("link", { name: "Browse Books" }).click();
    await expect(page).toHaveURL(/\/shop$/);
  });

  test("only logs when its books cannot be read, and retries on request", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    const book = await addBook(admin.client);
    await wish(member, book.id);
    consoleLines.expect(/^Failed to fetch the wishlist's books/);
    const mend = await breakCalls(page, BOOKS, "GET");
    await page.goto("/wishlist");
    await expect(page.getByText("We couldn't load your wishlist.")).toBeVisible();
    await expect(page.getByRole("region", { name: /Messages|Notices/ }).getByRole("listitem")).toHaveCount(0);
    await mend();
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(wishes(page).getByRole("heading")).toHaveText([book.title]);
  });

  test("is accessible, empty and full", async ({ page, admin, member }) => {
    await page.goto("/wishlist");
    await expect(page.getByRole("main").getByRole("link", { name: "Browse Books" })).toBeVisible();
    await expectAccessibleAtWidths(page);
    const book = await addBook(admin.client);
    await wish(member, book.id);
    await page.reload();
    await expect(wishes(page)).toBeVisible();
    await expectAccessibleAtWidths(page);
  });
});
