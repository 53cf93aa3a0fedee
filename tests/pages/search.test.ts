import { describe, expect, test } from "vitest";
import { demoShop } from "#tests/support/demo-shop.ts";
import { headingsOf, labelled, linksOf, readPage, textOf } from "#tests/support/read-page.ts";

/** What people paste, what means something to a pattern, a filter or a URL, and what is too long. */
const texts = [
  "10% Happier",
  "O'Brien",
  "(The Hunger Games, #1)",
  '"quoted, phrase"',
  "%",
  "_",
  "\\",
  "*",
  "100% %_\\*",
  "978-0-521-",
  "📚",
  "a".repeat(5000),
];

const tabs = ["Books", "Publishers", "Courses", "Subjects"] as const;
const tabLinks = async (path: string) => linksOf(labelled((await readPage(path)).main, "Results"));
const countIn = (text: string) => Number(text.replace(/\D/g, ""));

describe("searching for any text", () => {
  test.each(texts.map((text) => [text.slice(0, 24), text]))(
    "%s: /shop and /search show the text in their search box, cut to 200 characters",
    async (_, text) => {
      for (const path of ["/shop", "/search"]) {
        const { status, main } = await readPage(`${path}?q=${encodeURIComponent(text)}`);
        expect([path, status]).toEqual([path, 200]);
        const box = main.querySelector("input[type=search]");
        expect(box?.getAttribute("value"), path).toBe(text.slice(0, 200));
      }
    },
  );

  test.each([
    "/shop?page=-1",
    "/shop?page=abc",
    "/shop?after=x~y",
    "/shop?before=~",
    "/shop?publisher=%00",
    "/shop?q=%ED%A0%80",
  ])("%s gets a page", async (path) => {
    expect((await readPage(path)).status).toBe(200);
  });
});

test("a page past the end of the catalogue links to the first page, with the same filters", async () => {
  for (const [path, first] of [
    ["/shop?page=99", "/shop"],
    ["/shop?publisher=CGP&sort=price&page=99", "/shop?publisher=CGP&sort=price"],
  ] as const) {
    const { main } = await readPage(path);
    expect(textOf(main), path).toContain("There are no books on this page.");
    const links = [...main.querySelectorAll("a")].filter((link) => textOf(link) === "First Page");
    expect(links.map((link) => link.getAttribute("href"))).toEqual([first]);
  }
});

describe("the master search", () => {
  test("the master search without a text shows its box and a hint", async () => {
    const { main } = await readPage("/search");
    expect(textOf(main.querySelector("label"))).toBe("Search for");
    expect(textOf(main)).toContain("Type a title, publisher, course, subject or ISBN.");
    expect(main.querySelector("nav")).toBeNull();
  });

  test("the master search shows five tabs with counts, and on All the first 8 books and a link to the rest", async () => {
    const { main } = await readPage("/search?q=mathematics");
    const names = linksOf(labelled(main, "Results")).map(([name]) => name);
    expect(names.map((name) => name.replace(/ \d+$/, ""))).toEqual(["All", ...tabs]);
    const [all = 0, ...each] = names.map(countIn);
    expect(all).toBe(each.reduce((sum, count) => sum + count, 0));
    expect(each[0]).toBeGreaterThan(8);
    expect(labelled(main, "Books found").querySelectorAll("article")).toHaveLength(8);
    expect(linksOf(main)).toContainEqual([`View All ${each[0]} Books`, "/shop?q=mathematics"]);
    expect(textOf((await readPage("/shop?q=mathematics")).main)).toContain(`${each[0]} Book(s) Found`);
  });

  test.each(tabs)("the tab %s of the master search shows only its results", async (tab) => {
    const path = `/search?q=mathematics&tab=${tab.toLowerCase()}`;
    const { main } = await readPage(path);
    expect(headingsOf(main, 2)[0]).toBe(tab);
    const current = labelled(main, "Results").querySelector("[aria-current=page]");
    expect([textOf(current), current?.getAttribute("href")]).toEqual([
      expect.stringMatching(new RegExp(`^${tab} \\d+$`)),
      path,
    ]);
    for (const other of tabs.filter((each) => each !== tab))
      expect(main.querySelectorAll(`section[aria-label="${other}"]`)).toEqual([]);
  });

  test.each([
    ["Publishers", "publisher"],
    ["Courses", "course"],
    ["Subjects", "subject"],
  ])("leads from %s to the shop with ?%s=, and counts what is there", async (tab, parameter) => {
    const path = `/search?q=cambridge&tab=${tab.toLowerCase()}`;
    const cards = linksOf(labelled((await readPage(path)).main, tab));
    const [count] = (await tabLinks(path))
      .filter(([name]) => name.startsWith(tab))
      .map(([name]) => countIn(name));
    expect(cards).toHaveLength(count ?? -1);
    const [[label = "", href = ""] = []] = cards;
    const name = label.replace(/ ?\d+ books?$/, "");
    expect(href).toBe(`/shop?${parameter}=${encodeURIComponent(name)}`);
    expect(textOf((await readPage(href)).main)).toMatch(/[1-9]\d* Book\(s\) Found/);
  });

  test("the master search says so when nothing matches", async () => {
    const { main } = await readPage("/search?q=zzzzqqq");
    expect(textOf(main)).toContain("No results found");
    expect(linksOf(labelled(main, "Results"))[0]?.[0]).toBe("All 0");
    expect(main.querySelectorAll("article")).toEqual([]);
  });
});

describe("close matches", () => {
  const titles = async (path: string) => {
    const { main } = await readPage(path);
    const [region] = main.querySelectorAll('[aria-label="Close matches"]');
    return region ? headingsOf(region, 3) : null;
  };

  test("close matches know Ghana's class names and respect the filters", async () => {
    expect(await titles("/search?q=jhs%201%20maths")).toEqual(
      expect.arrayContaining([
        "Mental Arithmetic 5",
        "Lower Secondary Maths Student's Book 7",
        "Cambridge Lower Secondary Mathematics Learner's Book 7",
      ]),
    );
    expect(await titles("/search?q=jhs%201%20maths&tab=subjects")).toBeNull();
    expect(await titles("/shop?q=jhs%201%20maths&publisher=Collins")).toEqual([
      "Lower Secondary Maths Student's Book 7",
    ]);
  });

  test("close matches find an ISBN in pasted text", async () => {
    expect(await titles("/search?q=from%20978-1-108-61531-0")).toEqual([
      "Cambridge Primary Mathematics Learner's Book 1",
    ]);
  });

  test.each(["/shop?q=zzzzqqq", "/search?q=zzzzqqq", "/shop?q=mathematics", "/shop?q=x&page=2"])(
    "close matches are not shown on %s, where nothing is close or enough is found",
    async (path) => {
      expect(await titles(path)).toBeNull();
    },
  );
});

describe("the catalogue", () => {
  const cardsOf = async (path: string) => {
    const { main } = await readPage(path);
    return main.querySelectorAll('ul[aria-label="Books"] article');
  };

  test("the catalogue shows its first page of 24 sorted by title, with an exact count and a link to the next", async () => {
    const { main } = await readPage("/shop");
    expect(headingsOf(main, 1)).toEqual(["Shop Books"]);
    expect(Number(/(\d+) Book\(s\) Found/.exec(textOf(main))?.[1])).toBeGreaterThan(200);
    const titles = (await cardsOf("/shop")).map((card) => textOf(card.querySelector("h2, h3")));
    expect(titles).toHaveLength(24);
    // Volumes are in the order of their numbers.
    const shelfKey = (title: string) =>
      title
        .normalize("NFD")
        .replace(/\p{M}/gu, "")
        .toLowerCase()
        .replace(/\d+/g, (digits) => digits.padStart(12, "0"));
    expect(titles).toEqual([...titles].sort((a, b) => (shelfKey(a) < shelfKey(b) ? -1 : 1)));
    expect(linksOf(main)).toContainEqual(["More books", "/shop?page=2"]);
  });

  test("the catalogue's publisher filter lists each publisher once, sorted, without Cambridge and Hachette", async () => {
    const { main } = await readPage("/shop");
    const offered = main
      .querySelectorAll("select[name=publisher]")[0]
      ?.querySelectorAll("option")
      .map(textOf);
    const names = offered?.slice(1) ?? [];
    expect(names).toContain("Schofield & Sims");
    expect(names).not.toContain("Hachette Learning");
    expect(names).not.toContain("Cambridge University Press");
    expect(names).toEqual([...new Set(names)].sort((a, b) => a.localeCompare(b, "en")));
    for (const card of await cardsOf("/shop?publisher=Hachette%20Learning"))
      expect(textOf(card)).toContain("Hachette Learning");
  });

  test("the catalogue ignores filters in the URL that it doesn't offer", async () => {
    const found = async (path: string) =>
      /(\d+) Book\(s\) Found/.exec(textOf((await readPage(path)).main))?.[1];
    expect(await found("/shop?price=1-2&stock=yes&sort=title;drop&after=x")).toBe(await found("/shop"));
    expect(await found("/shop?grade=No%20such%20grade")).toBe("0");
  });

  test("the catalogue sorts by price, newest and rating over all pages", async () => {
    const prices = async (path: string) =>
      (await cardsOf(path)).map((card) =>
        Number(/GH₵([\d,]+\.\d\d)/.exec(textOf(card))?.[1]?.replace(",", "")),
      );
    const rising = await prices("/shop?sort=price");
    expect(rising).toEqual([...rising].sort((a, b) => a - b));
    const falling = [
      ...(await prices("/shop?sort=price-desc")),
      ...(await prices("/shop?sort=price-desc&page=2")),
    ];
    expect(falling).toHaveLength(48);
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    expect(falling[0]).toBeGreaterThan(rising.at(-1) ?? Number.NaN);
    const [best] = await cardsOf("/shop?sort=rating");
    expect(textOf(best ?? null)).toMatch(/Rated [45]\.\d out of 5/);
    const [newest] = await cardsOf("/shop?sort=newest");
    expect(textOf(newest ?? null)).not.toBe(textOf(best ?? null));
  });
});

describe("the order of a search", () => {
  const cardsOf = async (path: string, list: string) =>
    (await readPage(path)).main
      .querySelectorAll(`ul[aria-label="${list}"] article`)
      .map((card) => textOf(card.querySelector("h2, h3")));

  test("the catalogue sorts a searched text by best match, with the same books on all pages", async () => {
    const { main } = await readPage("/shop?q=english&sort=best");
    const sorts = main.querySelectorAll("select[name=sort] option");
    expect(sorts.slice(0, 2).map(textOf)).toEqual(["Sort by title", "Best match first"]);
    expect(linksOf(main)).toContainEqual(["More books", "/shop?q=english&sort=best&page=2"]);
    const pages = (sort: string) =>
      Promise.all([1, 2, 3, 4].map((page) => cardsOf(`/shop?q=english${sort}&page=${page}`, "Books")));
    const [byMatch, byTitle] = [(await pages("&sort=best")).flat(), (await pages("")).flat()];
    expect(byMatch.toSorted()).toEqual(byTitle.toSorted());
    expect(byMatch).not.toEqual(byTitle);
    const { main: unsearched } = await readPage("/shop?sort=best");
    expect(textOf(unsearched.querySelector("select[name=sort]"))).not.toContain("Best match first");
  });

  test("/search links to both orders, and keeps the chosen one", async () => {
    const { main } = await readPage("/search?q=english");
    expect(linksOf(main)).toContainEqual(["Best match first", "/search?q=english&sort=best"]);
    const { main: byMatch } = await readPage("/search?q=english&sort=best");
    expect(textOf(byMatch.querySelector('nav[aria-label="Sort by"] [aria-current]'))).toBe(
      "Best match first",
    );
    const links = linksOf(byMatch).map(([, to]) => to);
    expect(links).toContain("/shop?q=english&sort=best");
    expect(links).toContain("/search?q=english&tab=books&sort=best");
    const best = await cardsOf("/shop?q=english&sort=best", "Books");
    expect(await cardsOf("/search?q=english&sort=best", "Books found")).toEqual(best.slice(0, 8));
  });
});

test("suggestions are small JSON that browsers cache for a minute, the same for everybody", async () => {
  const { url } = demoShop();
  const response = await fetch(`${url}/suggestions?q=ma`);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("cache-control")).toBe("public, max-age=60");
  const body = await response.text();
  expect(Buffer.byteLength(body)).toBeLessThan(2_000);
  expect(JSON.parse(body)[0]).toEqual({
    text: expect.any(String),
    note: expect.any(String),
    to: expect.stringMatching(/^\/books\//),
    price: expect.any(Number),
    cover: { course: expect.any(String), subject: expect.any(String), image_url: null },
  });
  for (const text of ["", "q", "%00", "a%00", "%ED%A0%80", "qvx".repeat(2_000)]) {
    const odd = await fetch(`${url}/suggestions?q=${text}`);
    expect([odd.status, await odd.json()]).toEqual([200, []]);
  }
});
