import { createElement, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub, Outlet } from "react-router";
import { expect, test } from "vitest";
import { AccountMenu } from "#app/features/account/account-menu.tsx";
import { provideShop } from "#app/lib/pages/current-shop.ts";
import { createSharedParts, SharedParts } from "#app/lib/pages/shared-parts.ts";
import { firstShop, pageValues } from "#shared/owner/settings.ts";
import { FramePart, markedPage } from "./frame-part.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";

const header = <SiteHeader account={<AccountMenu />} />;
const publishers = [{ name: "Adom Press", slug: "adom-press" }];
const home = { publishers };

type Page = { path: string; frame?: string | null; data?: object };

/** As in the shop's routes, the pages that menus link to have no parameters, except publishers'. */
let staticPaths: string[] = [];
function render({ path, data = home }: Page, content: ReactNode): string {
  const Component = () => content;
  const paths = ["", ...staticPaths, "products/:publisher", "books/:bookId/:slug?", "*"];
  const children = paths.map((each) => ({ path: each.replace(/^\//, ""), Component }));
  const Stub = createRoutesStub([{ id: "root", path: "/", Component: Outlet, loader: () => data, children }]);
  const hydrationData = { loaderData: { root: data } };
  return renderToString(createElement(Stub, { initialEntries: [path], hydrationData }));
}

const alone = (page: Page) =>
  render(
    page,
    <div>
      {header}
      <main>{page.path}</main>
      <SiteFooter />
    </div>,
  );

function openFrames() {
  const startPage = createSharedParts();
  /** The page, and whether its header and footer had to be rendered. */
  return (page: Page) => {
    const { find, fill } = startPage();
    const { path, frame = "1" } = page;
    const parts = render(
      page,
      <SharedParts value={{ find, frame }}>
        <div>
          <FramePart name="header">{header}</FramePart>
          <main>{path}</main>
          <FramePart name="footer">
            <SiteFooter />
          </FramePart>
        </div>
      </SharedParts>,
    );
    const html = Buffer.from(fill(Buffer.from(parts).toString("latin1")).join(""), "latin1").toString();
    return { html, isRendered: parts.includes("<header") };
  };
}

const found = [...alone({ path: "/" }).matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path ?? "");
const links = [...new Set(found)];
staticPaths = links.filter((path) => !path.startsWith("/products/"));
const oddPaths = ["/SHOP", "/shop/", "/About", "/products/nobody", "/books/1/a-book", "/nothing"];

test("every page has the header and footer that it would have alone, whichever page was rendered before", () => {
  const open = openFrames();
  for (const path of ["/about", "/products/adom-press"]) {
    expect(links).toContain(path);
    expect(alone({ path })).toContain('aria-current="page"');
  }
  for (const _ of ["rendered", "from earlier pages"])
    for (const path of [...links, ...oddPaths]) expect(open({ path }).html, path).toBe(alone({ path }));
});

test("books and pages that don't exist share header and footer", () => {
  const open = openFrames();
  expect(open({ path: "/books/1/a-book" }).isRendered).toBe(true);
  expect(open({ path: "/nothing" })).toEqual({ html: alone({ path: "/nothing" }), isRendered: false });
  expect(markedPage("/books/1", { bookId: "1" })).toBe("");
});

test("header and footer are rendered again when the shop's data, menus or settings change, and always while they are unknown", () => {
  const open = openFrames();
  const path = "/about";
  expect(open({ path }).isRendered).toBe(true);
  expect(open({ path }).isRendered).toBe(false);
  expect(open({ path, frame: "2" }).isRendered).toBe(true);
  expect(open({ path, data: { publishers: [] } }).isRendered).toBe(true);
  const show = (shop: typeof firstShop) => provideShop(() => ({ shop, json: pageValues(shop) }));
  show({ ...firstShop, name: "Kofi's Books" });
  expect(open({ path }).html).toContain("Kofi&#x27;s Books");
  show(firstShop);
  for (const _ of [1, 2]) expect(open({ path, frame: null }).isRendered).toBe(true);
});
