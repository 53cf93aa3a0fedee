import type { Page } from "@playwright/test";
import { bookPath } from "#app/features/books/book-address.ts";
import { addBook } from "#tests/support/factories.ts";
import { breakCalls, holdBack } from "#tests/support/intercept.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { findMail, listMails } from "#tests/support/outbox.ts";
import {
  expect,
  expectAccessible,
  expectAccessibleAtWidths,
  findOnShelf,
  type Member,
  test,
} from "#tests/support/test.ts";
import { banner, expireToken, untilControlled, untilFileStored, untilStored } from "./offline-steps.ts";

const askButton = (page: Page, title: string) =>
  page.getByRole("button", { name: new RegExp(`^Email me when it's back.*${title}`) });
const undoButton = (page: Page, title: string) =>
  page.getByRole("button", { name: new RegExp(`^Undo.*${title}`) });

async function restock(admin: Member, id: string, copies: number) {
  const { error } = await admin.client.from("books").update({ stock_quantity: copies }).eq("id", id);
  if (error) throw error;
}

async function signInHere(page: Page, { email, password }: Member): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("tabpanel").getByRole("button", { name: "Sign In", exact: true }).click();
}

test("a customer requests an alert for a sold-out book by keyboard and gets one email when it is back, with a link to it", {
  tag: "@gate",
}, async ({ page, context, shop, admin, member, signIn }) => {
  const book = await addBook(admin.client, { stock_quantity: 0, price: 45 });
  await signIn(context, member);
  await page.goto(bookPath(book));
  await expect(page.getByRole("button", { name: `Out of Stock : ${book.title}` })).toBeDisabled();
  await askButton(page, book.title).focus();
  await page.keyboard.press("Enter");
  await expectMessage(page, "We'll email you", "You'll get one email when it's in stock");
  await expect(undoButton(page, book.title)).toBeFocused();
  await expect(page.getByRole("main").getByText("We'll email you.")).toBeVisible();

  const already = (await listMails(shop.dataDir)).filter(({ to }) => to.includes(member.email)).length;
  await restock(admin, book.id, 1);
  const mail = await findMail(shop.dataDir, member.email, already);
  expect(mail.subject).toContain(`${book.title} is back in stock`);
  for (const words of ["Stock is limited", "GH₵45.00"]) expect(mail.text).toContain(words);
  const link = mail.links.find((url) => url.includes("/books/"));
  // A page may be a second old, and the email can be quicker.
  await expect(async () => {
    await page.goto(link ?? "");
    await expect(page.getByText("Only 1 left")).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page).toHaveURL(bookPath(book));

  await restock(admin, book.id, 0);
  const { data } = await member.client.from("stock_alerts").select("id");
  expect(data).toEqual([]);
});

test("a customer cancels a request, in every tab, and no email is sent", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const book = await addBook(admin.client, { stock_quantity: 0 });
  await signIn(context, member);
  const other = await context.newPage();
  for (const tab of [page, other]) await findOnShelf(tab, book.title);
  await askButton(page, book.title).click();
  await undoButton(other, book.title).click();
  await expectMessage(other, "Request cancelled", "We won't email you about this book");
  await expect(askButton(page, book.title)).toBeVisible();
  await restock(admin, book.id, 3);
  const { data } = await admin.client.from("outgoing_emails").select("id").eq("kind", "back_in_stock");
  const { data: mine } = await member.client.from("stock_alerts").select("id");
  expect([data?.length, mine]).toEqual([expect.any(Number), []]);
});

test("a visitor signs in, returns to the page, and the request is saved", async ({ page, admin, member }) => {
  const book = await addBook(admin.client, { stock_quantity: 0 });
  await findOnShelf(page, book.title);
  const address = page.url();
  await askButton(page, book.title).click();
  await expect(page.getByText("Please sign in so we can email you")).toBeVisible();
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await signInHere(page, member);
  await expect(page).toHaveURL(address);
  await expect(undoButton(page, book.title)).toBeVisible();
});

test("a visitor clicks before the page's code has loaded, and the request is saved after signing in", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client, { stock_quantity: 0 });
  const release = await holdBack(page, /\/assets\/.*\.js$/);
  await page.goto(bookPath(book), { waitUntil: "commit" });
  await askButton(page, book.title).click({ noWaitAfter: true });
  await expect(page).toHaveURL(/\/auth\?$/);
  release();
  await signInHere(page, member);
  await expect(page).toHaveURL(bookPath(book));
  await expect(undoButton(page, book.title)).toBeVisible();
});

test("a request that fails, or is refused because the book is back, says so and can be repeated", async ({
  page,
  context,
  admin,
  member,
  signIn,
  consoleLines,
}) => {
  const book = await addBook(admin.client, { stock_quantity: 0 });
  await signIn(context, member);
  await page.goto(bookPath(book));
  consoleLines.expect(/^Failed to save your request/);
  const mend = await breakCalls(page, /rpc\/request_stock_alert/, "POST");
  await askButton(page, book.title).click();
  await expect(page.getByText("Failed to save your request")).toBeVisible();
  await mend();
  await restock(admin, book.id, 5);
  await askButton(page, book.title).click();
  await expect(page.getByText("This book is in stock again. Reload the page to order it.")).toBeVisible();
});

test("the account page lists the books that a customer waits for, and cancels a request by keyboard, also for one that is no longer sold", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(context, member);
  await page.goto("/account");
  const section = page.getByRole("region", { name: "Books you're waiting for" });
  await expect(section).toContainText("You aren't waiting for any books.");

  const [one, other] = [
    await addBook(admin.client, { stock_quantity: 0 }),
    await addBook(admin.client, { stock_quantity: 0 }),
  ];
  for (const { id } of [one, other]) await member.client.rpc("request_stock_alert", { _book_id: id });
  await page.reload();
  await expect(section.getByRole("listitem")).toHaveCount(2);
  await expect(section.getByRole("link").first()).toHaveText(other.title);
  await expectAccessible(page);
  await undoButton(page, other.title).press("Enter");
  await expectMessage(page, "Request cancelled", "We won't email you about this book");
  await expect(askButton(page, other.title)).toBeFocused();
  const { data } = await member.client.from("stock_alerts").select("book_id");
  expect(data).toEqual([{ book_id: one.id }]);
  const { error } = await admin.client.from("books").update({ sale_state: "not_for_sale" }).eq("id", one.id);
  expect(error).toBeNull();
  await page.reload();
  await expect(section.getByText("No longer available")).toBeVisible();
  await undoButton(page, one.title).click();
  await expectMessage(page, "Request cancelled", "We won't email you about this book");
  await expect(section.getByRole("button")).toHaveCount(0);
  expect((await member.client.from("stock_alerts").select("book_id")).data).toEqual([]);
  await section.getByRole("link", { name: one.title }).click();
  await expect(page).toHaveURL(bookPath(one));
});

test.describe("without a connection", () => {
  test.use({ serviceWorkers: "allow", viewport: { width: 360, height: 740 } });

  test("a stored page still shows the request, and pressing the button reports the missing connection and changes nothing", async ({
    page,
    context,
    admin,
    member,
    signIn,
    consoleLines,
  }) => {
    const book = await addBook(admin.client, { stock_quantity: 0 });
    await member.client.rpc("request_stock_alert", { _book_id: book.id });
    await signIn(context, member);
    await page.goto("/about");
    await untilControlled(page);
    await page.goto(bookPath(book));
    await expect(undoButton(page, book.title)).toBeVisible();
    await untilStored(page, bookPath(book));
    for (const code of ["offline-area", "toaster", "read-stock-alerts", "session-backend"])
      await untilFileStored(page, code);

    await context.setOffline(true);
    await expireToken(context);
    await page.reload();
    await expect(banner(page).first()).toContainText("We can't reach the shop.");
    consoleLines.expect(/^Failed to cancel your request/);
    await undoButton(page, book.title).click();
    await expectMessage(
      page,
      "Failed to cancel your request",
      "We can't reach the shop right now. Check your connection and try again.",
    );
    await expect(undoButton(page, book.title)).toBeVisible();
    await context.setOffline(false);
  });
});

test("the page of a sold-out book is accessible, with and without a request", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const book = await addBook(admin.client, { stock_quantity: 0 });
  await signIn(context, member);
  await page.goto(bookPath(book));
  await expect(askButton(page, book.title)).toBeVisible();
  await expectAccessibleAtWidths(page);
  await askButton(page, book.title).click();
  await expect(undoButton(page, book.title)).toBeVisible();
  await expectAccessibleAtWidths(page);
});
