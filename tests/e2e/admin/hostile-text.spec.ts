import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { addBook, dataOf, fillCart, newTitle, placeOrder } from "#tests/support/factories.ts";
import { expect, type Member, test } from "#tests/support/test.ts";
import { openAdmin, openBook, openOrder, otherBrowser, shortId } from "./back-office.ts";

const TURN = "\u202e";
const TURNED = "drawn from right to left";
const SCRIPTS = '<img src=x onerror="executed=1"><script>executed=1</script>';

/** Markup that would run, then the character that reverses the writing direction of what follows on its line. */
const hostile = (words: string) => `${words} ${SCRIPTS} ${TURN}${TURNED}`;

/**
 * Which texts of the page are mirrored, or joined to a hostile one before them; how many hostile ones are drawn. The
 * positions of two neighbouring letters show in which direction a text is drawn.
 */
async function readDirections(page: Page) {
  return page.evaluate(
    ([turn, turned]) => {
      const disturbed: string[] = [];
      let hostile = 0;
      const isMirrored = (text: Text, from: number): boolean | null => {
        const [first, second] = [from, from + 1].map((at) => {
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          return range.getBoundingClientRect();
        });
        if (!first?.width || !second?.width || Math.abs(first.top - second.top) > 1) return null;
        return second.left < first.left;
      };
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode as Text;
        if (text.parentElement?.closest("script, style, option, svg")) continue;
        const at = text.data.indexOf(turn);
        const letters = at === -1 ? text.data.search(/[A-Za-z0-9]{2}/) : at + 1;
        const mirrored = letters === -1 ? null : isMirrored(text, letters);
        if (mirrored === null) continue;
        if (at === -1 && mirrored) disturbed.push(text.data);
        if (at !== -1 && mirrored) hostile += 1;
        if (at !== -1 && text.data.slice(at + 1).trimEnd() !== turned) disturbed.push(text.data);
      }
      return { disturbed, hostile, executed: "executed" in window };
    },
    [TURN, TURNED] as const,
  );
}

/** At least this many hostile texts are drawn as text, nothing beside them is turned, and nothing has run. */
async function expectHarmless(page: Page, where: string, atLeast: number): Promise<void> {
  await expect.poll(async () => (await readDirections(page)).hostile, where).toBeGreaterThanOrEqual(atLeast);
  expect(await readDirections(page), where).toMatchObject({ disturbed: [], executed: false });
}

/** A customer with a hostile name, a hostile book in several copies, and an order of it to a hostile address. */
async function prepare(admin: Member, member: Member) {
  const words = newTitle("Turned");
  const title = hostile(words);
  const name = await member.client
    .from("profiles")
    .update({ full_name: hostile("Ama") })
    .eq("id", member.id);
  expect(name.error).toBeNull();
  const book = await addBook(admin.client, {
    title,
    publisher: hostile(newTitle("Press")),
    stock_quantity: 9,
  });
  // Thirteen digits that no other book has, and no check digit: the form shows two hints.
  const isbn = String(Date.now());
  const details = { subject: hostile("Art"), course: hostile("Course"), edition: "2nd Edition", isbn };
  for (const values of [{ ...details, age_range: hostile("Ages") }, { age_range: "9-10 years" }])
    expect((await admin.client.from("books").update(values).eq("id", book.id)).error).toBeNull();
  const order = await placeOrder(member, book, 2, {
    shipping_address: hostile("4 School Lane"),
    recipient_name: hostile("Storekeeper"),
  });
  return { words, title, book, isbn, order };
}

test("markup and reversed writing show as text in the back office and affect nothing beside them", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  test.setTimeout(120_000);
  await signIn(context, admin);
  const { words, title, book, isbn, order } = await prepare(admin, member);

  await openAdmin(page, "/admin", "Admin Dashboard");
  await expectHarmless(page, "dashboard", 2);
  await openAdmin(page, `/admin/users?q=${member.email}`, "User Management");
  await expectHarmless(page, "users", 1);
  await page.goto(`/admin/users/${member.id}`);
  await expectHarmless(page, "person", 2);

  const row = await openBook(page, words);
  await expectHarmless(page, "books", 2);
  await row.getByRole("button", { name: `Delete ${title}` }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectHarmless(page, "deleting a book", 3);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add Book" }).click();
  await page.getByRole("dialog").getByLabel("ISBN").fill(isbn);
  await expect(page.getByText("Another book has this ISBN")).toBeVisible();
  await expectHarmless(page, "another book with the ISBN", 3);

  const orderRow = await openOrder(page, order);
  await expectHarmless(page, "orders", 1);
  await orderRow.getByRole("button", { name: /View details/ }).click();
  await expect(page.getByRole("dialog").getByText("Status history")).toBeVisible();
  await expectHarmless(page, "order details", 6);
  await openAdmin(page, `/admin/orders/${order}/packing-list`, "Packing list");
  await expect(page.getByRole("main").getByText(title, { exact: true })).toBeVisible();
  await expectHarmless(page, "packing list", 4);

  // Customers cannot write reviews yet.
  await page.route(/rpc\/admin_list_reviews/, async (route) => {
    const answer = await route.fetch();
    const [review] = await answer.json();
    const texts = { book_title: title, customer_name: hostile("Ama"), review_text: hostile("Good") };
    await route.fulfill({ response: answer, json: [{ ...review, ...texts }] });
  });
  await openAdmin(page, "/admin/reviews", "Review Management");
  await expectHarmless(page, "reviews", 3);
  await page.getByRole("button", { name: /^Delete the review/ }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectHarmless(page, "deleting a review", 5);

  await openAdmin(page, `/admin/activity?q=${order}`, "Activity");
  await page
    .getByRole("button", { name: `Show all of ${shortId(order)}` })
    .first()
    .click();
  await expectHarmless(page, "an order in Activity", 3);
  await openAdmin(page, `/admin/activity?q=${member.email}`, "Activity");
  await expectHarmless(page, "a person in Activity", 1);
  await openAdmin(page, `/admin/activity?q=${book.id}`, "Activity");
  await expect(page.getByText("9-10 years")).toBeVisible();
  await expectHarmless(page, "a book in Activity", 2);
});

test("markup and reversed writing show as text in the shop and affect nothing beside them", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  test.setTimeout(120_000);
  await signIn(context, member);
  const { words, title, book, order } = await prepare(admin, member);
  expect((await member.client.from("wishlists").insert({ user_id: member.id, book_id: book.id })).error).toBe(
    null,
  );
  const inCart = await member.client.rpc("add_to_cart", { _book_id: book.id, _quantity: 99 });
  expect(inCart.error).toBeNull();
  const publisher = encodeURIComponent(hostile("Press"));
  for (const [path, atLeast] of [
    [`/shop?q=${words}`, 3],
    [`/shop?publisher=${publisher}&subject=${encodeURIComponent(hostile("Art"))}`, 0],
    [`/search?q=${words}`, 5],
    [`/search?q=${words}&tab=subjects`, 1],
    [`/search?q=${encodeURIComponent(title)}`, 1],
    ["/wishlist", 3],
    ["/checkout", 1],
    [`/order-confirmation/${order}`, 4],
  ] as const) {
    await page.goto(path);
    await expectHarmless(page, path, atLeast);
  }
  await page.goto("/shop");
  await page.getByRole("button", { name: /cart/i }).first().click();
  await expect(page.getByRole("dialog").getByText("Only 7 left")).toBeVisible();
  await expectHarmless(page, "cart", 2);
});

/** A published list and a sent quote in which every text is hostile, and the book of both. */
async function prepareForSchools(admin: Member, member: Member) {
  const { title, book } = await prepare(admin, member);
  const school = hostile(newTitle("Hill"));
  const names = { _school: school, _class_name: hostile("C"), _school_year: "2026/2027", _is_listed: true };
  const lines = [{ book_id: book.id, note: hostile("Covered") }, { title: hostile("Ruler") }];
  const draft = await dataOf(
    admin.client.rpc("save_booklist", { ...names, _introduction: hostile("Welcome"), _lines: lines }),
  );
  const version = { _id: draft.id, _updated_at: draft.updated_at, _status: "published" };
  const list = await dataOf(admin.client.rpc("set_booklist_status", version));
  await fillCart(member.client, book.id, 3);
  const quote = await dataOf(
    member.client.rpc("request_quote", {
      _quote_id: randomUUID(),
      _institution: school,
      _contact_name: hostile("Bursar"),
      _contact_email: "bursar@school.example",
      _contact_phone: "+233201234567",
      _message: hostile("Soon"),
    }),
  );
  const quoted = [{ book_id: book.id, quantity: 3, unit_price: 4 }];
  const offer = { _quote_id: quote, _version: 1, _lines: quoted, _note: hostile("Gladly") };
  await dataOf(admin.client.rpc("update_quote", offer));
  await dataOf(admin.client.rpc("send_quote", { _quote_id: quote, _version: 2 }));
  const consultation = randomUUID();
  const asked = {
    _name: hostile("Head"),
    _institution: school,
    _about: hostile("Maths"),
    _phone: "0201234567",
  };
  const details = { _subject: hostile("Sums"), _classes: hostile("P"), _wished_days: hostile("Monday") };
  await member.client.rpc("request_consultation", { _id: consultation, ...asked, ...details });
  await dataOf(
    admin.client.rpc("answer_consultation", {
      _id: consultation,
      _version: 1,
      _answer_id: randomUUID(),
      _body: hostile("Answer"),
    }),
  );
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const meeting = { _meets_at: soon, _how: "online", _place: hostile("Zoom") };
  await dataOf(admin.client.rpc("date_consultation", { _id: consultation, _version: 2, ...meeting }));
  return { title, school, list, quote, consultation };
}

test("markup and reversed writing show as text on booklists, quotes and consultations, in the shop and its back office", async ({
  page,
  context,
  browser,
  admin,
  member,
  signIn,
}) => {
  test.setTimeout(180_000);
  const { title, school, list, quote, consultation } = await prepareForSchools(admin, member);
  const found = encodeURIComponent(school.split(" ")[0] ?? "");
  const look = async (at: Page, path: string, atLeast: number) => {
    await at.goto(path);
    await expectHarmless(at, path, atLeast);
  };
  await signIn(context, member);
  await look(page, `/lists?q=${found}`, 2);
  await look(page, `/lists/${list.code.slice(0, 5)}-${list.code.slice(5)}`, 7);
  await look(page, `/lists/${list.code.slice(0, 5)}-${list.code.slice(5)}/poster`, 2);
  await look(page, "/quotes", 1);
  await look(page, `/quotes/${quote}`, 4);
  await look(page, "/account", 2);
  await page.goto("/bulk-order");
  await page.getByRole("textbox", { name: "Your list" }).fill(`${title}\t2\n${hostile("Nobody")}\t3`);
  await page.getByRole("button", { name: "Check lines" }).click();
  await expectHarmless(page, "bulk order", 3);

  const office = await otherBrowser(browser, signIn, admin);
  await look(office, `/admin/booklists?q=${found}`, 2);
  await look(office, `/admin/booklists/${list.id}`, 4);
  await look(office, `/admin/quotes?q=${found}`, 2);
  await look(office, `/admin/quotes/${quote}`, 4);
  await look(office, `/admin/consultations?q=${found}`, 3);
  await look(office, `/admin/consultations/${consultation}`, 6);
  await look(office, `/admin/activity?q=${list.id}`, 1);
  await look(office, `/admin/activity?q=${quote}`, 1);
  await office.context().close();
});
