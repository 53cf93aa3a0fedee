import type { Page } from "@playwright/test";
import { addBook } from "#tests/support/factories.ts";
import { holdBack, holdBackCode } from "#tests/support/intercept.ts";
import { expect, test } from "#tests/support/test.ts";
import { cartButton, panel } from "./cart-steps.ts";

/** Shows a page as the server has rendered it; its code comes when the returned function is called. */
async function openBeforeLife(page: Page, path: string): Promise<() => void> {
  const release = await holdBack(page, /\/assets\/.*\.js$/);
  await page.goto(path, { waitUntil: "commit" });
  await expect(page.getByRole("contentinfo")).toBeVisible();
  return release;
}

test.describe("before the page's code arrives", () => {
  test("a click on the cart, even a double one, takes effect when the code arrives", async ({ page }) => {
    const release = await openBeforeLife(page, "/about");
    await cartButton(page).dblclick();
    release();
    await expect(panel(page)).toBeVisible();
  });

  test("a member's book is added to the cart once when it does", async ({
    page,
    context,
    admin,
    member,
    signIn,
  }) => {
    await signIn(context, member);
    const book = await addBook(admin.client);
    const address = `/shop?q=${encodeURIComponent(book.title)}`;
    const release = await openBeforeLife(page, address);
    await page.getByRole("button", { name: "Add to Cart" }).dblclick();
    await page.getByRole("button", { name: `Add to wishlist: ${book.title}` }).click();
    release();
    await expect(page.getByText("Added to cart!")).toBeVisible();
    await expect(cartButton(page)).toHaveText(/1 items/);
    await expect(page.getByRole("link", { name: "Wishlist" }).first()).toContainText("1");
    await expect(page).toHaveURL(address);
    const { data } = await member.client.from("cart_items").select("quantity");
    expect(data).toEqual([{ quantity: 1 }]);
  });

  test("a chosen filter takes effect when it does", async ({ page }) => {
    const release = await openBeforeLife(page, "/shop");
    const publisher = page.getByRole("combobox", { name: "Publisher" }).first();
    await publisher.selectOption("Collins");
    release();
    await expect(page).toHaveURL(/publisher=Collins/);
    await expect(publisher).toHaveValue("Collins");
  });

  test("a typed message stays, and its button takes effect when the code arrives", async ({ page }) => {
    const release = await openBeforeLife(page, "/contact");
    for (const label of ["Full Name/Institution", "Phone Number", "Message"])
      await page.getByRole("textbox", { name: label }).fill("020 123 4567");
    await page.getByRole("textbox", { name: "Email Address" }).fill("office@bright.example");
    await page.getByRole("button", { name: "Write Message" }).click();
    release();
    await expect(page.getByText("It hasn't been sent yet.")).toBeVisible();
  });

  test("what is typed into one field stays when another field or a message changes", async ({ page }) => {
    const release = await openBeforeLife(page, "/guidance");
    const name = page.getByRole("textbox", { name: "Full name" });
    await name.fill("Ama Owusu");
    release();
    // The form's code comes after the page's: its message shows that it has.
    await expect(async () => {
      await page.getByRole("button", { name: "Send Request" }).click();
      await expect(page.getByText("Please tell us what it is about")).toBeVisible({ timeout: 500 });
    }).toPass();
    await page.getByRole("textbox", { name: "What it is about" }).fill("Books for three classes");
    await expect(name).toHaveValue("Ama Owusu");
  });

  test("a member's close match is added to the cart once the close matches' own code has come", async ({
    page,
    context,
    member,
    signIn,
  }) => {
    await signIn(context, member);
    const { asked, release } = await holdBackCode(page, "Not exact matches for");
    await page.goto("/shop?q=mathmatics");
    await asked;
    const near = page.getByRole("region", { name: "Close matches" });
    await near
      .getByRole("button", { name: /^Add to Cart/ })
      .first()
      .click();
    release();
    await expect(cartButton(page)).toHaveText(/1 items/);
    await expect(page).toHaveURL("/shop?q=mathmatics");
  });

  test("a visitor is sent to the sign-in page immediately", async ({ page, admin }) => {
    const book = await addBook(admin.client);
    await openBeforeLife(page, `/shop?q=${encodeURIComponent(book.title)}`);
    await page.getByRole("button", { name: "Sign In to Add" }).click({ noWaitAfter: true });
    await expect(page).toHaveURL(/\/auth\?$/);
  });
});
