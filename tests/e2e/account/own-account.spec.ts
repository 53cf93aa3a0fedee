import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { addBook, fillCart, newTitle, placeOrder, signInMember } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { findMail, listMails } from "#tests/support/outbox.ts";
import { connect } from "#tests/support/shop-client.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { expectSignedIn, expectSignedOut, followLink, signInByForm } from "./account-pages.ts";

const part = (page: Page, name: string) => page.getByRole("region", { name });

/** Opens a section that is a line until then. */
async function openPart(page: Page, name: string) {
  await part(page, name).getByRole("heading", { name }).click();
  return part(page, name);
}

test("A customer saves their name and address on a phone, and the checkout starts with them", {
  tag: "@gate",
}, async ({ page, context, admin, member, signIn }) => {
  await signIn(context, member);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/shop");
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "My Account" }).click();
  const details = part(page, "Details");
  await expect(details.getByLabel("Full Name")).toHaveValue("Reader of the test");
  await details.getByLabel("Phone (optional)").fill("call me");
  await details.getByRole("button", { name: "Save Details" }).click();
  await expect(details.getByLabel("Phone (optional)")).toBeFocused();
  await details.getByLabel("Phone (optional)").fill("024 412 3456");
  await details.getByLabel("Address (optional)", { exact: true }).fill("5 Castle Road");
  await details.getByLabel("City (optional)").fill("Cape Coast");
  await details.getByText("Delivery details (optional)").click();
  await details.getByLabel("Region (optional)").selectOption("Central");
  await details.getByRole("button", { name: "Save Details" }).click();
  await expectMessage(page, "Your details have been saved");
  await expectAccessible(page);

  const book = await addBook(admin.client, { title: newTitle(), stock_quantity: 5 });
  await fillCart(member.client, book.id);
  await page.goto("/checkout");
  await expect(page.getByLabel("Address", { exact: true })).toHaveValue("5 Castle Road");
  await expect(page.getByLabel("City", { exact: true })).toHaveValue("Cape Coast");
  await expect(page.getByLabel("Region (optional)")).toHaveValue("Central");
});

test("A customer changes email and password; the link in the email to the new address decides", async ({
  page,
  context,
  browser,
  shop,
  member,
  signIn,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to change the password/);
  await signIn(context, member);
  await page.goto("/account");
  const email = member.email.replace("reader", "new-reader");
  const address = await openPart(page, "Email");
  await address.getByLabel("New email").fill(email);
  await address.getByRole("button", { name: "Change Email" }).click();
  await expect(page.getByText(`We've sent an email to ${email}.`)).toBeVisible();
  const { links } = await findMail(shop.dataDir, email);
  await followLink(page, links[0] ?? "");
  await expectSignedIn(page, email);

  await page.goto("/account");
  const password = await openPart(page, "Password");
  await password.getByLabel("Current password").fill("not my password");
  await password.getByLabel("New password").fill("slate & chalk");
  await password.getByRole("button", { name: "Change Password" }).click();
  await expect(password.getByText("The current password is incorrect")).toBeVisible();
  await expect(password.getByLabel("Current password")).toBeFocused();
  await password.getByLabel("Current password").fill(member.password);
  await password.getByRole("button", { name: "Change Password" }).click();
  await expectMessage(page, "Your password has been changed");

  const elsewhere = await browser.newContext({ baseURL: shop.url });
  const there = await elsewhere.newPage();
  await signInByForm(there, { email, password: "slate & chalk" });
  await expectSignedIn(there, email);
  await elsewhere.close();
});

test("A customer downloads their data, and signs out on all devices", async ({
  page,
  context,
  shop,
  admin,
  member,
  signIn,
}) => {
  const book = await addBook(admin.client, {
    title: newTitle("Taken along"),
    price: 12.5,
    stock_quantity: 5,
  });
  await placeOrder(member, book, 2);
  await signIn(context, member);
  const phone = await signInMember(await connect(shop, "2001:db8::2"), member.email, member.password);

  await page.goto("/account");
  const own = await openPart(page, "Your data and devices");
  const downloading = page.waitForEvent("download");
  await own.getByRole("button", { name: "Download My Data" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe("my-account.json");
  expect(JSON.parse(await readFile(await file.path(), "utf8"))).toMatchObject({
    profile: { email: member.email },
    orders: [{ total_amount: 25, items: [{ title: book.title, quantity: 2, price: 12.5 }] }],
  });

  await own.getByRole("button", { name: "Sign Out Everywhere" }).click();
  await expectSignedOut(page);
  expect((await phone.client.auth.refreshSession()).error).not.toBeNull();
});

test("A customer closes their account with the password, once no order is on its way", async ({
  page,
  context,
  shop,
  admin,
  member,
  signIn,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to close your account/);
  consoleLines.expect(/Sign-in failed/);
  const book = await addBook(admin.client, { title: newTitle("Before leaving"), stock_quantity: 5 });
  const orderId = await placeOrder(member, book, 1);
  await signIn(context, member);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/account");
  const closing = await openPart(page, "Close your account");
  const close = async (password: string) => {
    await closing.getByLabel("Your password").fill(password);
    await closing.getByRole("button", { name: "Close My Account" }).click();
    const question = page.getByRole("alertdialog", { name: "Close your account for good?" });
    await expect(question.getByRole("button", { name: "Keep It" })).toBeFocused();
    await question.getByRole("button", { name: "Close Account" }).click();
  };
  await closing.getByRole("button", { name: "Close My Account" }).click();
  await expect(closing.getByLabel("Your password")).toBeFocused();
  await close("not my password");
  await expect(closing.getByText("The password is incorrect.")).toBeVisible();
  await close(member.password);
  await expect(closing.getByText(/Order \d+ has not been delivered yet\./)).toBeVisible();
  await expectAccessible(page);

  await admin.client.from("orders").update({ status: "delivered" }).eq("id", orderId);
  await close(member.password);
  await expectMessage(page, "Your account has been closed");
  await expectSignedOut(page);
  await signInByForm(page, member);
  await expectMessage(page, "Invalid login credentials");
  const { data } = await admin.client
    .from("orders")
    .select("recipient_name, status, profiles(full_name, email)")
    .eq("id", orderId);
  expect(data).toEqual([
    { recipient_name: null, status: "delivered", profiles: { full_name: null, email: null } },
  ]);
  expect((await listMails(shop.dataDir)).filter(({ to }) => to.includes(member.email))).toEqual([]);
});
