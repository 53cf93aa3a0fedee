import { expect, test } from "#tests/support/test.ts";
import { shopPages } from "./shop-pages.ts";

const indexed = shopPages.filter((path) => !path.startsWith("/search"));

test.describe("the head of a page", () => {
  test("has its own title, description, canonical URL and link preview", async ({ request, shop }) => {
    const titles = new Set<string>();
    const descriptions = new Set<string>();
    for (const path of indexed) {
      const html = await (await request.get(path)).text();
      const read = (pattern: RegExp) => pattern.exec(html)?.[1] ?? `nothing on ${path}`;
      titles.add(read(/<title>([^<]+)<\/title>/));
      const description = read(/<meta name="description" content="([^"]+)"/);
      expect(description.length, path).toBeGreaterThan(40);
      descriptions.add(description);
      expect(read(/<link rel="canonical" href="([^"]+)"/)).toBe(`${shop.url}${path}`);
      expect(read(/<meta property="og:url" content="([^"]+)"/)).toBe(`${shop.url}${path}`);
      expect(read(/<meta property="og:description" content="([^"]+)"/)).toBe(description);
      expect(html).toContain('<html lang="en-GB"');
      expect(html).toContain('<meta name="theme-color" content="#14503a"');
    }
    expect(titles.size).toBe(indexed.length);
    expect(descriptions.size).toBe(indexed.length);
  });

  test("keeps searches and missing pages out of search engines", async ({ request }) => {
    for (const path of ["/search", "/search?q=maths", "/no-such-page"]) {
      const html = await (await request.get(path)).text();
      expect(html, path).toContain('<meta name="robots" content="noindex"');
      expect(html, path).not.toContain('rel="canonical"');
    }
  });

  test("loads scripts after what is needed to see the page", async ({ page, context }) => {
    const priorities = new Map<string, string>();
    const network = await context.newCDPSession(page);
    network.on("Network.requestWillBeSent", ({ request }) =>
      priorities.set(request.url, request.initialPriority),
    );
    await network.send("Network.enable");
    await page.goto("/shop");
    const of = (ending: string) =>
      [...priorities].filter(([address]) => address.endsWith(ending)).map(([, priority]) => priority);
    expect(new Set(of(".css"))).toEqual(new Set(["VeryHigh"]));
    expect(of(".js").length).toBeGreaterThan(5);
    expect(new Set(of(".js"))).toEqual(new Set(["Low"]));
  });

  test("names icons, a manifest and a preview picture that exist", async ({ request, shop }) => {
    const html = await (await request.get("/")).text();
    const addresses = [
      ...html.matchAll(/<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g),
      ...html.matchAll(/<meta property="og:image" content="([^"]+)"/g),
    ].map(([, address]) => new URL(address ?? "", shop.url).href);
    expect(addresses).toHaveLength(4);
    const manifest = await (await request.get("/site.webmanifest")).json();
    expect(manifest.name).toBe("Adwene Books");
    for (const { src } of manifest.icons) addresses.push(new URL(src, shop.url).href);
    for (const address of addresses) expect((await request.get(address)).status(), address).toBe(200);
  });
});

test("robots.txt excludes personal pages and names the site map", async ({ request, shop }) => {
  const text = await (await request.get("/robots.txt")).text();
  for (const path of ["/admin", "/auth/", "/checkout", "/wishlist", "/order-confirmation"]) {
    expect(text).toContain(`Disallow: ${path}\n`);
  }
  expect(text).not.toMatch(/^Disallow: \/$/m);
  expect(text).toContain(`Sitemap: ${shop.url}/sitemap.xml`);
});

test("the site map lists every public page and every book, and they exist", async ({
  request,
  shop,
  admin,
}) => {
  expect((await request.get("/sitemap.xml?part=1")).status()).toBe(404);
  const response = await request.get("/sitemap.xml");
  expect(response.headers()["content-type"]).toContain("application/xml");
  const listed = [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = ""]) => address,
  );
  const books = listed.filter((address) => address.startsWith(`${shop.url}/books/`));
  const pages = listed.filter((address) => !books.includes(address));
  expect(pages.sort()).toEqual(indexed.map((path) => `${shop.url}${path}`).sort());
  const { count } = await admin.client.from("books").select("id", { count: "exact", head: true });
  // Other tests add and delete books of this shop in the meantime.
  expect(Math.abs(books.length - (count ?? 0))).toBeLessThan(10);
  const demo = books.filter((address) => address.includes("cambridge-primary"));
  for (const address of [...pages, ...demo.slice(0, 3)])
    expect([address, (await request.get(address, { maxRedirects: 0 })).status()]).toEqual([address, 200]);
});
