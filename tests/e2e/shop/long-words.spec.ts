import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { booklistAddress } from "#app/features/booklists/booklist-code.ts";
import { bookPath } from "#app/features/books/book-address.ts";
import { addBook, dataOf, fillCart, newTitle, placeOrder } from "#tests/support/factories.ts";
import { expect, type Member, test } from "#tests/support/test.ts";

/** An unbroken word, as suppliers' files have them, that no other test uses. */
const longWord = (start: string) => newTitle(start).replaceAll(" ", "").padEnd(114, "x");

/** A book whose every text is one long word. */
const addLongBook = (admin: Member) =>
  addBook(admin.client, {
    title: longWord("Title"),
    authors: longWord("Author"),
    publisher: longWord("Publisher"),
    subject: longWord("Subject"),
    course: longWord("Course"),
    grade_level: longWord("Grade"),
    age_range: longWord("Ages"),
    curriculum_type: longWord("Curriculum"),
    edition: longWord("Edition").slice(0, 50),
    description: longWord("Description"),
  });

/** Texts that are drawn outside the window, or outside a table cell, card or list item that they belong to. */
const textsOutside = (page: Page) =>
  page.evaluate(async () => {
    // A panel that is still sliding in is partly outside the window.
    const moving = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(moving.map((animation) => animation.finished));
    const outside: string[] = [];
    const page = document.querySelector("dialog:modal, [role=dialog]") ?? document.querySelector("main");
    const walker = document.createTreeWalker(page ?? document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      const parent = text.parentElement;
      if (!text.data.trim() || !parent?.checkVisibility() || parent.closest("option, script, svg, .sr-only"))
        continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { right, width } = range.getBoundingClientRect();
      const frame = parent.closest("article, li, td, dd, section, main")?.getBoundingClientRect();
      const isScrolled = parent.closest(".overflow-x-auto") !== null;
      const edge = frame?.right ?? window.innerWidth;
      const limit = isScrolled ? edge : Math.min(window.innerWidth, edge);
      if (width > 0 && right > limit + 1) outside.push(`${text.data.slice(0, 30)} ends at ${right}`);
    }
    if (document.documentElement.scrollWidth > window.innerWidth) outside.push("the page scrolls sideways");
    return outside;
  });

async function expectTextsInside(page: Page, selector: string): Promise<void> {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await textsOutside(page), `${selector}, ${width} px wide`).toEqual([]);
  }
}

test("words of 114 letters wrap on every page that shows them", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  test.setTimeout(180_000);
  const book = await addLongBook(admin);
  const twin = await addBook(admin.client, { publisher: book.publisher, course: book.course });
  const order = await placeOrder(member, book, 2, {
    shipping_address: longWord("Street"),
    recipient_name: longWord("Name"),
  });
  await fillCart(member.client, book.id, 2);
  const institution = longWord("School");
  const quote = { _quote_id: randomUUID(), _institution: institution, _contact_name: longWord("Bursar") };
  await dataOf(
    member.client.rpc("request_quote", {
      ...quote,
      _contact_email: "bursar@school.example",
      _contact_phone: "+233201234567",
    }),
  );
  await dataOf(admin.client.rpc("send_quote", { _quote_id: quote._quote_id, _version: 1 }));
  await fillCart(member.client, book.id, 30);
  const draft = await dataOf(
    admin.client.rpc("save_booklist", {
      _school: longWord("School"),
      _class_name: longWord("Class").slice(0, 60),
      _school_year: "2026/2027",
      _lines: [{ book_id: book.id, note: longWord("Note") }],
    }),
  );
  const { code } = await dataOf(
    admin.client.rpc("set_booklist_status", {
      _id: draft.id,
      _updated_at: draft.updated_at,
      _status: "published",
    }),
  );
  await dataOf(
    member.client.from("wishlists").insert({ user_id: member.id, book_id: book.id }).select("book_id"),
  );
  await signIn(context, member);

  // Only its beginning: searching for the whole word is slow.
  const search = encodeURIComponent(book.title.slice(0, 24));
  const publisher = encodeURIComponent(book.publisher ?? "");
  for (const [path, shown] of [
    [`/search?q=${search}`, book.publisher],
    [`/shop?q=${search}`, book.title],
    [`/shop?publisher=${publisher}&course=${encodeURIComponent(book.course ?? "")}`, twin.title],
    [bookPath(book), book.description],
    [bookPath(twin), book.title],
    ["/wishlist", book.title],
    ["/checkout", book.title],
    ["/quotes", institution],
    [`/quotes/${quote._quote_id}`, institution],
    ["/quotes/new", book.title],
    [`/order-confirmation/${order}`, book.title],
    [`/orders/${order}/receipt`, book.title],
    [`/orders/${order}/receipt?paper=delivery-note`, book.title],
    [booklistAddress(code), book.title],
    [`${booklistAddress(code)}/poster`, "Scan"],
  ] as const) {
    await page.goto(path);
    await expect(
      page
        .getByRole("main")
        .getByText(shown ?? "")
        .first(),
      path,
    ).toBeAttached();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await expectTextsInside(page, path);
  }
  await page.getByRole("button", { name: /^Shopping cart/ }).click();
  const panel = page.getByRole("dialog", { name: "Shopping Cart" });
  await expect(panel).toContainText(book.title);
  await expectTextsInside(page, "cart");
});
