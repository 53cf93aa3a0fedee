import { describe, expect, it } from "vitest";
import { mapColumns } from "#app/office/catalogue/book-import/book-import-columns.ts";
import { readBookTable } from "#app/office/catalogue/book-import/book-table.ts";
import { rowsLeftOutTable } from "#app/office/catalogue/book-import/rows-left-out.ts";
import { limits } from "#app/office/schools/booklists/booklist-draft.ts";
import { csvBeginning, csvLine } from "#shared/tables/csv.ts";
import type { SavedTable } from "#shared/tables/table-file.ts";
import { readPositionCell, readRequiredCell, readSchoolYearCell } from "./list-cells.ts";
import { listColumns, listTemplate, missingListColumn } from "./list-columns.ts";
import { countActions, inBatches, type ListPlan, listRowsLeftOut, refusedByFile } from "./list-plan.ts";
import { type FileList, readLists } from "./list-rows.ts";

const csvOf = ({ headings, rows }: SavedTable) => csvBeginning(headings) + rows.map(csvLine).join("");

function readFile(content: string | Uint8Array) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const table = readBookTable(bytes, listColumns);
  const mapping = mapColumns(table.headings, listColumns);
  return { table, ...readLists(table.rows, mapping) };
}

const namesOf = ({ school, class_name, school_year }: FileList) => [school, class_name, school_year];

describe("a file of booklists", () => {
  it("may have other headings, semicolons, old encodings and rows in any order", () => {
    const { lists, loose } = readFile(
      Buffer.from(
        [
          "École List;;;;;;;",
          "Name of School;Grade;Academic Year;Book Title;ISBN No.;Qty;Compulsory;Remarks",
          "École Jean;Class 1;2026-27;;978-0-306-40615-7;2;Yes;Couvert",
          "Hill School;JHS 2;2026/2027;Atlas;;;no;",
          'ECOLE JEAN;class 01;2026 / 2027;"Règle; 30 cm";;;;',
          "Total;;;;;3;;",
        ].join("\r\n"),
        "latin1",
      ),
    );
    expect(lists.map(namesOf)).toEqual([
      ["École Jean", "Class 1", "2026/2027"],
      ["Hill School", "JHS 2", "2026/2027"],
    ]);
    expect(lists[0]?.rows).toMatchObject([
      { line: 3, isbn: "9780306406157", title: null, copies: 2, is_required: true, note: "Couvert" },
      { line: 5, isbn: null, title: "Règle; 30 cm", copies: 1, is_required: true, note: null },
    ]);
    expect(lists[1]?.rows).toMatchObject([{ line: 4, title: "Atlas", is_required: false }]);
    expect(loose.map(({ line, problems }) => [line, problems])).toEqual([
      [1, ["This line is above the headings."]],
      [6, ["This looks like a line of totals, not a book."]],
    ]);
  });

  it("has its lines sorted by position, those without one last", () => {
    const { lists } = readFile(
      "School,Class,School year,Title,No.\nA,B,2026/2027,Third,\nA,B,2026/2027,Second,2.\nA,B,2026/2027,First,1",
    );
    expect(lists[0]?.rows.map(({ title }) => title)).toEqual(["First", "Second", "Third"]);
  });

  it.each([
    ["Hill  School,Class 007", "hill school,class 7", 1],
    ["Hill,Class 1", "Hill,Class 2", 2],
    ["Hill,Class 10", "Hill,Class 100", 2],
    ["Hill,JHS 1 1", "Hill,JHS 11", 2],
    ["HillA,B", "Hill,AB", 2],
  ])("with rows of %j and %j has this number of lists: %i", (one, other, lists) => {
    const rows = [one, other].map((list) => `${list},2026/2027,Maths`);
    expect(readFile(["School,Class,School year,Title", ...rows].join("\n")).lists).toHaveLength(lists);
  });

  it("cuts an overlong text, but keeps enough to show that it is too long", () => {
    const long = "x".repeat(5_000);
    const { lists } = readFile(`School,Class,School year,Title,Note\nA,B,2026/2027,${long},${long}`);
    const [row] = lists[0]?.rows ?? [];
    expect([row?.title?.length, row?.note?.length]).toEqual([limits.title + 1, limits.note + 1]);
  });

  it("reads a dash as no note, but a word as a title", () => {
    const { lists } = readFile("School,Class,School year,Title,Note\nA,B,2026/2027,None,-");
    expect(lists[0]?.rows).toMatchObject([{ title: "None", note: null }]);
  });

  it("has a template whose columns are all read", () => {
    const { table, lists, loose } = readFile(csvOf(listTemplate));
    expect(mapColumns(table.headings, listColumns)).toMatchObject({ ignored: [], width: listColumns.length });
    expect([lists.length, loose]).toEqual([1, []]);
    expect(table.headings).toEqual([
      "School",
      "Class",
      "School year",
      "ISBN",
      "Title",
      "Copies",
      "Required",
      "Note",
      "Position",
    ]);
    expect(lists[0]).toMatchObject({
      school: "Example School",
      class_name: "JHS 1",
      school_year: "2026/2027",
    });
    const empty = { isbn: null, title: null, copies: 1, note: null };
    expect(lists[0]?.rows).toMatchObject([
      { ...empty, isbn: "9780306406157", is_required: true, position: 1 },
      { ...empty, title: "A 30 cm ruler", is_required: false, note: "From any shop", position: 2 },
    ]);
    expect(lists[0] && refusedByFile(lists[0])).toBeNull();
  });

  it("must have columns for the school, the class, the year and the book", () => {
    const all = ["school", "class_name", "school_year", "title"] as const;
    expect(missingListColumn(all)).toBeNull();
    expect(missingListColumn(["isbn", ...all.slice(0, 3)])).toBeNull();
    expect(missingListColumn(all.slice(0, 3))).toBe("Say which column is the ISBN or the title.");
    expect(missingListColumn(["school", "school_year", "isbn"])).toBe("Say which column is the class.");
    expect(missingListColumn(["class_name", "school_year", "isbn"])).toBe("Say which column is the school.");
    expect(missingListColumn(["school", "class_name", "isbn"])).toBe("Say which column is the school year.");
  });
});

describe("the cells of a booklist", () => {
  it.each([
    ["2026/2027", "2026/2027"],
    ["2026-27", "2026/2027"],
    ["2026 – 2027", "2026/2027"],
  ])("%s is a school year", (text, value) => expect(readSchoolYearCell(text)).toEqual({ value }));

  it.each(["2026", "26/27", "September 2026", "SY 2026/2027", "2026/20278"])(
    "%s is not a school year",
    (text) =>
      expect(readSchoolYearCell(text)).toEqual({
        problem: `The school year ${text} can't be read. Write two years, such as 2026/2027.`,
      }),
  );

  it("make a line required unless they say otherwise", () => {
    for (const text of [null, "YES", "x", "1", "Compulsory"])
      expect(readRequiredCell(text)).toEqual({ value: true });
    for (const text of ["no", "Optional", "0", "FALSE"])
      expect(readRequiredCell(text)).toEqual({ value: false });
    expect(readRequiredCell("maybe")).toEqual({ problem: "Required must be yes or no, not maybe." });
  });

  it("must have whole numbers as positions", () => {
    expect([null, "7", "7.", "7)"].map(readPositionCell)).toEqual(
      [null, 7, 7, 7].map((value) => ({ value })),
    );
    for (const text of ["first", "1.234,5", "1.5"])
      expect(readPositionCell(text)).toEqual({ problem: `The position ${text} is not a whole number.` });
  });
});

describe("a list with problems", () => {
  const head = "School,Class,School year,ISBN,Title,Copies,Required";
  const plan = (list: FileList, problems: ListPlan["problems"]): ListPlan => ({
    list,
    action: "refused",
    id: null,
    updated_at: null,
    changes: [],
    inWords: [],
    problems,
  });

  it("is refused before it is sent", () => {
    const { lists } = readFile(
      `${head}\nA,B,2026/2027,9.78031E+12,Maths,1,yes\nA,B,2026/2027,,English,1,perhaps\nA,C,2026/2027,,Fine,1,`,
    );
    const [wrong, fine] = lists.map(refusedByFile);
    expect(fine).toBeNull();
    expect(wrong).toMatchObject({
      action: "refused",
      problems: [
        {
          line: 2,
          message: "The ISBN 9.78031E+12 has lost its digits in a spreadsheet. Copy it from the book.",
        },
        { line: 3, message: "Required must be yes or no, not perhaps." },
      ],
    });
  });

  it("may have too many lines, or too much text for one request", () => {
    const rows = (count: number, title: string) =>
      Array.from({ length: count }, (_, n) => `A,B,2026/2027,,${title} ${n},1,`).join("\n");
    const [long] = readFile(`${head}\n${rows(201, "Book")}`).lists;
    expect(long && refusedByFile(long)?.problems).toEqual([
      { line: 2, message: "A booklist can have up to 200 lines. This one has 201." },
    ]);
    const [heavy] = readFile(`${head}\n${rows(200, "x".repeat(490))}`).lists;
    expect(heavy && refusedByFile(heavy)?.problems).toEqual([
      { line: null, message: "This list is too long to import. Shorten its titles and notes." },
    ]);
  });

  it("is returned whole in a file to repair, which reads back as the same list", () => {
    const { table, lists, loose } = readFile(
      `${head}\nA,B,2026/2027,,Maths,1,\nHill,C,2026/2027,,Fine,1,\nA,B,2026/2027,,English,many,\nTotal,,,,,3,`,
    );
    const [list, fine] = lists as [FileList, FileList];
    const rows = listRowsLeftOut(
      [plan(list, [{ line: 4, message: "The copies are wrong." }]), { ...plan(fine, []), action: "add" }],
      loose,
    );
    expect(rows.map(({ line, problems }) => [line, problems])).toEqual([
      [2, ["Another line of this list has a problem."]],
      [4, ["The copies are wrong."]],
      [5, ["This looks like a line of totals, not a book."]],
    ]);
    const whole = listRowsLeftOut([plan(list, [{ line: null, message: "Two such lists." }])], []);
    expect(whole.map(({ problems }) => problems)).toEqual([["Two such lists."], ["Two such lists."]]);
    const repaired = readFile(
      csvOf(rowsLeftOutTable({ fileName: "", headings: table.headings, rows })).replace("many", "2"),
    );
    expect(repaired.lists.map(({ rows }) => rows.map(({ title, copies }) => [title, copies]))).toEqual([
      [
        ["Maths", 1],
        ["English", 2],
      ],
    ]);
  });
});

it("lists are sent in groups that fit into a request", () => {
  const items = Array.from({ length: 120 }, (_, n) => ({ n }));
  expect(inBatches(items).map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(inBatches(items).flat()).toEqual(items);
  expect(inBatches(["x".repeat(60_000), "y".repeat(60_000), "z"]).map(({ length }) => length)).toEqual([
    1, 2,
  ]);
  const halves = ["a", "b", "c", "d"].map((letter) => letter.repeat(45_000));
  expect(inBatches(halves).map(({ length }) => length)).toEqual([2, 2]);
  expect(inBatches([])).toEqual([]);
});

it("lists are counted by what will happen to them", () => {
  const plans = ["add", "refused", "update", "add", "unchanged", "update", "update"].map(
    (action) => ({ action }) as ListPlan,
  );
  expect(countActions(plans)).toEqual({ add: 2, update: 3, unchanged: 1, refused: 1 });
});
