import { describe, expect, it, vi } from "vitest";
import { failureFrom } from "#app/lib/backend/response.ts";
import type { PageContext } from "#app/lib/pages/request-context.ts";
import { createMenuPublishers } from "./read-menu-publishers.ts";

/** A page whose reads of shared data do this. */
const page = (read: () => Promise<unknown>) => ({ cached: read }) as unknown as PageContext;
const found = (...names: string[]) =>
  page(async () => names.map((name) => ({ name, slug: name.toLowerCase(), shown: "menu" })));
const silent = page(() => new Promise(() => {}));

describe("the publishers in menus", () => {
  it("are those shown there, by name and slug alone", async () => {
    const publishers = [
      { name: "Adom", slug: "adom", shown: "menu", known_for: ["Readers"] },
      { name: "Sedco", slug: "sedco", shown: "page", known_for: [] },
    ];
    const read = createMenuPublishers();
    expect(await read(page(async () => publishers))).toEqual([{ name: "Adom", slug: "adom" }]);
  });

  it("are those read last while they cannot be read, and the failure is logged once", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const failing = page(() => Promise.reject(failureFrom({}, 503)));
    const read = createMenuPublishers();
    expect(await read(failing)).toEqual([]);
    await read(found("Adom"));
    for (const _ of [1, 2]) expect(await read(failing)).toEqual([{ name: "Adom", slug: "adom" }]);
    expect(logged).toHaveBeenCalledTimes(2);
    logged.mockRestore();
  });

  it("keep no page waiting for a backend that does not respond, and are read again once it does", async () => {
    const read = createMenuPublishers(1);
    await read(found("Adom"));
    for (const _ of [1, 2]) expect(await read(silent)).toEqual([{ name: "Adom", slug: "adom" }]);
    await read(found("Sedco"));
    expect(await read(silent)).toEqual([{ name: "Sedco", slug: "sedco" }]);
  });
});
