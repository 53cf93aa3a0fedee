import { beforeEach, describe, expect, it, vi } from "vitest";
import { deleteOthersData } from "#app/features/session/forget-personal.ts";
import { officeTabPrefix, rememberOfficePlace, takeOfficePlace } from "#app/features/session/office-tab.ts";
import { DATA_OWNER_KEY } from "#app/lib/browser/env.ts";
import {
  beginningOf,
  findClosedText,
  findEdits,
  forgetOldTexts,
  type KeptText,
  keptText,
  leavePage,
  restoreText,
} from "./kept-text.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 29, 10, 42);

/** A fake browser storage, whose keys are its own properties. */
function createStorage(isFull = false): Storage {
  return Object.create({
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      if (isFull) throw new DOMException("Full", "QuotaExceededError");
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  });
}

let tab: Storage;
let local: Storage;

beforeEach(() => {
  [tab, local] = [createStorage(), createStorage()];
  vi.stubGlobal("sessionStorage", tab);
  vi.stubGlobal("localStorage", local);
  vi.stubGlobal("window", {});
  return () => vi.unstubAllGlobals();
});

const typed = (to: unknown, from: unknown = "", at = NOW): KeptText => ({
  at,
  page: "/admin/orders?order=7",
  attempt: "first",
  version: null,
  edits: { note: { from, to } },
});

describe("a text that staff have typed", () => {
  it("returns to the same person and form, for a day", () => {
    const note = keptText("ama", "order note 1");
    expect(note.write(typed("Call at five"))).toBe(true);
    expect(keptText("ama", "order note 1").read(NOW + DAY - 1)).toEqual(typed("Call at five"));
    expect(keptText("ama", "order note 2").read(NOW)).toBeNull();
    expect(keptText("kofi", "order note 1").read(NOW)).toBeNull();
    expect(note.read(NOW + DAY)).toBeNull();
    note.remove();
    expect(note.read(NOW)).toBeNull();
  });

  it("disappears after a day, and when someone else signs in in this tab", () => {
    keptText("ama", "old").write(typed("Old", "", NOW - DAY));
    keptText("ama", "new").write(typed("New"));
    tab.setItem(`${officeTabPrefix("ama")}typed-broken`, "{}");
    tab.setItem("another", "stays");
    forgetOldTexts("ama", NOW);
    expect(Object.keys(tab)).toEqual([`${officeTabPrefix("ama")}typed-new`, "another"]);
    deleteOthersData("ama");
    expect(Object.keys(tab)).toHaveLength(2);
    deleteOthersData("kofi");
    expect(Object.keys(tab)).toEqual(["another"]);
  });

  it("fails silently where the storage is full or blocked", () => {
    vi.stubGlobal("sessionStorage", createStorage(true));
    expect(keptText("ama", "note").write(typed("Call at five"))).toBe(false);
    vi.stubGlobal("sessionStorage", undefined);
    expect(keptText("ama", "note").write(typed("Call at five"))).toBe(false);
    expect(keptText("ama", "note").read(NOW)).toBeNull();
    expect(findClosedText("ama", "/admin/orders", NOW, new Set())).toBeNull();
  });

  it("shows on its page while its form is closed once the page was left, the newest first", () => {
    keptText("ama", "a").write(typed("First", "", NOW - 1));
    keptText("ama", "b").write(typed("Second"));
    keptText("kofi", "c").write(typed("Not hers", "", NOW + 1));
    const find = (open: string[] = [], path = "/admin/orders") =>
      findClosedText("ama", path, NOW, new Set(open.map((form) => `${officeTabPrefix("ama")}typed-${form}`)));
    expect(find()).toBeNull();
    leavePage("/admin/orders?order=8");
    expect(find()).toBeNull();
    leavePage("/admin/orders?order=7");
    expect(find()).toMatchObject({ edits: { note: { to: "Second" } } });
    expect(find(["b"])).toMatchObject({ edits: { note: { to: "First" } } });
    expect([find(["a", "b"]), find([], "/admin/books")]).toEqual([null, null]);
  });

  it("begins with the first words that identify it", () => {
    expect(beginningOf(typed("  Twenty\n lines "))).toBe("Twenty lines");
    expect(beginningOf(typed("a".repeat(100)))).toHaveLength(60);
    expect(beginningOf(typed([{ copies: "2" }]))).toBe("");
  });
});

describe("the edited fields of a text", () => {
  const start = { title: "Maths", price: "10.00", lines: [{ copies: "1" }] };

  it("include only what was changed, with the value before", () => {
    const edits = findEdits(start, { ...start, price: "12.00", lines: [{ copies: "1" }] }, {}, false);
    expect(edits).toEqual({ price: { from: "10.00", to: "12.00" } });
    expect(findEdits(start, { ...start, price: "12.00" }, { price: "9.00" }, false)).toEqual({
      price: { from: "9.00", to: "12.00" },
    });
  });

  it("include all fields of what adds something, once one is changed, since proposals change with the record", () => {
    const proposed = { kind: "payment", amount: "20.00", note: "" };
    expect(findEdits(proposed, proposed, {}, true)).toEqual({});
    const edits = findEdits(proposed, { ...proposed, note: "In cash" }, {}, true);
    expect(beginningOf({ ...typed(""), edits })).toBe("In cash");
    const later = { kind: "refund", amount: "5.00", note: "" };
    expect(restoreText(edits, later, false)).toMatchObject({
      values: { kind: "payment", amount: "20.00", note: "In cash" },
      conflicts: {},
    });
  });

  it("return beside what others have saved in the other fields", () => {
    const edits = { price: { from: "10.00", to: "12.00" } };
    const now = { ...start, title: "Mathematics" };
    expect(restoreText(edits, now, true)).toEqual({
      values: { price: "12.00" },
      origins: { price: "10.00" },
      conflicts: {},
    });
  });

  it("conflict with a value that someone else has saved in them since", () => {
    const edits = { price: { from: "10.00", to: "12.00" }, title: { from: "Maths", to: "Maths 1" } };
    const now = { ...start, price: "11.00" };
    expect(restoreText(edits, now, true).conflicts).toEqual({ price: "11.00" });
    expect(restoreText(edits, now, false).conflicts).toEqual({});
    expect(restoreText(edits, { ...start, price: "12.00" }, true).values).toEqual({ title: "Maths 1" });
  });

  it("stay out of a form that no longer has them, or has another kind of value there", () => {
    const edits = { gone: { from: "", to: "x" }, lines: { from: "", to: "three" } };
    expect(restoreText(edits, start, true).values).toEqual({});
  });
});

describe("the page of the back office on which a session ended", () => {
  const visit = (pathname: string, search = "") =>
    vi.stubGlobal("window", { location: { pathname, search, hash: "" } });

  it("opens once, for the person whose session it was, for a day", () => {
    local.setItem(DATA_OWNER_KEY, "ama");
    visit("/admin/books", "?q=maths");
    rememberOfficePlace();
    expect(takeOfficePlace("kofi")).toBeNull();
    expect([takeOfficePlace("ama"), takeOfficePlace("ama")]).toEqual(["/admin/books?q=maths", null]);
    vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
    rememberOfficePlace();
    vi.setSystemTime(NOW + DAY);
    expect(takeOfficePlace("ama")).toBeNull();
    vi.useRealTimers();
  });

  it("stays unknown for a visitor and after signing out, and never leads outside the office", () => {
    visit("/admin/books");
    rememberOfficePlace();
    expect(Object.keys(tab)).toEqual([]);
    local.setItem(DATA_OWNER_KEY, "ama");
    for (const path of ["//evil.example/admin", "/administrator", "/shop"]) {
      visit(path);
      rememberOfficePlace();
      expect(takeOfficePlace("ama")).toBeNull();
    }
  });
});
