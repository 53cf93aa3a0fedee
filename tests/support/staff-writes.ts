import { appendFileSync, readFileSync } from "node:fs";
import type { BrowserContext } from "@playwright/test";

/**
 * What staff can write: docs/staff-writes.md has a row for each control and call of the back office. Every test of the back office
 * compares what its browser sends with these rows.
 */

export type StaffWrite = {
  /** A function, or what is done to which table: 'delete books'. */
  call: string;
  /** What was pressed. */
  control: RegExp;
  kind: "plain" | "undoable" | "asked" | "undo";
  /** Of one that is asked: what the question or the form says. */
  words: RegExp;
};

/** '…' stands for anything. */
const pattern = (cell: string) =>
  cell
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[\\s\\S]*");

export function readStaffWrites(): StaffWrite[] {
  const page = readFileSync(new URL("../../docs/staff-writes.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([^`]+)` +\| (.*?) *\| (plain|undoable|asked|undo) +\| (.*?) *\|$/gm)];
  return rows.map(([, call = "", controls = "", kind, words = ""]) => ({
    call,
    control: new RegExp(`^(?:${controls.split(" / ").map(pattern).join("|")})$`),
    kind: kind as StaffWrite["kind"],
    words: new RegExp(pattern(words)),
  }));
}

type SeenWrite = { call: string; control: string; around: string };

/** What the page does: notes what was pressed last, reports each write with it, and whether an Undo follows. */
function reportWrites(calls: string[]) {
  let control = "";
  let around = "";
  const nameOf = (element: Element) => {
    const labels = (element as HTMLInputElement).labels;
    const text = element.getAttribute("aria-label") ?? labels?.[0]?.textContent ?? element.textContent ?? "";
    return text.replace(/\s+/g, " ").trim();
  };
  const note = (target: EventTarget | null) => {
    if (!(target instanceof Element)) return;
    const pressed =
      target.closest("button, a, input, textarea, select, label, [role=menuitem], [role=option]") ?? target;
    // Somebody looks around while the rows of a file are sent.
    if (nameOf(pressed) === "Toggle sidebar") return;
    control = nameOf(pressed);
    const shown = [
      ...document.querySelectorAll<HTMLElement>("dialog[open], [role=dialog], [role=alertdialog]"),
    ].at(-1);
    around = (shown ?? pressed.closest<HTMLElement>("form, section, main") ?? document.body).innerText;
  };
  addEventListener("click", ({ target }) => note(target), true);
  addEventListener("keydown", ({ key, target }) => key === "Enter" && note(target), true);
  addEventListener("submit", ({ submitter }) => submitter && note(submitter), true);

  const hasUndo = () =>
    [...document.querySelectorAll("button")].some((button) => /^Undo/.test(nameOf(button)));
  const { fetch: send } = window;
  window.fetch = async (input, init) => {
    const request = input instanceof Request ? input : null;
    const method = init?.method ?? request?.method ?? "GET";
    const [, place = "", name = ""] =
      /\/(rest\/v1\/rpc|rest\/v1|storage\/v1\/object)\/([\w-]+)/.exec(String(request?.url ?? input)) ?? [];
    // A storage path of this name lists files.
    const isWrite =
      name && name !== "list" && location.pathname.startsWith("/admin") && !["GET", "HEAD"].includes(method);
    const verb = { POST: "insert", PATCH: "update", DELETE: "delete" }[method] ?? method;
    const call = place.endsWith("rpc") ? name : `${verb} ${name}`;
    if (!isWrite || (place.endsWith("rpc") && !calls.includes(call))) return send(input, init);
    const seen = { call, control, around };
    const response = await send(input, init);
    if (response.ok) void report(seen);
    return response;
  };
  /** At once, and again when the message with its Undo had time to appear. */
  async function report(seen: SeenWrite) {
    const { staffWrote } = window as unknown as {
      staffWrote: (seen: SeenWrite, undo: boolean | null) => Promise<void>;
    };
    await staffWrote(seen, null);
    const deadline = performance.now() + 5_000;
    while (!hasUndo() && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 100));
    await staffWrote(seen, hasUndo());
  }
}

/** Every write of this context's back office that no row allows, in sentences. */
export async function watchStaffWrites(context: BrowserContext): Promise<string[]> {
  const problems: string[] = [];
  const writes = readStaffWrites();
  await context.exposeBinding("staffWrote", (_, seen: SeenWrite, undo: boolean | null) => {
    if (process.env.RECORD_WRITES)
      appendFileSync(process.env.RECORD_WRITES, `${JSON.stringify({ ...seen, undo })}\n`);
    const rows = writes.filter(({ call }) => call === seen.call);
    if (rows.length === 0 && !seen.call.includes(" ")) return;
    const row = rows.find(
      ({ control, kind, words }) =>
        control.test(seen.control) && (kind !== "asked" || words.test(seen.around)),
    );
    const told = `${seen.call} by “${seen.control}”`;
    if (!row)
      problems.push(`${told} is in no row of docs/staff-writes.md. Around it: ${seen.around.slice(0, 600)}`);
    else if (row.kind === "undoable" && undo === false) problems.push(`${told} has no Undo`);
  });
  await context.addInitScript(reportWrites, [...new Set(writes.map(({ call }) => call))]);
  return problems;
}
