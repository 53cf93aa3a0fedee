import { beforeEach, expect, test, vi } from "vitest";
import { CACHES } from "#app/features/offline/stored.ts";
import { FORGET_EVENT, SESSION_KEY } from "#app/lib/browser/env.ts";
import { eventually } from "#tests/support/eventually.ts";
import { deleteOthersData, forgetPersonal } from "./forget-personal.ts";

/** A fake browser storage, whose keys are its own properties. */
function createStorage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods);
}

let local: Storage;
let tab: Storage;
let fired: string[];
let deleted: string[];

beforeEach(() => {
  [local, tab, fired, deleted] = [createStorage(), createStorage(), [], []];
  const remove = async (name: string) => deleted.push(name);
  vi.stubGlobal("localStorage", local);
  vi.stubGlobal("sessionStorage", tab);
  vi.stubGlobal("window", {
    dispatchEvent: ({ type }: Event) => fired.push(type),
    caches: { delete: remove },
  });
  return () => vi.unstubAllGlobals();
});

/** What a browser may keep. */
function fill(): void {
  local.setItem(SESSION_KEY, "session");
  for (const key of ["adwene-saved-cart", "adwene-bulk-order", "another-site"]) local.setItem(key, "kept");
  for (const key of ["adwene-checkout", "another"]) tab.setItem(key, "kept");
}

const pages = [CACHES.pages, CACHES.pictures];

test("Signing out removes the shop's own data from the browser and the tab; the client removes the session itself", async () => {
  deleteOthersData("ama");
  fill();
  forgetPersonal();
  expect(Object.keys(local).sort()).toEqual([SESSION_KEY, "another-site"].sort());
  expect(Object.keys(tab)).toEqual(["another"]);
  expect(fired).toEqual([FORGET_EVENT]);
  await eventually(() => expect(deleted).toEqual(pages));
});

test("When a session expires, downloaded data is deleted once, and typed text stays for the same user", async () => {
  deleteOthersData("ama");
  fill();
  deleteOthersData(null);
  expect(local.getItem("adwene-saved-cart")).toBeNull();
  expect(local.getItem("adwene-bulk-order")).toBe("kept");
  await eventually(() => expect(deleted).toEqual(pages));
  deleteOthersData(null);
  deleteOthersData("ama");
  expect(local.getItem("adwene-bulk-order")).toBe("kept");
  expect(deleted).toEqual(pages);
});

test.each([true, false])(
  "Another user finds nothing, whether or not the session had expired: %s",
  async (ended) => {
    deleteOthersData("ama");
    fill();
    if (ended) deleteOthersData(null);
    deleteOthersData("kofi");
    expect(local.getItem("adwene-saved-cart")).toBeNull();
    expect(local.getItem("adwene-bulk-order")).toBeNull();
    await eventually(() => expect(new Set(deleted)).toEqual(new Set(pages)));
  },
);

test("A visitor keeps their choices, both without signing in and after signing in", () => {
  fill();
  deleteOthersData(null);
  deleteOthersData("ama");
  expect(local.getItem("adwene-bulk-order")).toBe("kept");
  expect(deleted).toEqual([]);
});
