import type { EntryContext, RouterContextProvider, ServerBuild } from "react-router";
import { expect, test } from "vitest";
import handleRequest, { createAddressCheck } from "./entry.server.tsx";
import { createPageContext, type PageContext } from "./lib/pages/request-context.ts";

test("passes on when a page whose loader failed is worth a retry, and no other header of a loader", async () => {
  const loaderHeaders = {
    root: new Headers({ "X-Other": "1" }),
    shop: new Headers({ "Retry-After": "90", "X-Other": "2" }),
  };
  const context = { staticHandlerContext: { loaderHeaders } } as unknown as EntryContext;
  const request = new Request("https://shop.example/shop", { method: "HEAD" });
  const { status, headers } = await handleRequest(
    request,
    429,
    new Headers(),
    context,
    {} as RouterContextProvider,
  );
  expect([status, headers.get("Retry-After"), headers.get("X-Other")]).toEqual([429, "90", null]);
});

test("renders nothing before it is the page's turn", async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const context = { staticHandlerContext: { loaderHeaders: {} } } as unknown as EntryContext;
  const page = createPageContext({ nextTurn: () => promise } as PageContext);
  const response = handleRequest(new Request("https://shop.example/shop"), 200, new Headers(), context, page);
  reject(new Error("not its turn"));
  // Rendering this context would fail for another reason.
  await expect(response).rejects.toThrow("not its turn");
});

test("tells addresses with a page of their own from all others", () => {
  const route = (id: string, path?: string, parentId?: string) => ({ [id]: { id, path, parentId } });
  const routes = {
    ...route("root", ""),
    ...route("layout", undefined, "root"),
    home: { id: "home", index: true, parentId: "layout" },
    ...route("shop", "shop", "layout"),
    ...route("book", "books/:bookId/:slug?", "layout"),
    ...route("none", "*", "layout"),
  };
  const isKnown = createAddressCheck({ routes } as unknown as ServerBuild);
  for (const path of ["/", "/shop", "/shop/", "/books/1", "/books/1/plants"])
    expect(isKnown(path)).toBe(true);
  for (const path of ["/nothing", "/shop/1", "/books", "/%E0%A4%A", "//x"]) expect(isKnown(path)).toBe(false);
});
