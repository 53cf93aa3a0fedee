import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { AccountMenu } from "#app/features/account/account-menu.tsx";
import { createSharedParts, SharedParts } from "#app/lib/shared-parts.ts";
import { FramePart, markedPage } from "./frame-part.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";

const header = <SiteHeader account={<AccountMenu />} />;

type Page = { path: string; frame?: string | null; settings?: object };

function render({ path, settings = {} }: Page, content: React.ReactNode): string {
  const Stub = createRoutesStub([
    { id: "root", path: "*", Component: () => content, loader: () => settings },
  ]);
  const hydrationData = { loaderData: { root: settings } };
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
    const html = Buffer.from(fill(Buffer.from(parts).toString("latin1")), "latin1").toString();
    return { html, isRendered: parts.includes("<header") };
  };
}

const links = [...alone({ path: "/" }).matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path ?? "");
const oddPaths = ["/SHOP", "/shop/", "/About", "/products/nobody", "/books/1/a-book", "/nothing"];

test("every page has the header and footer that it would have alone, whichever page was rendered before", () => {
  const open = openFrames();
  expect(links).toContain("/about");
  for (const _ of ["rendered", "from earlier pages"])
    for (const path of [...new Set([...links, ...oddPaths])])
      expect(open({ path }).html, path).toBe(alone({ path }));
});

test("pages that header and footer don't link to share them", () => {
  const open = openFrames();
  expect(open({ path: "/books/1/a-book" }).isRendered).toBe(true);
  expect(open({ path: "/nothing" })).toEqual({ html: alone({ path: "/nothing" }), isRendered: false });
});

test("header and footer are rendered again when the shop's data or settings change, and always while they are unknown", () => {
  const open = openFrames();
  const path = "/about";
  expect(open({ path }).isRendered).toBe(true);
  expect(open({ path }).isRendered).toBe(false);
  expect(open({ path, frame: "2" }).isRendered).toBe(true);
  expect(open({ path, settings: { siteUrl: "https://other.example" } }).isRendered).toBe(true);
  for (const _ of [1, 2]) expect(open({ path, frame: null }).isRendered).toBe(true);
});

test("every page that header and footer link to is told apart from all others", () => {
  expect(links.map(markedPage)).toEqual(links);
});
