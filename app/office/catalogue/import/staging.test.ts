import { describe, expect, it } from "vitest";
import { BackendFailure } from "#app/lib/backend/failure.ts";
import { failureFrom } from "#app/lib/backend/response.ts";
import type { BookImportRow } from "#app/office/catalogue/book-import/book-import.ts";
import {
  type BookImportMapping,
  mapBookImportColumns,
} from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { TableRow } from "#app/office/catalogue/book-import/book-table.ts";
import { planOf } from "#app/office/catalogue/book-import/list-plan.ts";
import { prepareStaging as prepareStagingOf } from "./staging.ts";

const mapping = mapBookImportColumns(["title", "price"]);
const prepareStaging = (rows: TableRow[], columns: BookImportMapping, publishers: string[]) =>
  prepareStagingOf(rows, columns, publishers, planOf(rows, [], columns.columns));
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ line: n + 2, cells: [`Book ${n}`, "5"] }));
const how = () => {
  const progress: number[] = [];
  return {
    progress,
    options: {
      signal: new AbortController().signal,
      wait: async () => {},
      onProgress: (done: number) => progress.push(done),
    },
  };
};

describe("rows sent to the staging table", () => {
  it("are sent in chunks that fit into a request, with progress after each", async () => {
    const sent: BookImportRow[][] = [];
    const { progress, options } = how();
    await prepareStaging(rowsOf(1_200), mapping, []).run(async (rows) => void sent.push(rows), options);
    expect(sent.map((rows) => rows.length)).toEqual([500, 500, 200]);
    expect(progress).toEqual([500, 1_000, 1_200]);
    expect(sent[0]?.[0]).toMatchObject({ line: 2, title: "Book 0", price: 5, problems: [] });
  });

  it("resume with the chunk that failed, without resending those that arrived", async () => {
    const staging = prepareStaging(rowsOf(1_200), mapping, []);
    const arrived: number[] = [];
    let refuse = true;
    const send = async (rows: BookImportRow[]) => {
      if (arrived.length === 1 && refuse) throw failureFrom({}, 503);
      arrived.push(rows[0]?.line ?? 0);
    };
    await expect(staging.run(send, how().options)).rejects.toThrow(BackendFailure);
    expect(staging.done()).toBe(500);
    refuse = false;
    await staging.run(send, how().options);
    expect(arrived).toEqual([2, 502, 1_002]);
    expect(staging.done()).toBe(1_200);
  });

  it("include those that are not books, with their problems, and keep the hints", async () => {
    const rows = [
      { line: 2, cells: ["Free", "0"] },
      {
        line: 3,
        cells: ["Moved", "5", "by a comma"],
        problem: "The row has more cells than there are headings.",
      },
    ];
    const staging = prepareStaging(rows, mapping, []);
    const sent: BookImportRow[] = [];
    await staging.run(async (chunk) => void sent.push(...chunk), how().options);
    expect(sent).toMatchObject([
      { line: 2, problems: [] },
      { line: 3, problems: ["The row has more cells than there are headings."], cells: rows[1]?.cells },
    ]);
    expect(staging.hints).toEqual([{ line: 2, message: "The price is 0." }]);
    expect(staging.done()).toBe(2);
  });

  it("spell publishers as the shop does, otherwise as most rows of the file do", async () => {
    const names = ["LONGMAN GHANA", "Longman Ghana", "Longman  Ghana", "schofield and sims", "Sub-Saharan"];
    const columns = mapBookImportColumns(["title", "publisher"]);
    const rows = names.map((name, n) => ({ line: n + 2, cells: [`Book ${n}`, name] }));
    const sent: BookImportRow[] = [];
    const staging = prepareStaging(rows, columns, ["Schofield & Sims", "Sub Saharan"]);
    await staging.run(async (chunk) => void sent.push(...chunk), how().options);
    expect(sent.map(({ publisher }) => publisher)).toEqual([
      "Longman Ghana",
      "Longman Ghana",
      "Longman Ghana",
      "Schofield & Sims",
      "Sub Saharan",
    ]);
    expect(staging.hints).toContainEqual({
      line: 5,
      message: "The publisher schofield and sims is read as Schofield & Sims.",
    });
  });
});
