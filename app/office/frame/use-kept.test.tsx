import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { keptText, leavePage } from "./kept-text.ts";
import { type Kept, useKept } from "./use-kept.ts";

vi.mock("#app/features/session/session.ts", () => ({
  getSession: () => ({ status: "signed-in", user: { id: "ama" } }),
}));

type Values = { lines: { copies: string; most: number }[]; note: string };
type Opened = { start: Values; values: Values; adds?: boolean };

/** What a form keeps when it opens; `values` is what its fields have by now. */
function openForm({ start, values, adds = false }: Opened): Kept {
  const opened: Kept[] = [];
  function Form() {
    opened.push(useKept<Values>({ name: "return 1", start, values, adds, restore: () => {} }));
    return null;
  }
  renderToStaticMarkup(<Form />);
  const [kept] = opened;
  if (!kept) throw new Error("The form was not rendered");
  return kept;
}

const start: Values = { lines: [{ copies: "", most: 5 }], note: "" };

describe("the id under which a form's text is sent", () => {
  beforeEach(() => {
    const stored: Record<string, string> = {};
    vi.stubGlobal("window", {});
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => stored[key] ?? null,
      setItem: (key: string, text: string) => {
        stored[key] = text;
      },
      removeItem: (key: string) => {
        delete stored[key];
      },
    });
    keptText("ama", "return 1").write({
      at: Date.now(),
      page: "/admin/orders",
      attempt: "first",
      version: null,
      edits: {
        lines: { from: start.lines, to: [{ copies: "2", most: 5 }] },
        note: { from: "", to: "Torn" },
      },
    });
    leavePage("/admin/orders");
    return () => vi.unstubAllGlobals();
  });

  it("is the earlier attempt's where the text is back, also on lines that have changed since", () => {
    const lines = [{ copies: "", most: 3 }];
    const values = { lines: [{ copies: "2", most: 3 }], note: "Torn" };
    const kept = openForm({ start: { lines, note: "" }, values, adds: true });
    expect(kept).toMatchObject({ attempt: "first", hasConflict: false });
    expect(kept.backFrom).not.toBeNull();
  });

  it("is still the earlier attempt's once the text that is back has been edited", () => {
    const values = { lines: [{ copies: "4", most: 5 }], note: "Torn covers" };
    expect(openForm({ start, values }).attempt).toBe("first");
    expect(openForm({ start, values: start }).attempt).toBe("first");
  });

  it("is the earlier attempt's, without a notice, where the form was closed and opened again on its page", () => {
    const values = { ...start, note: "Torn" };
    const item = keptText("ama", "return 1");
    const stored = item.read(Date.now());
    if (stored) item.write(stored);
    expect(openForm({ start, values })).toMatchObject({ attempt: "first", backFrom: null });
    leavePage("/admin/orders");
    expect(openForm({ start, values }).backFrom).not.toBeNull();
  });

  it("comes with a notice of someone else's change, also where the page wasn't left", () => {
    const item = keptText("ama", "return 1");
    const stored = item.read(Date.now());
    if (stored) item.write(stored);
    const changed = { ...start, note: "Theirs" };
    const kept = openForm({ start: changed, values: { ...changed, note: "Torn" } });
    expect(kept.hasConflict).toBe(true);
    expect(kept.backFrom).not.toBeNull();
  });

  it("is a new one where nothing is back", () => {
    keptText("ama", "return 1").remove();
    const [one, other] = [openForm({ start, values: start }), openForm({ start, values: start })];
    expect(one.attempt).not.toBe("first");
    expect(one.attempt).not.toBe(other.attempt);
    expect(one.backFrom).toBeNull();
  });
});
