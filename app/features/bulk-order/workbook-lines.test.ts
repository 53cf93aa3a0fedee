import { expect, test } from "vitest";
import { workbookFile } from "#app/lib/tables/write-workbook.ts";
import { readOrderLines } from "./order-lines.ts";
import { readWorkbookLines } from "./workbook-lines.ts";

async function linesOf(headings: string[], rows: (string | number)[][]) {
  const file = await workbookFile(headings);
  await file.add(rows);
  const read = await readWorkbookLines(new Uint8Array(await (await file.finish()).arrayBuffer()));
  return "problem" in read ? read.problem : readOrderLines(read.text);
}

test("a school's workbook is read line for line, as if its cells had been pasted", async () => {
  const rows = [
    [],
    ["ISBN", "Title", "Qty"],
    [9780306406157, 'The "big"\nbook', 40],
    [],
    ["", '"Atlas"; new', "3 copies"],
  ];
  expect(await linesOf(["Hill School"], rows)).toMatchObject([
    { line: 4, isbn: "9780306406157", title: 'The "big" book', quantity: 40 },
    { line: 6, isbn: "", title: '"Atlas"; new', quantity: 3 },
  ]);
});

test("a workbook that can't be read says why", async () => {
  expect(await readWorkbookLines(Uint8Array.from([0x50, 0x4b, 3, 4]))).toEqual({
    problem: "The file is damaged or incomplete. Save it again, and choose it again.",
  });
});
