import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { bookPath } from "#app/features/books/book-address.ts";
import { demoAdmin, demoShop } from "#tests/support/demo-shop.ts";
import { eventually } from "#tests/support/eventually.ts";
import { addBook, type Member, newTitle } from "#tests/support/factories.ts";
import { headingsOf, linksOf, readPage, textOf } from "#tests/support/read-page.ts";
import { shopPages } from "#tests/support/shop-pages.ts";

let admin: Member;
beforeAll(async () => {
  admin = await demoAdmin();
});

/** A drawn cover writes it a second time, beside the card's own line. What other tests search for does not find it. */
const subject = "Geography";

/** The card of a book on the shelf that is found by its title. */
async function cardOf(title: string) {
  const { main } = await readPage(`/shop?q=${encodeURIComponent(title)}`);
  const [card, ...others] = main.querySelectorAll('ul[aria-label="Books"] article');
  if (!card || others.length > 0) throw new Error(`There is not one card of ${title}`);
  return card;
}

test("a book's cover is the uploaded image", async () => {
  const image_url = "https://covers.example/cover.jpg";
  const { title } = await addBook(admin.client, { title: newTitle(), image_url, subject });
  expect((await cardOf(title)).querySelector("img")?.getAttribute("src")).toBe(image_url);
});

test.each([
  ["without an image", null],
  ["whose image would be loaded without encryption", "http://covers.example/cover.jpg"],
])("the cover of a book %s is drawn from its data", async (_, image_url) => {
  const { title } = await addBook(admin.client, { title: newTitle(), image_url, subject });
  const card = await cardOf(title);
  expect(card.querySelector("img")).toBeNull();
  expect(card.outerHTML).not.toContain("covers.example");
  expect(textOf(card).split(subject)).toHaveLength(3);
});

test("a book's cover is a built-in one if the title's series has one, cached by browsers for ever", async () => {
  const { title } = await addBook(admin.client, { title: newTitle("Big Cat: The River Crossing") });
  const source = (await cardOf(title)).querySelector("img")?.getAttribute("src") ?? "";
  expect(source).toMatch(/^\/pictures\/covers\/big-cat-the-river-crossing-.+-300\.avif$/);
  const file = await fetch(demoShop().url + source);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/avif"]);
  expect(file.headers.get("cache-control")).toContain("immutable");
});

test("the URL of a book without its title, or with an old one, redirects to the current one", async () => {
  const book = await addBook(admin.client, { title: newTitle("Atlas") });
  for (const path of [`/books/${book.id}`, `/books/${book.id}/an-old-title`]) {
    const { status, headers } = await readPage(path);
    expect([status, headers.get("location")]).toEqual([301, bookPath(book)]);
  }
});

test.each(["/books/1", "/books/00000000-0000-4000-8000-000000000000/atlas", "/books/a/b/c"])(
  "%s, an unknown book, returns the 404 page",
  async (path) => {
    const { status, main } = await readPage(path);
    expect([status, headingsOf(main, 1)]).toEqual([404, ["Oops! Page not found"]]);
  },
);

test("returns the same page for every unknown book, and another for anything else that is missing", async () => {
  const read = async (path: string) => {
    const { status, html, headers } = await readPage(path);
    return { status, html, policy: headers.get("content-security-policy"), link: headers.get("link") };
  };
  // The catalogue may change in between.
  await eventually(async () => {
    const missing = await read(`/books/${randomUUID()}`);
    expect(missing).toMatchObject({ status: 404, link: expect.stringContaining("as=style") });
    for (const path of [`/books/${randomUUID()}`, `/books/${randomUUID()}/a-title`, "/books/1"])
      expect(await read(path), path).toEqual(missing);
    for (const path of ["/products/none", "/lists/NONE22", "/no-such-page"]) {
      const other = await read(path);
      expect([other.status, other.html === missing.html], path).toEqual([404, false]);
    }
  });
});

test("search engines and link previews get a book's data and cover, as text whatever it contains", async () => {
  const { url } = demoShop();
  const title = newTitle(`</script><script>alert(1)</script> "Quotes" & <b>`);
  const cover = "https://covers.example/atlas.jpg";
  const book = await addBook(admin.client, {
    title,
    authors: "Ama Ata Aidoo",
    isbn: "978-0-00-813536-2",
    price: 45.5,
    image_url: cover,
  });
  const { html, document } = await readPage(bookPath(book));
  expect(headingsOf(document, 1)).toEqual([title]);
  const [data, ...more] = document.querySelectorAll('script[type="application/ld+json"]');
  expect(more).toEqual([]);
  expect(JSON.parse(data?.rawText ?? "")).toMatchObject({
    "@type": ["Product", "Book"],
    name: title,
    url: url + bookPath(book),
    image: cover,
    isbn: "9780008135362",
    offers: { price: "45.50", priceCurrency: "GHS", availability: "https://schema.org/InStock" },
  });
  const property = (name: string) =>
    document.querySelector(`meta[property="${name}"]`)?.getAttribute("content");
  expect([property("og:image"), property("og:title")]).toEqual([cover, title]);
  expect(document.querySelector("link[rel=canonical]")?.getAttribute("href")).toBe(url + bookPath(book));
  expect(html).not.toContain("<script>alert(1)");
});

test("a book's page says before its details when it comes, and leads to what happens if it is the wrong one", async () => {
  const book = await addBook(admin.client, {
    title: newTitle("Soon here"),
    description: "All about rivers.",
    edition: "2nd Edition",
  });
  const { main } = await readPage(bookPath(book));
  const text = textOf(main);
  const places = [
    "Delivery is free across Ghana",
    "Delivery and returns",
    "All about rivers.",
    "2nd Edition",
  ].map((words) => text.indexOf(words));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(linksOf(main)).toContainEqual(["Delivery and returns", "/delivery-and-returns"]);
});

test("the link preview of a book without a cover is a picture that messengers show", async () => {
  for (const [title, type] of [
    ["Watercolours", "image/png"],
    ["School Atlas for West Africa", "image/jpeg"],
  ]) {
    const { html } = await readPage(bookPath(await addBook(admin.client, { title, subject })));
    const address = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1];
    const picture = await fetch(address ?? "");
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, type]);
  }
});

test("a sold-out book says so and cannot be added; the last few copies are counted", async () => {
  const deleted = await addBook(admin.client, { title: newTitle("Gone"), stock_quantity: 0 });
  const { main } = await readPage(bookPath(deleted));
  expect(textOf(main)).toContain("Out of stock");
  const button = main.querySelectorAll("button").find((each) => textOf(each).startsWith("Out of Stock"));
  expect(button?.hasAttribute("disabled")).toBe(true);
  expect(textOf(main)).not.toContain("Sign In to Add: Gone");
  const few = await addBook(admin.client, { title: newTitle("Few"), stock_quantity: 3 });
  expect(textOf((await readPage(bookPath(few))).main)).toContain("Only 3 left");
});

test("the site map lists every public page and every book, and they exist", async () => {
  const { url } = demoShop();
  expect((await readPage("/sitemap.xml?part=1")).status).toBe(404);
  const response = await fetch(`${url}/sitemap.xml`);
  expect(response.headers.get("content-type")).toContain("application/xml");
  const listed = [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, each = ""]) => each);
  const books = listed.filter((address) => address.startsWith(`${url}/books/`));
  const pages = listed.filter((address) => !books.includes(address));
  const indexed = shopPages.filter((path) => !path.startsWith("/search"));
  expect(pages.sort()).toEqual(indexed.map((path) => `${url}${path}`).sort());
  const { count } = await admin.client.from("books").select("id", { count: "exact", head: true });
  expect(books).toHaveLength(count ?? -1);
  const demo = books.filter((address) => address.includes("cambridge-primary"));
  for (const address of [...pages, ...demo.slice(0, 3)])
    expect([address, (await fetch(address, { redirect: "manual" })).status]).toEqual([address, 200]);
});
