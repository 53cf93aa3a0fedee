import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Person, Row } from "#tests/support/database.ts";
import { addBook, addStaff, type TestBook } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";

type Problem = { line: number | null; message: string };
type Plan = {
  action: string;
  id: string | null;
  updated_at: Date | null;
  changes: { title: string; before: Row | null; after: Row | null }[];
  problems: Problem[];
};

describeOnOwnServerToo("Importing booklists", (open) => {
  let admin: SignedIn;
  let maths: TestBook;
  let english: TestBook;
  let school: string;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    maths = await addBook(open(), { title: "Maths 4", isbn: "978-0-306-40615-7" });
    english = await addBook(open(), { title: "Énglish 4" });
  });
  beforeEach(() => {
    school = `School ${randomUUID()}`;
  });

  const send = (lists: unknown, { dryRun = false, publish = false, person = admin as Person } = {}) =>
    open().as(person, (query) =>
      query<Plan>("select * from public.import_booklists($1::jsonb, $2, $3)", [
        JSON.stringify(lists),
        dryRun,
        publish,
      ]),
    );
  const list = (lines: Row[], more: Row = {}) => ({
    school,
    class_name: "Class 4",
    school_year: "2026/2027",
    lines: lines.map((line, at) => ({ line: at + 2, ...line })),
    ...more,
  });
  const one = async (args: Row, how = {}): Promise<Plan> => {
    const [plan] = await send([args], how);
    if (!plan) throw new Error("The list has no answer.");
    return plan;
  };
  const messages = ({ problems }: Plan) => problems.map(({ line, message }) => [line, message]);
  const stored = async () =>
    open().query(
      `select b.status, b.is_listed, l.id, l.title, l.book_id, l.copies, l.is_required, l.note
         from public.booklists b join public.booklist_lines l on l.booklist_id = b.id
        where b.school = $1 order by b.class_key, l.position`,
      [school],
    );
  const log = async () =>
    (await open().query("select 1 from public.audit_log where table_name like 'booklist%'")).length;

  const lines = [
    { isbn: "0-306-40615-2", title: "Ignored beside an ISBN", copies: 2, note: "Covered" },
    { title: "english 4", is_required: false },
    { title: "A ruler" },
  ];

  test("a dry run says what would be added and writes nothing; the import writes just that", async () => {
    const before = await log();
    const plan = await one(list(lines), { dryRun: true });
    expect(plan).toMatchObject({ action: "add", id: null, updated_at: null, problems: [] });
    expect(plan.changes).toEqual([
      { title: "Maths 4", before: null, after: { copies: 2, is_required: true, note: "Covered" } },
      { title: "Énglish 4", before: null, after: { copies: 1, is_required: false, note: null } },
      { title: "A ruler", before: null, after: { copies: 1, is_required: true, note: null } },
    ]);
    expect([await stored(), await log()]).toEqual([[], before]);
    expect(await one(list(lines))).toMatchObject({ action: "add" });
    expect(await stored()).toMatchObject([
      { status: "draft", is_listed: true, book_id: maths.id, copies: 2, is_required: true, note: "Covered" },
      { book_id: english.id, copies: 1, is_required: false },
      { title: "A ruler", book_id: null },
    ]);
  });

  test("an unchanged file changes nothing, however the names are written", async () => {
    const added = await one(list(lines));
    const before = [await stored(), await log()];
    const again = await one(
      list(lines, { school: school.toUpperCase(), class_name: " class 04 ", updated_at: added.updated_at }),
    );
    expect(again).toMatchObject({
      action: "unchanged",
      id: added.id,
      updated_at: added.updated_at,
      changes: [],
    });
    expect([await stored(), await log()]).toEqual(before);
  });

  test("a changed file changes the list's lines, which keep their ids, and nothing else of it", async () => {
    const added = await one(list(lines), { publish: true });
    const [first, , ruler] = await stored();
    const [, words, ...more] = [...lines].reverse();
    const changed = list([{ ...lines[2], copies: 3 }, ...more, { title: "A pen" }], {
      school: school.toLowerCase(),
    });
    expect(words?.title).toBe("english 4");
    const plan = await one(changed, { dryRun: true });
    expect(plan.changes).toEqual([
      {
        title: "A ruler",
        before: { copies: 1, is_required: true, note: null },
        after: { copies: 3, is_required: true, note: null },
      },
      { title: "Énglish 4", before: { copies: 1, is_required: false, note: null }, after: null },
      { title: "A pen", before: null, after: { copies: 1, is_required: true, note: null } },
    ]);
    expect(plan.action).toBe("update");
    expect(await one({ ...changed, updated_at: plan.updated_at })).toMatchObject({
      action: "update",
      id: added.id,
    });
    expect(await stored()).toMatchObject([
      { id: ruler?.id, copies: 3, status: "published" },
      { id: first?.id, book_id: maths.id },
      { title: "A pen" },
    ]);
  });

  test("another order alone is a change", async () => {
    const { updated_at } = await one(list(lines));
    const turned = list([...lines].reverse(), { updated_at });
    expect(await one(turned)).toMatchObject({ action: "update", changes: [] });
    expect(await stored()).toMatchObject([
      { title: "A ruler" },
      { book_id: english.id },
      { book_id: maths.id },
    ]);
  });

  test("a list that someone has changed since the check is left out, and the others are saved", async () => {
    await one(list(lines));
    const mine = await one(list([{ title: "Mine" }]), { dryRun: true });
    const theirs = await one(list([{ title: "Theirs" }]), { dryRun: true });
    await one(list([{ title: "Theirs" }], { updated_at: theirs.updated_at }));
    const [refused, saved] = await send([
      list([{ title: "Mine" }], { updated_at: mine.updated_at }),
      list([{ title: "Of Class 5" }], { class_name: "Class 5" }),
    ]);
    expect(refused?.action).toBe("refused");
    expect(refused && messages(refused)).toEqual([
      [null, "Someone else has changed this booklist since the file was checked. Check the file again."],
    ]);
    expect(saved?.action).toBe("add");
    expect(await stored()).toMatchObject([{ title: "Theirs" }, { title: "Of Class 5" }]);
  });

  test("a list that was new at the check and exists by now is not overwritten, nor made twice", async () => {
    const other = list([{ title: "Theirs" }]);
    const results = await Promise.all([send([other]), send([list(lines)]), send([other])]);
    const actions = results.map(([plan]) => plan?.action);
    expect(actions.filter((action) => action === "add")).toHaveLength(1);
    expect(await open().query("select 1 from public.booklists where school = $1", [school])).toHaveLength(1);
    expect((await stored()).length).toBe(actions[1] === "add" ? 3 : 1);
  });

  test("imports of the same lists in opposite orders wait for each other instead of for ever", async () => {
    const classes = Array.from({ length: 12 }, (_, n) => list(lines, { class_name: `Class ${n}` }));
    await send(classes);
    const versions = await send(classes, { dryRun: true });
    const changed = (title: string) =>
      classes.map((each, at) => ({
        ...each,
        updated_at: versions[at]?.updated_at,
        lines: [...each.lines, { line: 9, title }],
      }));
    const both = await Promise.all([send(changed("One")), send(changed("Other").reverse())]);
    const saved = both.map((plans) => plans.filter(({ action }) => action === "update").length);
    expect(saved.toSorted()).toEqual([0, 12]);
  });

  test("what is wrong with a line is said by its line in the file, and the list is left out whole", async () => {
    const title = `Twin ${randomUUID()}`;
    for (const edition of ["First", "Second"]) await addBook(open(), { title, edition });
    const plan = await one(
      list([
        { isbn: "9780306406157" },
        { title: "Maths 4" },
        { isbn: "9781108615310" },
        { isbn: "9781108615310", title: "A book that the shop does not have" },
        { title },
        { title: "Pencils", copies: "many" },
        { title: "pencils" },
        { title: "PENCILS" },
        { note: "x" },
        { title: "A pen", note: "x".repeat(301) },
        { title: "9781108615310" },
      ]),
    );
    expect(plan.action).toBe("refused");
    expect(messages(plan)).toEqual([
      [3, "The same book is in line 2."],
      [
        4,
        "The shop has no book with the ISBN 9781108615310. Give its title too if the list should name it all the same.",
      ],
      [6, `2 books in the shop match ${title}. Give the ISBN of one of them.`],
      [7, "The number of copies in line 7 must be between 1 and 99."],
      [9, "The same book is in line 8."],
      [10, "The title of line 10 is required."],
      [11, "The note of line 11 is too long (at most 300 characters)."],
      [
        12,
        "The shop has no book with the ISBN 9781108615310. Give its title too if the list should name it all the same.",
      ],
    ]);
    expect(await stored()).toEqual([]);
  });

  test.each<[string, Row, string]>([
    ["school", { school: " " }, "The school is required."],
    ["class", { class_name: "x".repeat(101) }, "The class is too long (at most 100 characters)."],
    ["school year", { school_year: "2026/2028" }, "The school year must be two years, such as 2026/2027."],
    ["lines", { lines: [] }, "A booklist has 1 to 200 lines."],
    [
      "length",
      { lines: Array.from({ length: 201 }, (_, n) => ({ line: n, title: `Book ${n}` })) },
      "A booklist has 1 to 200 lines.",
    ],
  ])("a list with a wrong %s is left out with the reason", async (_, wrong, message) => {
    const plan = await one(list(lines, wrong));
    expect([plan.action, messages(plan)]).toEqual(["refused", [[null, message]]]);
    expect(await stored()).toEqual([]);
  });

  test("of two lists with the same name staff must say which one is meant", async () => {
    await one(list(lines));
    await open().as(admin, (query) =>
      query("select public.copy_booklist(id, '2026/2027') from public.booklists where school = $1", [school]),
    );
    expect(messages(await one(list(lines)))).toEqual([
      [null, "The shop has 2 booklists for this school, class and year."],
    ]);
  });

  test("a line whose book was deleted from the shop stays that book's, for the day it is restored", async () => {
    const deleted = await addBook(open(), { title: `Gone ${randomUUID()}` });
    const { updated_at } = await one(list([{ title: deleted.title }]));
    await open().as(admin, (query) => query("delete from public.books where id = $1", [deleted.id]));
    expect(await one(list([{ title: deleted.title }], { updated_at }))).toMatchObject({
      action: "unchanged",
    });
    expect(await stored()).toMatchObject([{ book_id: deleted.id }]);
  });

  test("only staff may, and only with lists of lines", async () => {
    expect(await refusalOf(send([list(lines)], { person: visitor }))).toMatchObject({ code: "42501" });
    const customer = await addStaff(open(), "moderator");
    expect(await refusalOf(send([list(lines)], { person: customer }))).toMatchObject({ code: "PT403" });
    for (const wrong of [null, {}, [1], [{ lines: {} }], [{ lines: [1] }], Array(101).fill({ lines: [] })])
      expect(await refusalOf(send(wrong)), JSON.stringify(wrong)).toMatchObject({ code: "PT400" });
    expect(await stored()).toEqual([]);
  });
});
