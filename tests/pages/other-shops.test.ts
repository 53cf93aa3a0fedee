import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { signInMember } from "#tests/support/factories.ts";
import { startFailingBackend } from "#tests/support/failing-backend.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { headingsOf, linksOf, readPage, textOf } from "#tests/support/read-page.ts";
import { connect } from "#tests/support/shop-client.ts";
import { listedPublishers } from "#tests/support/shop-pages.ts";
import { ADMIN, type ShopServer, START_MS, startShop } from "#tests/support/shop-server.ts";

describe("a shop without books", () => {
  let empty: ShopServer;
  beforeAll(async () => {
    empty = await startPreparedShop("empty");
  }, START_MS);
  afterAll(() => empty?.stop());

  test("an empty shop says so on the page of Cambridge", async () => {
    const { main } = await readPage("/products/cambridge", empty);
    expect(textOf(main)).toContain("No Cambridge books available at the moment.");
  });

  test.each(Object.entries(listedPublishers))(
    "an empty shop says so on /products/%s and lists no titles of %s",
    async (slug, name) => {
      const { main } = await readPage(`/products/${slug}`, empty);
      expect(textOf(main)).toContain(`No ${name} books available at the moment.`);
      expect(textOf(main)).not.toContain("In Stock");
      expect(main.querySelectorAll("article")).toEqual([]);
      expect(linksOf(main)).toContainEqual(["Browse all books", "/shop"]);
    },
  );

  test("an empty shop's home page shows no shelves and no links to books", async () => {
    const { main } = await readPage("/", empty);
    expect(textOf(main)).not.toContain("From the shop");
    expect(linksOf(main).filter(([name]) => name.endsWith("Mathematics"))).toEqual([]);
  });

  test("an owner's first book is on its publisher's page within seconds", async () => {
    const { client } = await signInMember(await connect(empty, "2001:db8::1"), ADMIN.email, ADMIN.password);
    const book = { title: "A book of the owner's", publisher: "Collins", price: 30, stock_quantity: 4 };
    expect((await client.from("books").insert(book)).error).toBeNull();
    await vi.waitFor(
      async () => {
        const { main } = await readPage("/products/collins", empty);
        expect(main.querySelectorAll("article").map(textOf)).toEqual([expect.stringContaining(book.title)]);
        expect(textOf(main)).toContain("Sign In to Add");
      },
      { timeout: 20_000, interval: 100 },
    );
  });
});

describe("while the backend fails", () => {
  let broken: ShopServer;
  let stopBackend: () => Promise<void>;
  beforeAll(async () => {
    const backend = await startFailingBackend();
    stopBackend = backend.stop;
    const env = { SUPABASE_URL: backend.url, SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test" };
    broken = await startShop(env);
  }, START_MS);
  afterAll(async () => {
    await broken?.stop();
    await stopBackend?.();
  });

  test.each(["/shop", "/search?q=maths", "/products/cambridge", "/products/cgp"])(
    "while the backend fails, %s says that books could not be loaded and offers to try again",
    async (path) => {
      const { status, html, main } = await readPage(path, broken);
      expect(status).toBe(503);
      const alert = main.querySelector("[role=alert]");
      expect(textOf(alert)).toMatch(/^Failed to load books: [A-Z]/);
      expect(html).not.toContain("private words");
      expect(headingsOf(main, 1)).toHaveLength(1);
      expect(linksOf(alert)).toContainEqual(["Try Again", path]);
    },
  );

  test.each(["/", "/about", "/contact", "/guidance", "/events", "/products", "/search"])(
    "while the backend fails, %s is still shown",
    async (path) => {
      expect((await readPage(path, broken)).status).toBe(200);
    },
  );
});
