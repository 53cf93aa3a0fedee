import type { Page } from "@playwright/test";
import { booklistAddress } from "#app/features/booklists/booklist-code.ts";
import { shop } from "#shared/owner/shop.ts";
import { formatDay } from "#shared/text/dates.ts";
import { addBook, dataOf, newTitle } from "#tests/support/factories.ts";
import { holdBack, holdBackCode } from "#tests/support/intercept.ts";
import { printedHeaderOffset } from "#tests/support/layout.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { findMail } from "#tests/support/outbox.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { expect, expectAccessible, type Member, test } from "#tests/support/test.ts";
import { chooseTab, fillSignUp, followLink, newVisitor } from "../account/account-pages.ts";
import { cartButton, panel } from "./cart-steps.ts";
import { fillIn, placeOrder } from "./checkout-steps.ts";

/** A published list of a school of its own: two required books, a sold-out one, one in words, and an optional one. */
async function addList(staff: Member) {
  const school = newTitle("Hill School");
  const add = (words: string, more: object) => addBook(staff.client, { title: newTitle(words), ...more });
  const maths = await add("Maths", { price: 40 });
  const english = await add("English", { price: 25.5, stock_quantity: 3 });
  const soldOut = await add("Sold out", { stock_quantity: 0 });
  const extra = await add("Extra", { price: 10 });
  const lines = [
    { book_id: maths.id, copies: 2, note: "Covered in paper" },
    { book_id: english.id },
    { book_id: soldOut.id },
    { title: "A Twi reader", note: "From the school office" },
    { book_id: extra.id, is_required: false },
  ];
  const names = { _school: school, _class_name: "Primary 4", _school_year: "2026/2027" };
  const draft = await dataOf(
    staff.client.rpc("save_booklist", { ...names, _lines: lines, _is_listed: true }),
  );
  const version = { _id: draft.id, _updated_at: draft.updated_at, _status: "published" };
  const list = await dataOf(staff.client.rpc("set_booklist_status", version));
  return { school, maths, english, soldOut, extra, list, path: booklistAddress(list.code) };
}

const box = (page: Page, { title }: { title: string }) => page.getByRole("checkbox", { name: title });
const total = (page: Page) => page.getByRole("status").filter({ hasText: "GH₵" });

test("a parent finds a list, ticks books, signs in, returns to the same ticks, and adds them to the cart", {
  tag: "@gate",
}, async ({ page, admin, member }) => {
  const { school, maths, english, soldOut, extra, list, path } = await addList(admin);
  await page.goto("/lists");
  await page.getByLabel("List code or school name").fill(`${school} primary 4`);
  await page.getByRole("button", { name: "Find List" }).click();
  await page.getByRole("link", { name: `Primary 4, ${school}` }).click();
  await expect(page).toHaveURL(path);

  for (const [book, ticked] of [
    [maths, true],
    [english, true],
    [soldOut, false],
    [extra, false],
  ] as const)
    await expect(box(page, book)).toBeChecked({ checked: ticked });
  await expect(box(page, soldOut)).toBeDisabled();
  await expect(page.getByRole("listitem").filter({ hasText: "A Twi reader" })).toContainText(
    "Not sold by us.",
  );
  await expect(total(page)).toHaveText("2 titles, 3 copiesGH₵105.50");
  await box(page, english).uncheck();
  await box(page, extra).check();
  await page.getByLabel("For how many children?").fill("3");
  await expect(total(page)).toHaveText("2 titles, 9 copiesGH₵270.00");
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
  }

  await page.getByRole("button", { name: "Sign In to Add Selected" }).click();
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password").fill(member.password);
  await page.getByRole("tabpanel").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL(path);
  await expect(total(page)).toHaveText("2 titles, 9 copiesGH₵270.00");
  await dataOf(admin.client.from("books").update({ stock_quantity: 1 }).eq("id", extra.id).select("id"));
  await page.getByRole("button", { name: "Add Selected to Cart" }).click();
  await expect(page.getByText("2 titles (9 copies) added to your cart.")).toBeVisible();
  await expect(page.getByText("We have too few copies. Your cart shows how many are left.")).toBeVisible();
  await expect(cartButton(page)).toHaveText(/9 items/);
  await expect(box(page, maths)).not.toBeChecked();
  const cart = await dataOf(
    member.client.from("cart_items").select("quantity, books(title)").order("created_at"),
  );
  expect(cart).toEqual([
    { quantity: 6, books: { title: maths.title } },
    { quantity: 3, books: { title: extra.title } },
  ]);
  expect(list.code).toMatch(/^\w{10}$/);

  await page.reload();
  await expect(page.getByRole("status").filter({ hasText: "From this list" })).toHaveText(
    "From this list2 titles in your cart",
  );
  await page.getByRole("button", { name: "View Cart" }).click();
  const line = panel(page).getByRole("listitem").filter({ hasText: maths.title });
  await line.getByRole("link", { name: `Primary 4, ${school}` }).click();
  await expect(panel(page)).toBeHidden();
  await expect(page).toHaveURL(path);

  // As after the order.
  await dataOf(member.client.from("cart_items").delete().eq("user_id", member.id).select("id"));
  await page.reload();
  await expect(total(page)).toHaveText("Nothing is tickedGH₵0.00");
  await page.getByRole("button", { name: "Tick What Is Required" }).click();
  await expect(box(page, maths)).toBeChecked();
  await expect(page.getByRole("button", { name: "Add Selected to Cart" })).toBeFocused();
});

test("a sold-out line offers an email and another edition, and changed prices are shown", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const { maths, soldOut, path } = await addList(admin);
  const other = await addBook(admin.client, { title: soldOut.title, edition: "Second Edition", price: 33 });
  await signIn(context, member);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(path);
  const line = page.getByRole("listitem").filter({ hasText: "Out of stock" });
  await expect(line).toContainText(`${other.title}, Second Edition, GH₵33.00`);
  await line.getByRole("button", { name: /^Email me when it's back/ }).click();
  await expect(line).toContainText("We'll email you.");
  await line.getByRole("button", { name: /^Add to Cart/ }).click();
  await expect(cartButton(page)).toHaveText(/1 item/);
  await expectAccessible(page);

  await dataOf(admin.client.from("books").update({ price: 44.5 }).eq("id", maths.id).select("id"));
  await page.getByRole("button", { name: "Add Selected to Cart" }).click();
  await expect(page.getByText(`${maths.title} now costs GH₵44.50, not GH₵40.00.`)).toBeVisible();
  const all = await dataOf(member.client.from("cart_items").select("books(title)"));
  expect(all).toHaveLength(3);
});

test("replays a click on a sold-out line's button once its code has loaded", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const { soldOut, path } = await addList(admin);
  await signIn(context, member);
  const { asked, release } = await holdBackCode(page, "In stock in another edition");
  await page.goto(path);
  await asked;
  await page.getByRole("button", { name: /^Email me when it's back/ }).click();
  release();
  await expect(page.getByRole("listitem").filter({ hasText: soldOut.title })).toContainText(
    "We'll email you.",
  );
  await expect(page).toHaveURL(path);
});

test("on a phone, the booklist's button is one line high and the sharing options come after it", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const { extra, path } = await addList(admin);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(path);
  for (const name of ["Sign In to Add Selected", "Add Selected to Cart"]) {
    const button = page.getByRole("button", { name });
    // 48 pixels are the button's least height; two lines of text need more.
    expect((await button.boundingBox())?.height, name).toBe(48);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(360);
    await signIn(context, member);
    await page.reload();
  }
  const last = await page.getByRole("listitem").filter({ hasText: extra.title }).boundingBox();
  for (const name of ["Share on WhatsApp", "Poster with QR code"])
    expect((await page.getByRole("link", { name }).boundingBox())?.y, name).toBeGreaterThan(last?.y ?? 0);
});

test("a list clicked twice before the session is known is added once", { tag: "@gate" }, async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const { path } = await addList(admin);
  await signIn(context, member);
  const release = await holdBack(page, /\/assets\/session-backend-.*\.js$/);
  await page.goto(path);
  await box(page, { title: "Extra" }).check();
  await page.getByRole("button", { name: "Add Selected to Cart" }).dblclick();
  release();
  await expect(page.getByText("3 titles (4 copies) added to your cart.")).toBeVisible();
  await expect(cartButton(page)).toHaveText(/4 items/);
});

test("a parent with a phone ticks books, signs up by the emailed link, returns to the same ticks, and orders", async ({
  page,
  context,
  admin,
  shop,
}, info) => {
  const { maths, english, extra, path } = await addList(admin);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(path);
  await box(page, english).uncheck();
  await box(page, extra).check();
  await page.getByLabel("For how many children?").fill("2");
  const chosen = "2 titles, 6 copiesGH₵180.00";
  await expect(total(page)).toHaveText(chosen);
  await page.getByRole("button", { name: "Sign In to Add Selected" }).click();
  await chooseTab(page, "Sign Up");
  const visitor = newVisitor(info.testId);
  await fillSignUp(page, visitor);
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expectMessage(page, "Account created! Please check your email to verify your account.");

  // The link opens beside the page, as an email program does.
  const { links } = await findMail(shop.dataDir, visitor.email);
  const opened = await context.newPage();
  await opened.setViewportSize({ width: 360, height: 740 });
  await followLink(opened, links.find((link) => link.includes("/auth/v1/verify")) ?? "");
  await opened.getByRole("button", { name: "Back to your books" }).click();
  await expect(opened).toHaveURL(path);
  await expect(total(opened)).toHaveText(chosen);
  expect(await opened.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expect(page).toHaveURL(path);

  await opened.getByRole("button", { name: "Add Selected to Cart" }).click();
  await expect(opened.getByText("2 titles (6 copies) added to your cart.")).toBeVisible();
  await opened.getByRole("link", { name: "Proceed to Checkout" }).first().click();
  await fillIn(opened);
  await placeOrder(opened).click();
  await expect(opened).toHaveURL(/\/order-confirmation\//);
  const { data: order } = await admin.client
    .from("orders")
    .select("total_amount, order_items(title, quantity)")
    .eq("recipient_email", "esi@school.example")
    .eq("total_amount", 180)
    .single();
  expect(order?.order_items).toEqual(
    expect.arrayContaining([
      { title: maths.title, quantity: 4 },
      { title: extra.title, quantity: 2 },
    ]),
  );
});

test("a list and its poster are one A4 page each, with a link preview, and not for search engines", async ({
  page,
  admin,
}) => {
  const { school, path } = await addList(admin);
  for (const [address, shown] of [
    [path, /order at/],
    [`${path}/poster`, /Scan the code/],
  ] as const) {
    await page.goto(address);
    await page.emulateMedia({ media: "print" });
    await expect(page.getByText(shown)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(school);
    await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
    await expect(page.locator("meta[property='og:title']")).toHaveAttribute("content", new RegExp(school));
    const pages = pdfPages(await page.pdf({ format: "A4" }));
    expect(pages, address).toHaveLength(1);
    for (const text of [school, "Primary 4", path, shop.name, shop.phones[0]])
      expect(pages[0], address).toContain(text);
    await expect(page.getByRole("img", { name: /^QR code of/ })).toBeVisible();
    expect(pages[0]).not.toContain("Print this");
    if (address === path) {
      expect(pages[0]).toMatch(/Required, for one pupil\s*GH₵155\.50/);
      expect(pages[0]).toMatch(/With everything optional\s*GH₵165\.50/);
      expect(pages[0]).toContain(`Prices of ${formatDay(new Date().toISOString())}.`);
    }
    expect(await printedHeaderOffset(page)).toBe(0);
    await expectAccessible(page);
  }
});

test("a list of 30 lines is two pages of A4 with every title, note and price, and nothing is cut", async ({
  page,
  admin,
}) => {
  const words = newTitle("A reader with a title of ordinary length, part");
  const rows = Array.from({ length: 30 }, (_, n) => ({ title: `${words} ${n + 1}.`, price: n + 1 + 0.25 }));
  const books = await dataOf(admin.client.from("books").insert(rows).select("id, title, price"));
  const lines = books.map(({ id }, n) => ({
    book_id: id,
    copies: n + 1,
    note: `Note ${n + 1}.`,
    is_required: n < 20,
  }));
  const names = { _school: newTitle("School"), _class_name: "JHS 1", _school_year: "2026/2027" };
  const draft = await dataOf(admin.client.rpc("save_booklist", { ...names, _lines: lines }));
  const version = { _id: draft.id, _updated_at: draft.updated_at, _status: "published" };
  const { code } = await dataOf(admin.client.rpc("set_booklist_status", version));
  await page.goto(booklistAddress(code));
  const pages = pdfPages(await page.pdf({ format: "A4" }));
  expect(pages).toHaveLength(2);
  for (const { title, price } of books) {
    const n = Math.floor(price);
    const own = pages.filter((text) => text.includes(title));
    expect(own, title).toHaveLength(1);
    const from = own[0]?.slice(own[0].indexOf(title)) ?? "";
    const said = [`Note ${n}.`, `${n} ${n === 1 ? "copy" : "copies"} per pupil.`, `GH₵${n}.25`];
    const positions = said.map((text) => from.indexOf(text));
    // All on the line's own page, before the next line.
    expect([title, Math.min(...positions) > 0 && Math.max(...positions) < 300]).toEqual([title, true]);
  }
  // A4 between its margins, at 96 pixels an inch.
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 718, height: 1_047 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(718);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a list can be found by any spelling of its code and read; an unknown code is the 404 page", {
    tag: "@gate",
  }, async ({ page, admin }) => {
    const { school, maths, list, path } = await addList(admin);
    await page.goto("/lists");
    const typed = `${list.code.slice(0, 5)}–${list.code.slice(5)}`.toLowerCase();
    await page.getByLabel("List code or school name").fill(` ${typed} `);
    await page.getByRole("button", { name: "Find List" }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(school);
    await expect(page.getByRole("listitem").filter({ hasText: maths.title })).toContainText("GH₵40.00");
    for (const code of ["K7PXM-3Q9TB", "nothing"])
      for (const address of [`/lists/${code}`, `/lists/${code}/poster`])
        expect((await page.goto(address))?.status(), address).toBe(404);
  });
});
