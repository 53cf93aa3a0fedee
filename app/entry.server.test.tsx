import type { EntryContext, RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import handleRequest from "./entry.server.tsx";

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
