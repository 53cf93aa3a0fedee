import { describe, expect, it } from "vitest";
import { BackendFailure } from "#app/lib/backend/failure.ts";
import { failureFrom } from "#app/lib/backend/response.ts";
import { csvFile } from "#shared/tables/csv.ts";
import { collectRows, type ExportSource } from "./collect-rows.ts";
import { tableOf } from "./export-table.ts";

type Row = { id: string };
const columns = { ID: (row: Row) => row.id };
const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `r${n}` }));

/** A list by pages of ten, read from the last, that something happens to before some of its steps. */
function listOf(rows: Row[], before: (step: number) => void = () => {}): ExportSource<Row, number> {
  let steps = 0;
  return {
    count: async () => rows.length,
    first: (total) => Math.max(1, Math.ceil(total / 10)),
    read: async (page) => {
      steps += 1;
      before(steps);
      const start = (page - 1) * 10;
      return { rows: rows.slice(start, start + 10).toReversed(), next: page > 1 ? page - 1 : null };
    },
  };
}

/** With the byte order mark, which Blob.text() leaves out. */
const textOf = async (file: Blob) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer());

async function collect(
  source: ExportSource<Row, number>,
  more: { signal?: AbortSignal; waits?: number[] } = {},
) {
  const progress: [number, number][] = [];
  const table = tableOf(columns);
  const file = csvFile(table.headings);
  const rows = await collectRows(source, table, {
    file,
    onProgress: (...now) => progress.push(now),
    signal: more.signal ?? new AbortController().signal,
    wait: async (milliseconds) => void more.waits?.push(milliseconds),
  });
  const [first = "", ...lines] = (await textOf(await file.finish())).split("\r\n").slice(0, -1);
  return { heading: first, ids: lines, rows, progress };
}

describe("a list read into a CSV file", () => {
  it("begins with a byte order mark and the headings, and has every row once", async () => {
    const { heading, ids, rows } = await collect(listOf(rowsOf(25)));
    expect(heading).toBe("\uFEFFID");
    expect(ids).toEqual(
      rowsOf(25)
        .map(({ id }) => id)
        .toReversed(),
    );
    expect(rows).toBe(25);
  });

  it("is just the headings when the list is empty", async () => {
    expect(await collect(listOf([]))).toMatchObject({ heading: "\uFEFFID", ids: [], rows: 0 });
  });

  it("reports progress after each step", async () => {
    const { progress } = await collect(listOf(rowsOf(25)));
    expect(progress).toEqual([
      [0, 25],
      [5, 25],
      [15, 25],
      [25, 25],
    ]);
  });

  it("misses no row when others are deleted during the export, and repeats none when others are added", async () => {
    const rows = rowsOf(35);
    const { ids } = await collect(
      listOf(rows, (step) => {
        if (step === 2) rows.splice(0, 5);
        if (step === 3) rows.push({ id: "new" });
        if (step === 4) rows.splice(12, 3);
      }),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const old = rows.filter(({ id }) => id !== "new");
    expect(old.filter(({ id }) => !ids.includes(id))).toEqual([]);
  });

  it("reads again when fewer rows arrived than exist because one moved between pages", async () => {
    const rows = rowsOf(25);
    const { ids, rows: count } = await collect(
      listOf(rows, (step) => {
        // An old row that fits the filter from now on pushes one into a page that was read already.
        if (step === 2) rows.splice(0, 1, { id: "r0" }, { id: "late" });
      }),
    );
    expect(new Set(ids).size).toBe(count);
    expect(rows.filter(({ id }) => !ids.includes(id))).toEqual([]);
  });

  it("retries a step after a temporary failure, waiting longer each time", async () => {
    const waits: number[] = [];
    const source = listOf(rowsOf(25), (step) => {
      if (step === 2) throw failureFrom({}, 0);
      if (step === 3) throw failureFrom({}, 503);
    });
    const { ids } = await collect(source, { waits });
    expect(ids).toHaveLength(25);
    expect(waits).toEqual([500, 2_000]);
  });

  it("gives up when it keeps failing, and immediately when it is refused", async () => {
    const failing = (status: number) =>
      listOf(rowsOf(25), () => {
        throw failureFrom({}, status);
      });
    const waits: number[] = [];
    await expect(collect(failing(500), { waits })).rejects.toThrow(BackendFailure);
    expect(waits).toHaveLength(3);
    waits.length = 0;
    await expect(collect(failing(403), { waits })).rejects.toThrow(BackendFailure);
    expect(waits).toEqual([]);
  });

  it("stops when it is cancelled", async () => {
    const controller = new AbortController();
    const source = listOf(rowsOf(25), (step) => {
      if (step === 2) controller.abort();
      if (step === 3) throw new Error("read on after the end");
    });
    await expect(collect(source, { signal: controller.signal })).rejects.toThrow(/abort/i);
  });
});
