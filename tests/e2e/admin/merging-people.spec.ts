import { addBook, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { connect } from "#tests/support/shop-client.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test("merges a customer's second account into the first after a look at what moves; only the first can sign in", async ({
  page,
  context,
  admin,
  member,
  newMember,
  signIn,
  shop,
}) => {
  await signIn(context, admin);
  const double = await newMember();
  const book = await addBook(admin.client);
  const orderId = await placeOrder(double, book, 2);
  await double.client.from("wishlists").insert({ user_id: double.id, book_id: book.id }).throwOnError();

  await openAdmin(page, `/admin/users/${member.id}`, "Reader of the test");
  await page.getByRole("button", { name: "Merge another account…" }).click();
  const dialog = page.getByRole("dialog", { name: "Merge another account into this one" });
  const search = dialog.getByLabel("The account to close");
  // Oneself is said to be the same account, and cannot be merged.
  await search.fill(member.email);
  await dialog.getByRole("button", { name: `Choose Reader of the test, ${member.email}` }).click();
  await expect(dialog).toContainText("This is the same account. Choose the other one.");
  await expect(dialog.getByRole("button", { name: "Merge Accounts" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Choose another account" }).click();

  await search.fill(double.email);
  await dialog.getByRole("button", { name: `Choose Reader of the test, ${double.email}` }).click();
  const moves = dialog.getByRole("region", { name: "What moves" }).getByRole("listitem");
  await expect(moves).toHaveText([
    /^1 order: GH₵.* in all, GH₵0\.00 paid, GH₵.* still due$/,
    "1 book on the wishlist",
  ]);
  await expect(dialog).toContainText(`They will see all orders of ${double.email}`);
  await expectAccessibleAtWidths(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await dialog.getByRole("button", { name: "Merge Accounts" }).click();
  await expectMessage(page, "The two accounts have been merged");

  await expect(page.getByRole("region", { name: "Orders (1)" }).getByRole("listitem")).toContainText(
    "Not paid",
  );
  await expect(page.getByRole("region", { name: "On their wishlist (1)" })).toContainText(book.title);
  const { data: orders } = await member.client.from("orders").select("id");
  expect(orders).toEqual([{ id: orderId }]);
  // The session that the closed account had, and its password.
  await expect
    .poll(async () => (await double.client.from("orders").select("id")).error?.message)
    .toBe("This account is closed.");
  const signInAgain = (await connect(shop, "203.0.113.78")).auth.signInWithPassword(double);
  expect((await signInAgain).error?.code).toBe("invalid_credentials");
  await openAdmin(page, `/admin/users/${double.id}`, "No name");
  await expect(page.getByText("This account is closed.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Merge another account/ })).toHaveCount(0);
});
