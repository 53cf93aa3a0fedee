import { expect, test, vi } from "vitest";
import type { DataRequest } from "./data/query.ts";
import { createUnmetDemand, noteLinesWithoutBook } from "./unmet-demand.ts";

type Seen = { kind: string; text: string; found: number; visitor: string };

/** The counter with a database stub that records its calls. */
function open({ failures = 0, salt = "salt of the month" } = {}) {
  const state = { now: Date.parse("2026-11-27T10:00:00Z"), failures, salt, calls: [] as string[] };
  const written: Seen[][] = [];
  const log = vi.fn();
  const demand = createUnmetDemand({
    log,
    now: () => state.now,
    call: async (name, values) => {
      state.calls.push(name);
      if (state.failures-- > 0) throw new Error("down");
      if (name === "demand_salt") return state.salt;
      expect(values._salt).toBe(state.salt);
      written.push(JSON.parse(String(values._seen)));
      return null;
    },
  });
  return { ...demand, state, written, log };
}

test("a visitor's repeated search is written once, with a hash instead of the network", async () => {
  const { note, write, written, stop } = open();
  for (let n = 0; n < 3; n += 1) note("search", "aki-ola", 0, "203.0.113.7");
  note("search", "aki-ola", 0, "203.0.113.8");
  note("line", "aki-ola", 0, "2001:db8:1:2::1");
  note("line", "aki-ola", 0, "2001:db8:1:2::ffff");
  await write();
  const [seen = []] = written;
  expect(seen.map(({ kind }) => kind)).toEqual(["search", "search", "line"]);
  expect(new Set(seen.map(({ visitor }) => visitor)).size).toBe(3);
  expect(JSON.stringify(seen)).not.toMatch(/203\.0|2001:/);
  await stop();
});

test("the same visitor has the same hash until the month's salt changes", async () => {
  const { note, write, written, state, stop } = open();
  const visit = async () => {
    note("search", "aki-ola", 0, "203.0.113.7");
    await write();
    return written.at(-1)?.[0]?.visitor;
  };
  const first = await visit();
  expect(await visit()).toBe(first);
  state.salt = "another salt";
  expect(await visit()).not.toBe(first);
  await stop();
});

test("a failed write is retried and logged once, and stopping writes the rest", async () => {
  const { note, write, written, log, stop } = open({ failures: 2 });
  note("search", "one", 0, "203.0.113.7");
  await write();
  note("search", "two", 1, "203.0.113.7");
  await Promise.all([write(), write()]);
  expect([written, log.mock.calls.length]).toEqual([[], 1]);
  await stop();
  expect(written.map((seen) => seen.map(({ text, found }) => [text, found]))).toEqual([
    [
      ["one", 0],
      ["two", 1],
    ],
  ]);
});

test("without searches the database is still called once a month, to delete last month's hashes", async () => {
  const { write, state, stop } = open();
  for (let n = 0; n < 3; n += 1) await write();
  expect(state.calls).toEqual(["demand_salt"]);
  state.now = Date.parse("2026-12-01T00:00:00Z");
  await write();
  await write();
  expect(state.calls).toEqual(["demand_salt", "demand_salt"]);
  await stop();
});

test("counts at most 100 texts per network and day, and 1,000 between two writes", async () => {
  const { note, write, written, state, stop } = open();
  for (let n = 0; n < 10_000; n += 1) note("search", `invented ${n}`, 0, "203.0.113.7");
  await write();
  expect(written.at(-1)).toHaveLength(100);
  state.now += 24 * 60 * 60 * 1000;
  for (let n = 0; n < 10_000; n += 1) note("search", `${n}`, 0, `203.0.${n >> 8}.${n & 255}`);
  await write();
  expect(written.at(-1)).toHaveLength(1_000);
  await stop();
});

test("a text is shortened and cleaned so that the database can store it", async () => {
  const { note, write, written, stop } = open();
  note("search", `a\0b\ud800 ${"x".repeat(500)}`, 0, "203.0.113.7");
  await write();
  const text = written[0]?.[0]?.text ?? "";
  expect([text.slice(0, 5), text.length]).toEqual(["ab\ufffd x", 199]);
  await stop();
});

const matching = (lines: unknown, rows: unknown, status = 200) => {
  const note = vi.fn();
  const request = { method: "POST", body: JSON.stringify({ _lines: lines }) } as DataRequest;
  const respond = async () => new Response(JSON.stringify(rows), { status });
  return { note, response: noteLinesWithoutBook(note)(request, "203.0.113.7", respond) };
};

test("bulk order lines without a book are counted by name, and the response is unchanged", async () => {
  const rows = [
    { line: 1, matches: 0 },
    { line: 2, matches: 2 },
    { line: 3, matches: 0 },
  ];
  const { note, response } = matching(
    [{ text: "Maths", line: "5 x Maths" }, { text: "b", line: "B" }, "c"],
    rows,
  );
  expect(await (await response).json()).toEqual(rows);
  expect(note.mock.calls).toEqual([["line", "5 x Maths", 0, "203.0.113.7"]]);
});

test.each([
  ["a refusal", [{ text: "a", line: "A" }], { line: 1, matches: 0 }, 400],
  ["one row instead of a list", [{ text: "a", line: "A" }], { line: 1, matches: 0 }, 200],
  ["blank names", [{ text: "a", line: " " }, { text: "b", line: 7 }, null], [{ line: 1, matches: 0 }], 200],
  ["no list", "a", [{ line: 1, matches: 0 }], 200],
])("nothing is counted for %s", async (_, lines, rows, status) => {
  const { note, response } = matching(lines, rows, status);
  expect((await response).status).toBe(status);
  expect(note).not.toHaveBeenCalled();
});
