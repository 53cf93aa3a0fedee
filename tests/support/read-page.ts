import { type HTMLElement, parse } from "node-html-parser";
import { demoShop } from "./demo-shop.ts";

/** A page as the server sends it: what is read without JavaScript, by search engines and by a browser before its code arrives. */
export type ReadPage = {
  status: number;
  headers: Headers;
  html: string;
  document: HTMLElement;
  /** The part of the page between header and footer. */
  main: HTMLElement;
};

/** Requests a page of the demo shop, or of another one, from a network of the tests' own. */
export async function readPage(path: string, shop: { url: string } = demoShop()): Promise<ReadPage> {
  const response = await fetch(shop.url + path, {
    redirect: "manual",
    // A busy test would otherwise send its next request on a connection that the shop is just closing.
    headers: { "X-Forwarded-For": "2001:db8::1", Connection: "close" },
  });
  const html = await response.text();
  const document = parse(html);
  const main = document.querySelector("main") ?? parse("");
  return { status: response.status, headers: response.headers, html, document, main };
}

/** The text of an element as it is read: entities decoded, without line breaks. */
export const textOf = (element: HTMLElement | null) => (element?.text ?? "").replace(/\s+/g, " ").trim();

const textsOf = (part: HTMLElement, selector: string) => part.querySelectorAll(selector).map(textOf);

/** The headings of a part of the page, by level. */
export const headingsOf = (part: HTMLElement, level: number) => textsOf(part, `h${level}`);

/** A link's accessible name. */
const nameOf = (link: HTMLElement) => link.getAttribute("aria-label") ?? textOf(link);

/** The links of a part of the page as [name, href], in their order. */
export const linksOf = (part: HTMLElement | null): [name: string, href: string][] =>
  (part?.querySelectorAll("a") ?? []).map((link) => [nameOf(link), link.getAttribute("href") ?? ""]);

/** The region, navigation or list of a page with this label, or labelled by the element with this text. */
export function labelled(part: HTMLElement, name: string): HTMLElement {
  const found = part.querySelectorAll("[aria-label], [aria-labelledby]").find((element) => {
    const id = element.getAttribute("aria-labelledby");
    return (
      element.getAttribute("aria-label") === name ||
      (id && textOf(part.getElementById(id) ?? part.querySelector(`[id="${id}"]`)) === name)
    );
  });
  if (!found) throw new Error(`Nothing is labelled “${name}”`);
  return found;
}

/** A description list's pairs of term and value. */
export const definitionsOf = (part: HTMLElement) => ({
  terms: textsOf(part, "dt"),
  values: textsOf(part, "dd"),
});
