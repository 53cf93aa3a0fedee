import { expect, test } from "vitest";
import { demoShop } from "#tests/support/demo-shop.ts";
import { headingsOf, labelled, linksOf, readPage, textOf } from "#tests/support/read-page.ts";

const lawPages: [string, string][] = [
  ["Delivery and returns", "/delivery-and-returns"],
  ["Terms", "/terms"],
  ["Privacy", "/privacy"],
];

test.each(lawPages)(
  "%s is a page of its own with blanks for what only the owner knows",
  async (name, path) => {
    const { main, document } = await readPage(path);
    expect(headingsOf(main, 1)).toEqual([name]);
    expect(headingsOf(main, 2).length).toBeGreaterThan(3);
    expect(main.querySelectorAll("mark").map(textOf).length).toBeGreaterThan(0);
    expect(linksOf(labelled(document.querySelector("footer") ?? main, "Terms and privacy"))).toEqual(
      lawPages,
    );
    const sitemap = await (await fetch(`${demoShop().url}/sitemap.xml`)).text();
    expect(sitemap).toContain(`<loc>${demoShop().url}${path}</loc>`);
  },
);

test("the terms name the shop, their version, and the customers' rights", async () => {
  const { main } = await readPage("/terms");
  for (const words of ["Version 1, from", "14 Ring Road Central", "[registration number]", "within 14 days"])
    expect(textOf(main)).toContain(words);
});

test("an unknown version of the terms shows those that apply now", async () => {
  const shown = textOf((await readPage("/terms")).main);
  for (const version of ["1", "999", "0", "-1", "x", "99999999999"]) {
    const { status, main } = await readPage(`/terms?version=${version}`);
    // The one that was asked for links to its other page.
    const text = textOf(main).replace(". Delivery and returns of this version", "");
    expect([version, status, text]).toEqual([version, 200, shown]);
  }
});

test("a version of the terms has both of its pages, each with a link to the other", async () => {
  for (const [path, other] of [
    ["/terms", ["Delivery and returns", "/delivery-and-returns?version=1"]],
    ["/delivery-and-returns", ["Terms", "/terms?version=1"]],
  ] as const) {
    const { main } = await readPage(`${path}?version=1`);
    expect(textOf(main)).toContain("Version 1, from");
    expect(linksOf(main)).toContainEqual(other);
    expect(linksOf((await readPage(path)).main)).not.toContainEqual(other);
  }
});

test("the delivery page says what delivery costs, as the owner's fees do", async () => {
  const { main } = await readPage("/delivery-and-returns");
  expect(main.querySelectorAll("li").map(textOf)).toContain("Delivery everywhere in Ghana: free");
});

test("the privacy page lists what is kept, with no payment service where customers pay none online", async () => {
  const text = textOf((await readPage("/privacy")).main);
  for (const words of [
    "Your account: name",
    "Your orders:",
    "We set no cookies",
    "Data Protection Commission",
  ])
    expect(text).toContain(words);
  expect(text).not.toContain("Paystack");
});

test.each([
  ["/auth?tab=sign-up", "By signing up you accept our Terms"],
  ["/contact", "We use what you send us to answer you."],
])("%s says what typed details are for, and links to the privacy page", async (path, words) => {
  const { main } = await readPage(path);
  expect(textOf(main)).toContain(words);
  expect(linksOf(main)).toContainEqual(["Privacy", "/privacy"]);
});
