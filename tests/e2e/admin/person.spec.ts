import { addBook, placeOrder } from "#tests/support/factories.ts";
import { expectMessage, holdMessage } from "#tests/support/messages.ts";
import { findMail, followLink } from "#tests/support/outbox.ts";
import { connect } from "#tests/support/shop-client.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

for (const width of [360, 1280]) {
  test(`at ${width} px, shows a person from the list of users, corrects their name, undoes that, and adds a note`, {
    tag: width === 360 ? "@gate" : [],
  }, async ({ page, admin, member }) => {
    const book = await addBook(admin.client);
    await placeOrder(member, book, 2);
    await member.client.from("wishlists").insert({ user_id: member.id, book_id: book.id }).throwOnError();
    await page.setViewportSize({ width, height: 800 });
    await openAdmin(page, `/admin/users?q=${member.email}`, "User Management");
    await page.getByRole("link", { name: "Reader of the test" }).click();

    await expect(page.getByRole("heading", { level: 1, name: "Reader of the test" })).toBeVisible();
    const orders = page.getByRole("region", { name: "Orders (1)" });
    await expect(orders.getByRole("listitem")).toContainText("Not paid");
    await expect(page.getByText(/^They owe GH₵/)).toBeVisible();
    await expect(page.getByRole("region", { name: "On their wishlist (1)" })).toContainText(book.title);
    const contact = page.getByRole("region", { name: "Contact" });
    await expect(contact.getByRole("link", { name: "Call +233 20 123 4567" })).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

    await page.getByLabel("Note for staff").fill("Prefers calls\nafter school");
    await page.getByRole("button", { name: "Add note" }).click();
    await expectMessage(page, "Note added");
    await expect(page.getByRole("region", { name: "Notes", exact: true })).toContainText("Prefers calls");

    await contact.getByRole("button", { name: "Correct name and phone number" }).click();
    const dialog = page.getByRole("dialog", { name: "Correct name and phone number" });
    await dialog.getByLabel("Phone (optional)").fill("12");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByLabel("Phone (optional)")).toHaveAttribute("aria-invalid", "true");
    await dialog.getByLabel("Phone (optional)").fill("0244 987 654");
    await dialog.getByLabel("Name").fill("Ama Reader");
    await dialog.getByRole("button", { name: "Save" }).click();
    const message = await holdMessage(page, "Name and phone number corrected");
    await expect(contact).toContainText("Ama Reader");
    await expect(contact).toContainText("+233 24 498 7654");
    await message.getByRole("button", { name: "Undo" }).click();
    await expectMessage(page, "Correction undone");
    await expect(contact).toContainText("Reader of the test");
    const sessions = page.getByRole("region", { name: "Where they're signed in" });
    const signOuts = sessions.getByRole("button", { name: /^Sign Out: / });
    await expect(signOuts).not.toHaveCount(0);
    const before = await signOuts.count();
    await signOuts.first().click();
    await expect(page.getByText(/^Signed out: /).first()).toBeVisible();
    await expect(signOuts).toHaveCount(before - 1);
    await orders.getByRole("link", { name: /^Order \d+$/ }).click();
    const details = page.getByRole("dialog", { name: "Order Details" });
    await details.getByRole("link", { name: "Reader of the test" }).click();
    await expect(page).toHaveURL(new RegExp(`/admin/users/${member.id}$`));
  });
}

test("forgets a person after a look at what goes, refused while an order is open; they can't sign in any more", async ({
  page,
  admin,
  member,
  shop,
}) => {
  const orderId = await placeOrder(member, await addBook(admin.client), 1);
  await openAdmin(page, `/admin/users/${member.id}`, "Reader of the test");
  const ask = () => page.getByRole("button", { name: "Forget this person…" }).click();
  const dialog = page.getByRole("dialog", { name: "Forget Reader of the test?" });
  await ask();
  await expect(dialog).toContainText(/Order \d+ has not been delivered yet\./);
  await expect(dialog.getByRole("button", { name: "Forget" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Keep" }).click();

  await admin.client.from("orders").update({ status: "delivered" }).eq("id", orderId).throwOnError();
  await page.setViewportSize({ width: 360, height: 800 });
  await ask();
  await expect(dialog).toContainText(/Order \d+: .*, delivered, GH₵/);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Forget" }).click();
  await expectMessage(page, "Reader of the test has been forgotten");
  await expect(page.getByRole("heading", { level: 1, name: "No name" })).toBeVisible();
  await expect(page.getByText("This account is closed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Forget this person…" })).toHaveCount(0);
  const { error } = await (await connect(shop, "203.0.113.77")).auth.signInWithPassword({
    email: member.email,
    password: "a password for reading",
  });
  expect(error?.code).toBe("invalid_credentials");
});

test("changes a person's email once the new address is confirmed, and can be withdrawn before", async ({
  page,
  member,
  shop,
}) => {
  const address = `new-${member.email}`;
  await page.setViewportSize({ width: 360, height: 800 });
  await openAdmin(page, `/admin/users/${member.id}`, "Reader of the test");
  const contact = page.getByRole("region", { name: "Contact" });
  const change = async (email: string) => {
    await contact.getByRole("button", { name: "Change Email" }).click();
    const dialog = page.getByRole("dialog", { name: "Change email" });
    await dialog.getByLabel("New email").fill(email);
    await dialog.getByRole("button", { name: "Send Email" }).click();
    await expectMessage(page, `Email sent to ${email}`);
    await expect(contact).toContainText(`Waiting for ${email} to be confirmed`);
  };
  await change(`wrong-${member.email}`);
  await contact.getByRole("button", { name: "Withdraw the Change" }).click();
  await expectMessage(page, "Change of email withdrawn");
  await change(address);
  await followLink((await findMail(shop.dataDir, address)).links[0]);
  await page.reload();
  await expect(contact).toContainText(address);
  await expect(contact.getByRole("button", { name: "Change Email" })).toBeVisible();
});

test("says that there is no account with an unknown id", async ({ page }) => {
  await openAdmin(page, "/admin/users/00000000-0000-4000-8000-000000000001", "Person");
  await expect(page.getByRole("alert")).toContainText("This person does not exist.");
});
