import { expect, test } from "vitest";
import { formatCedis, pesewasFromCedis } from "#shared/text/money.ts";
import { headingsOf, labelled, linksOf, readPage, textOf } from "#tests/support/read-page.ts";
import { listedPublishers } from "#tests/support/shop-pages.ts";
import { listedTitles } from "../../supabase/seed/demo-publishers.ts";

const booksBy = (name: string) => `/shop?publisher=${encodeURIComponent(name)}`;

test("the page of all publishers links to each of the six", async () => {
  const { main } = await readPage("/products");
  const targets = main.querySelectorAll("li").flatMap((item) => linksOf(item).map(([, href]) => href));
  expect(targets.sort()).toEqual([
    "/products/cambridge",
    "/products/cgp",
    "/products/collins",
    "/products/hachette",
    "/products/schofield",
    "/products/skoldo",
  ]);
});

test.each(Object.entries(listedPublishers))(
  "/products/%s shows the fixed list of %s, all in stock; titles lead to their books, all else to the publisher's",
  async (slug, name) => {
    const { main } = await readPage(`/products/${slug}`);
    expect(headingsOf(main, 1)).toEqual([name]);
    expect(linksOf(main)).toContainEqual(["Get Resource Guidance", "/guidance"]);
    const cards = labelled(main, `Titles by ${name}`).querySelectorAll("article");
    const titles = listedTitles[name];
    expect(cards).toHaveLength(titles.length);
    for (const [at, { title, price, rating, level }] of titles.entries()) {
      const card = cards[at];
      if (!card) throw new Error(`There is no card for ${title}`);
      const facts = [
        formatCedis(pesewasFromCedis(price)),
        `Rated ${rating?.toFixed(1)} out of 5`,
        level,
        "In Stock",
      ];
      for (const words of [title, ...facts]) expect(textOf(card)).toContain(words);
      expect(linksOf(card)).toEqual([
        [title, expect.stringMatching(/^\/books\/[\da-f-]{36}\//)],
        [`Add ${title}`, booksBy(name)],
        [`Details of ${title}`, booksBy(name)],
      ]);
    }
  },
);

test("the page of CGP also links to the shop and to bulk orders", async () => {
  const { main } = await readPage("/products/cgp");
  expect(linksOf(main)).toContainEqual(["Shop Online", "/shop"]);
  expect(linksOf(main)).toContainEqual(["Contact for Bulk Orders", "/contact?about=bulk"]);
});

test("Schofield & Sims is listed with over 400 resources", async () => {
  const { main } = await readPage("/products/schofield");
  expect(textOf(main)).toContain("over 400 Schofield & Sims resources");
});

test("the page of Cambridge shows its books of the catalogue in three sections of at most 8", async () => {
  const { main } = await readPage("/products/cambridge");
  const sections = ["Primary", "Secondary/IGCSE", "A Level"];
  expect(headingsOf(main, 2)).toEqual(sections);
  for (const section of sections) {
    const cards = labelled(main, section).querySelectorAll("article");
    expect(cards.length).toBeGreaterThan(0);
    expect(cards.length).toBeLessThanOrEqual(8);
    for (const card of cards) {
      expect(textOf(card)).toContain("Cambridge University Press");
      expect(linksOf(card)).toContainEqual([
        expect.stringMatching(/^Details/),
        booksBy("Cambridge University Press"),
      ]);
    }
  }
});
