import { describe, expect, test } from "vitest";
import { privatePaths } from "#shared/shop/private-pages.ts";
import { demoShop } from "#tests/support/demo-shop.ts";
import { headingsOf, labelled, linksOf, readPage, textOf } from "#tests/support/read-page.ts";
import { shopPages } from "#tests/support/shop-pages.ts";

const indexed = shopPages.filter((path) => !path.startsWith("/search"));

const services: [string, string][] = [
  ["Resource Selection Guidance", "/guidance"],
  ["Events and Trainings", "/events"],
];
const publishers: [string, string][] = [
  ["Cambridge University Press", "/products/cambridge"],
  ["Collins", "/products/collins"],
  ["CGP", "/products/cgp"],
  ["Hachette Learning", "/products/hachette"],
  ["Schofield & Sims", "/products/schofield"],
  ["Skoldo", "/products/skoldo"],
];
const ordering: [string, string][] = [
  ["School booklists", "/lists"],
  ["Bulk orders", "/bulk-order"],
];

describe("without JavaScript", () => {
  test.each(shopPages)("%s has its heading, header and footer", async (path) => {
    const { status, document } = await readPage(path);
    expect(status).toBe(200);
    expect(headingsOf(document, 1)).toHaveLength(1);
    expect(linksOf(labelled(document, "Main"))).toContainEqual(["Shop Books", "/shop"]);
    expect(textOf(document.querySelector("footer"))).toContain("Mon-Fri 8:30 AM-5:00 PM");
  });
});

describe("the header", () => {
  test("the header has its entries in the specified order with the current page marked, on wide screens and on phones", async () => {
    const { document } = await readPage("/about");
    expect(linksOf(document.querySelector("header"))[0]).toEqual(["Adwene Books, home", "/"]);
    const first = [["Home", "/"], ["About Us", "/about"], ...services];
    const last = [
      ["Shop Books", "/shop"],
      ["Contact Us", "/contact"],
    ];
    // A dozen publishers would take what parents look for off a phone's screen.
    for (const [name, entries] of [
      ["Main", [...publishers, ...ordering]],
      ["Mobile", [...ordering, ...publishers]],
    ] as const) {
      const navigation = labelled(document, name);
      expect([name, ...linksOf(navigation)]).toEqual([name, ...first, ...entries, ...last]);
      expect(textOf(navigation)).toMatch(/^Home ?About Us ?Products & Services/);
      expect(textOf(navigation.querySelector("[aria-current=page]"))).toBe("About Us");
    }
  });
});

describe("the footer", () => {
  test("the footer has social links, quick links, publishers, contact and opening hours", async () => {
    const { document } = await readPage("/about");
    const footer = document.querySelector("footer");
    if (!footer) throw new Error("The page has no footer");
    for (const name of ["Facebook", "Instagram", "WhatsApp"])
      expect(linksOf(footer)).toContainEqual([name, expect.stringMatching(/^https:\/\//)]);
    expect(linksOf(labelled(footer, "Quick Links"))).toEqual([
      ["Home", "/"],
      ["About Us", "/about"],
      ["Shop Books", "/shop"],
      ...services,
      ["Contact Us", "/contact"],
      ...ordering,
    ]);
    expect(linksOf(labelled(footer, "Publishers"))).toEqual([...publishers, ["All publishers", "/products"]]);
    expect(linksOf(footer)).toContainEqual([
      expect.stringMatching(/^\+233/),
      expect.stringMatching(/^tel:\+233\d+$/),
    ]);
    expect(linksOf(footer)).toContainEqual([expect.stringContaining("@"), expect.stringMatching(/^mailto:/)]);
    for (const hours of ["Mon-Fri 8:30 AM-5:00 PM", "Sat 9:00 AM-3:00 PM"])
      expect(textOf(footer)).toContain(hours);
  });
});

describe("the head of a page", () => {
  test("each page has its own title, description, canonical URL and link preview", async () => {
    const titles = new Set<string>();
    const descriptions = new Set<string>();
    for (const path of indexed) {
      const { html } = await readPage(path);
      const read = (pattern: RegExp) => pattern.exec(html)?.[1] ?? `nothing on ${path}`;
      titles.add(read(/<title>([^<]+)<\/title>/));
      const description = read(/<meta name="description" content="([^"]+)"/);
      expect(description.length, path).toBeGreaterThan(40);
      descriptions.add(description);
      expect(read(/<link rel="canonical" href="([^"]+)"/)).toBe(`${demoShop().url}${path}`);
      expect(read(/<meta property="og:url" content="([^"]+)"/)).toBe(`${demoShop().url}${path}`);
      expect(read(/<meta property="og:description" content="([^"]+)"/)).toBe(description);
      expect(html).toContain('<html lang="en-GB"');
      expect(html).toContain('<meta name="theme-color" content="#14503a"');
    }
    expect(titles.size).toBe(indexed.length);
    expect(descriptions.size).toBe(indexed.length);
  });

  test("private pages, searches and missing pages are marked noindex", async () => {
    for (const path of [...privatePaths(), "/search", "/search?q=maths", "/no-such-page"]) {
      const { html } = await readPage(path);
      expect(html, path).toContain('<meta name="robots" content="noindex"');
      expect(html, path).not.toContain('rel="canonical"');
    }
  });

  test("the icons, manifest and preview picture in the head exist", async () => {
    const { html } = await readPage("/");
    const { url } = demoShop();
    const addresses = [
      ...html.matchAll(/<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g),
      ...html.matchAll(/<meta property="og:image" content="([^"]+)"/g),
    ].map(([, address]) => new URL(address ?? "", url).href);
    expect(addresses).toHaveLength(4);
    const manifest = (await (await fetch(`${url}/site.webmanifest`)).json()) as {
      name: string;
      icons: { src: string }[];
    };
    expect(manifest.name).toBe("Adwene Books");
    for (const { src } of manifest.icons) addresses.push(new URL(src, url).href);
    for (const address of addresses) expect((await fetch(address)).status, address).toBe(200);
  });
});

test("a cached page is the same for every host name", async () => {
  const { port } = new URL(demoShop().url);
  const pages = ["localhost", "127.0.0.1"].map(async (host) =>
    (await fetch(`http://${host}:${port}/shop`)).text(),
  );
  const [named, numbered] = await Promise.all(pages);
  expect(numbered).toBe(named);
  expect(named).toContain(`<link rel="canonical" href="${demoShop().url}/shop"/>`);
});

describe("an unknown URL", () => {
  test.each([
    "/no-such-page",
    "/products/penguin",
    "/products/%00",
    "/shop/deeper",
    "/admin/no-such-page",
    "/events/no-such-event",
    "/events/%00",
  ])("%s shows the not-found page with status 404", async (path) => {
    const { status, document, main } = await readPage(path);
    expect(status).toBe(404);
    expect(headingsOf(main, 1)).toEqual(["Oops! Page not found"]);
    expect(textOf(document.querySelector("title"))).toBe("Page not found | Adwene Books");
    expect(linksOf(main)).toContainEqual(["Return to Home", "/"]);
  });
});

test("robots.txt excludes personal pages and names the site map", async () => {
  const { url } = demoShop();
  const text = await (await fetch(`${url}/robots.txt`)).text();
  for (const path of [...privatePaths(), "/auth/"]) expect(text).toContain(`Disallow: ${path}\n`);
  expect(text).not.toMatch(/^Disallow: \/$/m);
  expect(text).toContain(`Sitemap: ${url}/sitemap.xml`);
});

test("the back office's HTML is the same for everyone, whatever the cookie says", async () => {
  const { url } = demoShop();
  const read = async (headers: HeadersInit = {}) => (await fetch(`${url}/admin/users`, { headers })).text();
  const plain = await read();
  expect(await read({ Cookie: "sidebar=collapsed; session=x" })).toBe(plain);
  expect(plain).not.toContain("User Management");
  expect(plain).toContain("The back office needs JavaScript.");
});
