import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { addBook, dataOf, type Member, newIsbn, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { editBook, giveRole, openAdmin, openOrder } from "./back-office.ts";

/** The next request of this browser is refused, and its session cannot be renewed. */
const endSession = (page: Page) =>
  page.evaluate((key) => {
    const session = JSON.parse(localStorage.getItem(key) ?? "");
    const [head, claims] = session.access_token.split(".");
    const ended = { access_token: `${head}.${claims}.c2lnbmF0dXJl`, refresh_token: "never-given-out" };
    localStorage.setItem(key, JSON.stringify({ ...session, ...ended }));
  }, SESSION_KEY);

async function signInHere(page: Page, who: Member): Promise<void> {
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password").fill(who.password);
  await page.getByRole("tabpanel").getByRole("button", { name: "Sign In" }).click();
}

const leftInOffice = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("adwene-office-")));

const isBack = (scope: Pick<Page, "getByText">) => scope.getByText(/^Your text of \d\d:\d\d is back\.$/);

test("what staff type in a note, a quote and a book is there again after a link, Back, a reload and the end of the session, for them alone", {
  tag: "@gate",
}, async ({ page, context, admin, newMember, signIn, consoleLines }) => {
  test.setTimeout(120_000);
  consoleLines.expect(/^Failed to (save book|check the duties)/);
  const [reader, staff] = [await newMember(), await newMember()];
  await giveRole(admin, staff.id, "admin");
  await signIn(context, staff);
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });

  await openAdmin(page, `/admin/users/${reader.id}`, "Reader of the test");
  const note = page.getByLabel("Note for staff");
  await note.fill("Call after five");
  await page.getByRole("link", { name: "Reviews", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Review" })).toBeVisible();
  await page.goBack();
  await expect(note).toHaveValue("Call after five");
  await expect(isBack(page)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(note).toHaveValue("");
  expect(await leftInOffice(page)).toEqual([]);
  await note.fill("Call after six");

  const quoteId = randomUUID();
  await dataOf(
    admin.client.rpc("begin_quote", {
      _quote_id: quoteId,
      _user_id: reader.id,
      _institution: "Castle Road School",
      _contact_name: "Reader",
      _contact_email: reader.email,
      _contact_phone: "+233201234567",
    }),
  );
  const quoted = await addBook(admin.client);
  await page.goto(`/admin/quotes/${quoteId}`);
  await page.getByLabel("Add a book").fill(quoted.title);
  await page.getByRole("button", { name: `Add ${quoted.title}` }).click();
  await page.getByLabel(`Quantity of ${quoted.title}`).fill("12");
  await page.getByLabel("Note to the customer").fill("Delivered in two parts");
  await page.reload();
  await expect(page.getByLabel(`Quantity of ${quoted.title}`)).toHaveValue("12");
  await expect(page.getByLabel("Note to the customer")).toHaveValue("Delivered in two parts");
  await expect(isBack(page)).toBeVisible();

  const book = await addBook(admin.client, { description: "One line", isbn: newIsbn().isbn13 });
  const dialog = await editBook(page, book.title);
  await dialog.getByLabel("Description").fill("Twenty lines");
  await endSession(page);
  await dialog.getByRole("button", { name: "Update Book" }).click();
  await expectMessage(page, "You have been signed out. Sign in and try again.");
  await admin.client.from("books").update({ description: "Two lines" }).eq("id", book.id).throwOnError();
  await signInHere(page, staff);
  await expect(page).toHaveURL(/\/admin\/books\?q=Atlas/);
  await expect(page.getByText(/^You left a form unfinished here at .*Twenty lines/)).toBeVisible();
  await page.getByRole("button", { name: `Edit ${book.title}` }).click();
  await expect(dialog.getByLabel("Description")).toHaveValue("Twenty lines");
  await expect(dialog.getByRole("alert")).toContainText("Two lines");
  await expect(page.getByText(/^You left a form unfinished/)).toBeHidden();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Update Book" }).click();
  await expectMessage(page, "Book updated successfully");
  await page.getByRole("button", { name: `Edit ${book.title}` }).click();
  await expect(dialog.getByLabel("Description")).toHaveValue("Twenty lines");
  await expect(dialog.getByText("is back.")).toBeHidden();
  await dialog.getByRole("button", { name: "Close" }).click();

  await endSession(page);
  await page.goto(`/admin/quotes/${quoteId}`);
  await signInHere(page, admin);
  await expect(page).toHaveURL("/shop");
  await expect.poll(() => leftInOffice(page)).toEqual([]);
  await page.goto(`/admin/quotes/${quoteId}`);
  await expect(page.getByLabel("Note to the customer")).toHaveValue("");

  await openAdmin(page, `/admin/users/${reader.id}`, "Reader of the test");
  await expect(note).toHaveValue("");
  await note.fill("Signing out forgets it");
  await page.getByRole("button", { name: "Sign Out", exact: true }).click();
  await signInHere(page, admin);
  await expect(page).toHaveURL("/shop");
  expect(await leftInOffice(page)).toEqual([]);
  expect(questions).toEqual([]);
});

test("a payment whose response was lost is there again as it was left, and is not recorded twice when it is changed since", async ({
  page,
  context,
  admin,
  newMember,
  signIn,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to record it/);
  const book = await addBook(admin.client, { price: 50 });
  const order = await placeOrder(await newMember(), book, 2);
  const recorded = async () => {
    const rows = await dataOf(
      admin.client.from("payments").select("amount").eq("order_id", order).order("amount"),
    );
    return rows.map(({ amount }) => amount);
  };
  await signIn(context, admin);
  const details = page.getByRole("dialog", { name: "Order Details" });
  const form = details.getByRole("form", { name: "Record a payment" });
  const openDetails = async () =>
    (await openOrder(page, order)).getByRole("button", { name: /View details/ }).click();
  await openDetails();
  await details.getByRole("button", { name: "Record a payment" }).click();
  await form.getByLabel("Method").selectOption("Cash");
  await form.getByLabel("Amount, GH₵").fill("20");
  await page.route("**/rpc/record_payment", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await form.getByRole("button", { name: "Record" }).click();
  await expectMessage(page, "Failed to record it");
  await page.unroute("**/rpc/record_payment");

  // What is owed meanwhile proposes a refund: the text that is back must not become one.
  await admin.client.from("orders").update({ status: "cancelled" }).eq("id", order).throwOnError();
  await openDetails();
  await expect(isBack(form)).toBeVisible();
  await expect(form.getByLabel("What happened")).toHaveValue("payment");
  await expect(form.getByLabel("Method")).toHaveValue("cash");
  await form.getByLabel("Amount, GH₵").fill("25");
  await form.getByRole("button", { name: "Record" }).click();
  await expectMessage(
    page,
    "This was already recorded, before your last changes. You'll find it among the order's payments.",
  );
  await expect(form.getByText(/^This was already saved, before your last changes\./)).toBeVisible();
  await expect(isBack(form)).toBeHidden();
  await expectAccessibleAtWidths(page);
  expect(await recorded()).toEqual([20]);

  await form.getByRole("button", { name: "Allow Another" }).click();
  await form.getByRole("button", { name: "Record" }).click();
  await page.getByRole("button", { name: "Record it" }).click();
  await expectMessage(page, "Payment recorded");
  await expect(form).toBeHidden();
  expect(await recorded()).toEqual([20, 25]);
  expect(await leftInOffice(page)).toEqual([]);
});
