import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";
import type * as EntryServer from "#app/entry.server.tsx";
import { createShownShop } from "#server/web/shown-shop.ts";
import { firstShop } from "#shared/owner/settings.ts";

test("renders the page of an unknown book once for all addresses, and again when the catalogue changes", async () => {
  const build: ServerBuild = await import(join(import.meta.dirname, "../../build/server/index.js"));
  const { createRequestHandler, createRequestContexts, documentOf, showingShop } = build.entry
    .module as unknown as typeof EntryServer;
  const handle = createRequestHandler(build, "production");
  const createContext = createRequestContexts({
    backendUrl: "",
    publishableKey: "sb_publishable_test",
    siteUrl: "https://shop.example",
    paysOnline: false,
    // A shop without books.
    fetch: async () => Response.json([]),
    nextTurn: async () => {},
    logError: (message) => expect.fail(message),
  });
  const shown = await createShownShop(async () => firstShop)(null);
  const open = async (path: string, state: string) => {
    const context = createContext(state, "2001:db8::1", () => {});
    const request = new Request(`https://shop.example${path}`);
    const response = await showingShop(shown, () => handle(request, context));
    expect([path, response.status]).toEqual([path, 404]);
    return documentOf(response);
  };
  const page = await open(`/books/${randomUUID()}`, "1");
  expect(page?.toString()).toContain("Page not found");
  expect(await open(`/books/${randomUUID()}`, "1")).toBe(page);
  expect(await open(`/books/${randomUUID()}/a-title`, "1")).toBe(page);
  expect(await open(`/books/${randomUUID()}`, "2")).not.toBe(page);
  expect(await open(`/books/${randomUUID()}?q=1`, "1")).not.toBe(page);
  expect(await open("/no-such-page", "1")).not.toBe(page);
});
