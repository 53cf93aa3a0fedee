import { expect, test } from "vitest";
import { definitionsOf, headingsOf, labelled, linksOf, readPage, textOf } from "#tests/support/read-page.ts";

test("the home page leads to the sign-in page, the shop, guidance and booklists, and states the specified numbers", async () => {
  const { main } = await readPage("/");
  for (const link of [
    ["Sign In to Shop", "/auth"],
    ["Browse Catalog", "/shop"],
    ["Get Resource Guidance", "/guidance"],
  ])
    expect(linksOf(main)).toContainEqual(link);
  const list = labelled(main, "Has your school given you a list?");
  expect(linksOf(list)).toEqual([["Paste your list", "/bulk-order"]]);
  const form = list.querySelector("form");
  expect(form?.getAttribute("action")).toBe("/lists");
  expect(form?.getAttribute("method") ?? "get").toBe("get");
  expect(form?.querySelector("input")?.getAttribute("name")).toBe("q");
  const why = labelled(main, "Why Choose Adwene Books");
  for (const number of ["10+", "6", "16", "500+"])
    expect(why.querySelectorAll("*").map(textOf)).toContain(number);
  const partners = linksOf(labelled(main, "Six publishers, one order")).map(([, href]) => href);
  expect(partners.sort()).toEqual(
    ["cambridge", "cgp", "collins", "hachette", "schofield", "skoldo"].map((slug) => `/products/${slug}`),
  );
});

test("the about page tells the story, the numbers, the mission and the vision", async () => {
  const { main } = await readPage("/about");
  for (const name of ["Our story", "Our mission", "Our vision"]) expect(headingsOf(main, 2)).toContain(name);
  expect(definitionsOf(labelled(main, "The shop in figures"))).toEqual({
    terms: ["years", "publishers", "regions"],
    values: ["10+", "6", "16"],
  });
  expect(textOf(main)).toContain("over 10 years");
  expect(textOf(main)).toContain("500+ institutions");
});

test("the contact page has address, phones, chat, email, hours and the 24-hour promise", async () => {
  const { main } = await readPage("/contact");
  for (const words of [
    "14 Ring Road Central",
    "Mon-Fri 8:30 AM-5:00 PM",
    "We'll get back to you within 24 hours",
    "This form needs JavaScript.",
  ])
    expect(textOf(main)).toContain(words);
  const links = linksOf(main);
  expect(links.filter(([name]) => name.startsWith("+233"))).toHaveLength(2);
  expect(links).toContainEqual(["Chat on WhatsApp", expect.stringMatching(/^https:\/\/wa\.me\/\d+$/)]);
  expect(links).toContainEqual([expect.stringContaining("@"), expect.stringMatching(/^mailto:/)]);
});

test("the contact form requires every field, with the right kind of keyboard", async () => {
  const { main } = await readPage("/contact");
  const field = (label: string) => {
    const id = main
      .querySelectorAll("label")
      .find((each) => textOf(each) === label)
      ?.getAttribute("for");
    return main.querySelector(`[id="${id}"]`);
  };
  const labels = ["Full Name/Institution", "Phone Number", "Email Address", "Message"];
  for (const label of labels) expect(field(label)?.hasAttribute("required"), label).toBe(true);
  expect(field("Phone Number")?.getAttribute("type")).toBe("tel");
  expect(field("Email Address")?.getAttribute("type")).toBe("email");
});

test("the guidance page has its hero, numbers, reasons, three steps and ways to contact", async () => {
  const { main } = await readPage("/guidance");
  expect(headingsOf(main, 1)).toEqual(["Expert Resource Selection Guidance"]);
  expect(definitionsOf(labelled(main, "Our guidance in figures"))).toEqual({
    terms: ["institutions", "resources", "satisfaction"],
    values: ["100+", "10K+", "98%"],
  });
  expect(headingsOf(main, 2)).toContainEqual(expect.stringMatching(/^Why Choose/));
  expect(headingsOf(labelled(main, "How it works"), 3)).toEqual([
    "Needs Assessment",
    "Resource Matching",
    "Ongoing Support",
  ]);
  for (const link of [
    ["Schedule Consultation", "/contact?about=consultation"],
    ["Request Catalogue", "/contact?about=catalogue"],
    ["Get Expert Guidance Now", "/contact?about=consultation"],
    ["School booklists", "/lists"],
    ["Bulk orders", "/bulk-order"],
  ])
    expect(linksOf(main)).toContainEqual(link);
});

test("the events page says that there are none, and offers news and books", async () => {
  const { main } = await readPage("/events");
  expect(textOf(main)).toContain("Sorry, there are no events yet!");
  expect(linksOf(main)).toContainEqual(["Get Notified", "/contact?about=events"]);
  expect(linksOf(main)).toContainEqual(["Browse Books Instead", "/shop"]);
});
