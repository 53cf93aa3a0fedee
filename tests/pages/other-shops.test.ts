import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import { signInMember } from "#tests/support/factories.ts";
import { startFailingBackend } from "#tests/support/failing-backend.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { headingsOf, linksOf, readPage, textOf } from "#tests/support/read-page.ts";
import { connect } from "#tests/support/shop-client.ts";
import { ADMIN, type ShopServer, START_MS, startShop } from "#tests/support/shop-server.ts";
import { demoPublishers } from "../../supabase/seed/demo-publishers.ts";

describe("a shop without books", () => {
  let empty: ShopServer;
  beforeAll(async () => {
    empty = await startPreparedShop("empty");
  }, START_MS);
  afterAll(() => empty?.stop());

  test.each([
    "/",
    "/about",
    "/shop",
    "/search?q=maths",
    "/products",
    "/guidance",
    "/contact",
    "/sitemap.xml",
  ])("an empty shop names none of the demo's publishers on %s", async (path) => {
    const { html } = await readPage(path, empty);
    // The publishable key and the names of built files are random letters, which can spell a short name.
    const written = html.replace(/sb_publishable_[\w-]+|\/assets\/[\w.-]+/g, "");
    for (const { name, slug } of demoPublishers) {
      expect(written).not.toContain(name.replace("&", "&amp;"));
      expect(written).not.toContain(`/products/${slug}`);
    }
  });

  test.each(demoPublishers.map(({ slug }) => slug))(
    "an empty shop has no page /products/%s",
    async (slug) => {
      expect((await readPage(`/products/${slug}`, empty)).status).toBe(404);
    },
  );

  test("an empty shop's page of publishers leads to the shop, and no menu leads there", async () => {
    const { main, html } = await readPage("/products", empty);
    expect(linksOf(main)).toContainEqual(["Shop Books", "/shop"]);
    expect(html).not.toContain("All publishers");
  });

  test("an empty shop's catalogue says that the shop has no books yet, and what nothing matches only of a search", async () => {
    const nothingMatches = "No books found matching your search criteria.";
    for (const path of ["/shop", "/shop?q=", "/shop?sort=price", "/shop?page=3"]) {
      const { main } = await readPage(path, empty);
      expect(textOf(main), path).toContain("Our shelves are still empty.");
      expect(textOf(main), path).not.toContain(nothingMatches);
      expect(linksOf(main), path).toContainEqual(["Contact Us", "/contact"]);
      expect(linksOf(main), path).not.toContainEqual(["Clear Filters", "/shop"]);
    }
    for (const path of ["/shop?q=maths", "/shop?stock=in"]) {
      const { main } = await readPage(path, empty);
      expect(textOf(main), path).toContain(nothingMatches);
      expect(linksOf(main), path).toContainEqual(["Clear Filters", "/shop"]);
    }
  });

  test("an empty shop's home page shows no shelves and no links to books", async () => {
    const { main } = await readPage("/", empty);
    expect(textOf(main)).not.toContain("From the shop");
    expect(linksOf(main).filter(([name]) => name.endsWith("Mathematics"))).toEqual([]);
  });

  test("an owner's publisher is in every menu and has a page within seconds, and so are its books and the limit for low stock", async () => {
    const { client } = await signInMember(await connect(empty, "2001:db8::1"), ADMIN.email, ADMIN.password);
    const publisher = { name: "Adom University Press", slug: "adom", known_for: ["Readers"] };
    const saved = await client.rpc("save_publisher", { _id: randomUUID(), _publisher: publisher });
    expect(saved.error).toBeNull();
    await eventually(
      async () => {
        const { main } = await readPage("/products/adom", empty);
        expect(textOf(main)).toContain("No Adom books available at the moment.");
        expect(linksOf(main)).toContainEqual(["Browse all books", "/shop"]);
      },
      { timeout: 20_000, interval: 100 },
    );
    // The page of the publisher was not cached; others show it within the second that the catalogue's version is.
    await eventually(
      async () => {
        for (const path of ["/", "/about", "/products"]) {
          const links = linksOf((await readPage(path, empty)).document);
          expect(links.filter(([, href]) => href === "/products/adom").length, path).toBeGreaterThanOrEqual(
            3,
          );
        }
        expect((await readPage("/sitemap.xml", empty)).html).toContain("/products/adom<");
      },
      { timeout: 20_000, interval: 100 },
    );
    // Its owner has written nothing beside the publishers yet: there is no paragraph without words.
    const publishers = (await readPage("/", empty)).main.querySelector('[aria-labelledby="publishers"]');
    expect(textOf(publishers)).toContain("one order");
    expect(publishers?.querySelectorAll("p").map(textOf)).not.toContain("");

    const book = { title: "A book of the owner's", publisher: publisher.name, price: 30, stock_quantity: 4 };
    expect((await client.from("books").insert(book)).error).toBeNull();
    await eventually(
      async () => {
        const { main } = await readPage("/products/adom", empty);
        expect(main.querySelectorAll("article").map(textOf)).toEqual([expect.stringContaining(book.title)]);
        expect(textOf(main)).toContain("Sign In to Add");
        expect(textOf(main)).toContain("4 left");
      },
      { timeout: 20_000, interval: 100 },
    );

    const { error } = await client.rpc("update_settings", { _values: { lowStock: 4 }, _seen: {} });
    expect(error).toBeNull();
    await eventually(
      async () => {
        const { main } = await readPage("/products/adom", empty);
        expect(textOf(main)).not.toContain("4 left");
        const [, path = ""] = linksOf(main).find(([name]) => name === book.title) ?? [];
        expect(textOf((await readPage(path, empty)).main)).toMatch(/^(?!.*Only 4 left).*In stock/s);
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

  test.each(["/shop", "/search?q=maths", "/products", "/products/cambridge", "/products/cgp"])(
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

  test("while the backend fails, /events says so instead of showing no events", async () => {
    const { status, html, main } = await readPage("/events", broken);
    expect(status).toBe(503);
    const alert = main.querySelector("[role=alert]");
    expect(textOf(alert)).toMatch(/^Failed to load events: [A-Z]/);
    expect(html).not.toContain("private words");
    expect(headingsOf(main, 1)).toEqual(["Events and Trainings"]);
    expect(linksOf(alert)).toContainEqual(["Try Again", "/events"]);
  });

  test.each(["/", "/about", "/contact", "/guidance", "/search", "/terms", "/privacy"])(
    "while the backend fails, %s is still shown",
    async (path) => {
      expect((await readPage(path, broken)).status).toBe(200);
    },
  );
});
