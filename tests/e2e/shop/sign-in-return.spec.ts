import type { Page } from "@playwright/test";
import { addBook } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expect, findOnShelf, type Member, test } from "#tests/support/test.ts";
import { cartButton } from "./cart-steps.ts";

const MATHS = "/shop?subject=Mathematics";

async function signInHere(page: Page, { email, password }: Member): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("tabpanel").getByRole("button", { name: "Sign In", exact: true }).click();
}

/** The way to the sign-in page that a visitor finds in the header. */
const headerSignIn = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Sign In" });

async function cartOf(member: Member) {
  const { data, error } = await member.client.from("cart_items").select("quantity, books(title)");
  if (error) throw error;
  return data.map(({ quantity, books }) => ({ quantity, title: books.title }));
}

test.describe("a visitor who was asked to sign in", () => {
  test("returns to the filter, the added pages and the place, with the book in the cart once", async ({
    page,
    member,
  }) => {
    await page.goto(MATHS);
    await page.getByRole("link", { name: "More books" }).click();
    const cards = page.getByRole("list", { name: "Books" }).getByRole("article");
    await expect(cards).toHaveCount(48);
    const card = cards.filter({ has: page.getByRole("button", { name: "Sign In to Add" }) }).last();
    const title = (await card.getByRole("heading").textContent()) ?? "";
    await card.getByRole("button", { name: "Sign In to Add" }).click();
    await expect(page.getByText("Please sign in to add items to cart")).toBeVisible();
    await page.getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL(/\/auth$/);
    await signInHere(page, member);

    await expect(page).toHaveURL(MATHS);
    await expect(page.getByText("Added to cart!")).toBeVisible();
    await expect(cards).toHaveCount(48);
    await expect(page.getByRole("heading", { name: title, exact: true })).toBeInViewport();
    await expect(cartButton(page)).toHaveText(/1 items/);
    await page.reload();
    await expect(cartButton(page)).toHaveText(/1 items/);
    await page.goto("/auth");
    await expect(page).toHaveURL("/shop");
    expect(await cartOf(member)).toEqual([{ quantity: 1, title }]);
  });

  test("returns after pressing a heart on another page, with the book on the wishlist", async ({
    page,
    member,
  }) => {
    await page.goto("/products/cambridge");
    const heart = page
      .getByRole("list", { name: "A Level" })
      .getByRole("button", { name: /^Add to wishlist/ })
      .last();
    await heart.click();
    await expect(page.getByText("Please sign in to add books to your wishlist")).toBeVisible();
    // Playwright's own click would first scroll the page, because the header is sticky.
    await headerSignIn(page).dispatchEvent("click");
    await signInHere(page, member);
    await expect(page).toHaveURL("/products/cambridge");
    await expect(page.getByText("Added to wishlist")).toBeVisible();
    await expect(heart).toHaveAttribute("aria-pressed", "true");
    await expect(heart).toBeInViewport();
  });

  test("returns after a click before the page's code arrived", async ({ page, admin, member }) => {
    const book = await addBook(admin.client);
    const address = `/shop?q=${encodeURIComponent(book.title)}`;
    const release = await holdBack(page, /\/assets\/.*\.js$/);
    await page.goto(address, { waitUntil: "commit" });
    await page.getByRole("button", { name: "Sign In to Add" }).click({ noWaitAfter: true });
    await expect(page).toHaveURL(/\/auth\?$/);
    release();
    await signInHere(page, member);
    await expect(page).toHaveURL(address);
    await expect(page.getByText("Added to cart!")).toBeVisible();
    expect(await cartOf(member)).toEqual([{ quantity: 1, title: book.title }]);
  });

  test("finds nothing in the cart that they had left for another page", async ({ page, admin, member }) => {
    const book = await addBook(admin.client);
    await findOnShelf(page, book.title);
    await page.getByRole("button", { name: "Sign In to Add" }).click();
    await page.getByRole("banner").getByRole("link", { name: "About Us" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "About Us" })).toBeVisible();
    await headerSignIn(page).click();
    await signInHere(page, member);
    await expect(page).toHaveURL("/shop");
    expect(await cartOf(member)).toEqual([]);
  });

  test("gets the book once even if another tab waits with the same click", async ({
    page,
    context,
    admin,
    member,
  }) => {
    const book = await addBook(admin.client);
    await findOnShelf(page, book.title);
    await page.getByRole("button", { name: "Sign In to Add" }).click();
    await page.getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL(/\/auth$/);
    const copy = await context.newPage();
    await copy.goto("/auth");
    const remaining = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(remaining).toContain(book.id);
    await copy.evaluate((entries) => {
      for (const [key, value] of Object.entries(JSON.parse(entries)))
        sessionStorage.setItem(key, String(value));
    }, remaining);
    await signInHere(page, member);
    await expect(page.getByText("Added to cart!")).toBeVisible();
    await expect(copy).toHaveURL(/\/shop\?q=/);
    await expect(cartButton(copy)).toHaveText(/1 items/);
    expect(await cartOf(member)).toEqual([{ quantity: 1, title: book.title }]);
  });
});

test("The header's Sign In leads back to the same shelf, and nothing is added", async ({ page, member }) => {
  await page.goto(MATHS);
  await headerSignIn(page).click();
  await signInHere(page, member);
  await expect(page).toHaveURL(MATHS);
  expect(await cartOf(member)).toEqual([]);
});

test("A link made by someone else adds nothing to the cart and leads nowhere else", { tag: "@gate" }, async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client);
  await page.goto(`/auth?intent=cart:${book.id}&path=%2Fabout#intent=cart:${book.id}`);
  await signInHere(page, member);
  await expect(page).toHaveURL("/shop");
  expect(await cartOf(member)).toEqual([]);
});
