import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { BOOKLIST_STATUSES, MAX_FOUND } from "#app/features/booklists/booklist.ts";
import { parseBooklistCode } from "#app/features/booklists/typed-booklist-code.ts";
import { CARD_COLUMNS } from "#app/features/books/book-fields.ts";
import { searchWords } from "#shared/owner/search-words.ts";
import type { Person, Row } from "#tests/support/database.ts";
import { addBook, addStaff, type TestBook } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";

type Saved = { id: string; code: string; status: string; updated_at: Date };
type Line = { id: string; title: string; book_id: string | null; book: Row | null; newer?: Row | null };

describeOnOwnServerToo("Booklists", (open) => {
  let admin: SignedIn;
  let maths: TestBook;
  let english: TestBook;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    await open().query("select private.set_search_words($1::jsonb)", [searchWords]);
    maths = await addBook(open(), { title: "Maths 4", price: 40, stock: 5 });
    english = await addBook(open(), { title: "English 4", price: 30, stock: 0 });
  });

  const call = <T extends object = Row>(person: Person, name: string, args: Row) =>
    open().as(person, (query) =>
      query<T>(
        `select * from public.${name}(${Object.keys(args)
          .map((key, at) => `_${key} => $${at + 1}`)
          .join(", ")})`,
        Object.values(args),
      ),
    );
  const save = async (fields: Row = {}): Promise<Saved> => {
    const list = { school: "Hilltop School", class_name: "Class 4", school_year: "2026/2027", lines: [] };
    const [saved] = await call<Saved>(admin, "save_booklist", { ...list, ...fields });
    if (!saved) throw new Error("No list came back.");
    return saved;
  };
  const setStatus = async ({ id, updated_at }: Saved, status: string): Promise<Saved> => {
    const [list] = await call<Saved>(admin, "set_booklist_status", { id, updated_at, status });
    if (!list) throw new Error("No list came back.");
    return list;
  };
  const published = async (fields: Row = {}) =>
    setStatus(await save({ lines: [{ book_id: maths.id }], ...fields }), "published");
  const read = async (id: string) =>
    (await call<{ lines: Line[] }>(admin, "admin_read_booklist", { id }))[0]?.lines ?? [];
  const find = async (code: string) =>
    (await call<{ lines: Line[] }>(visitor, "find_booklist", { code }))[0] ?? null;

  test("codes have ten unambiguous characters and are read however they are typed", async () => {
    const { code } = await published();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    const typed = ` ${code.slice(0, 5).toLowerCase()}-${code.slice(5)} `
      .replaceAll("0", "o")
      .replaceAll("1", "l");
    expect(await find(typed)).not.toBeNull();
    expect(parseBooklistCode(typed)).toBe(code);
    for (const sign of "–—‑‐‒―−﹣－\u00AD\u200B\u202F\u00A0\uFEFF") {
      const halves = `${code.slice(0, 5)}${sign}${code.slice(5)}`;
      expect([sign, (await find(halves)) !== null, parseBooklistCode(halves)]).toEqual([sign, true, code]);
    }
    for (const wrong of [code.slice(1), `${code}0`, "", "U".repeat(10)]) {
      expect(await find(wrong)).toBeNull();
      expect(parseBooklistCode(wrong)).toBeNull();
    }
    const codes = await open().query<{ code: string }>(
      "select private.new_booklist_code() as code from generate_series(1, 2000)",
    );
    const letters = new Set(codes.flatMap((each) => [...each.code]));
    expect([new Set(codes.map((each) => each.code)).size, letters.size]).toEqual([2000, 32]);
  });

  test("a draft or withdrawn list is seen by staff only, by its code or its school", async () => {
    const school = `Riverside ${randomUUID()}`;
    const draft = await save({
      school,
      is_listed: true,
      lines: [{ book_id: maths.id }, { title: "A ruler" }],
    });
    const search = () => call(visitor, "search_booklists", { q: school.slice(2).toUpperCase() });
    expect([await find(draft.code), await search()]).toEqual([null, []]);
    const list = await setStatus(draft, "published");
    expect(await find(draft.code)).toMatchObject({
      code: draft.code,
      school,
      lines: [
        {
          title: "Maths 4",
          copies: 1,
          is_required: true,
          book_id: maths.id,
          book: { price: 40, stock_quantity: 5 },
        },
        { title: "A ruler", book_id: null, book: null },
      ],
    });
    expect(await search()).toEqual([
      { code: draft.code, school, class_name: "Class 4", school_year: "2026/2027" },
    ]);
    await setStatus(list, "withdrawn");
    expect([await find(draft.code), await search()]).toEqual([null, []]);
    expect(await read(draft.id)).toHaveLength(2);
  });

  test("the search finds listed lists only, newest year first and classes by number, and needs three characters", async () => {
    const school = "Zebra Crossing Academy";
    for (const [class_name, school_year, is_listed] of [
      ["Class 10", "2026/2027", true],
      ["Class 2", "2026/2027", true],
      ["Class 2", "2025/2026", true],
      ["Class 3", "2026/2027", false],
    ])
      await published({ school, class_name, school_year, is_listed });
    const search = async (q: string) =>
      (await call(visitor, "search_booklists", { q })).map(
        (found) => `${found.class_name}, ${found.school_year}`,
      );
    expect(await search("zébra cross")).toEqual([
      "Class 2, 2026/2027",
      "Class 10, 2026/2027",
      "Class 2, 2025/2026",
    ]);
    for (const q of ["ze", "  z  ", "", "%%%", "___"]) expect(await search(q)).toEqual([]);
  });

  test("the booklist search finds a list by school and class together, in any order and by any name of the class", async () => {
    for (const [school, class_name] of [
      ["Baobab Academy", "Primary 4"],
      ["Baobab Academy", "Primary 14"],
      ["Baobab Academy", "JHS 1"],
      ["St. Mary's Primary School, Kumasi", "Primary 4"],
      ["St. Mary's Primary School, Kumasi", "Primary 5"],
    ])
      await published({ school, class_name, is_listed: true });
    const search = async (q: string) =>
      (await call(visitor, "search_booklists", { q })).map((found) => `${found.school}: ${found.class_name}`);
    const baobab4 = ["Baobab Academy: Primary 4"];
    for (const q of [
      "baobab primary 4",
      "Primary 4 Baobab",
      "baobab p4",
      "baobab class 4",
      "primary 4, baobab academy",
    ])
      expect([q, await search(q)]).toEqual([q, baobab4]);
    expect(await search("baobab jhs1 2026/2027")).toEqual(["Baobab Academy: JHS 1"]);
    expect(await search("st marys primary 5")).toEqual(["St. Mary's Primary School, Kumasi: Primary 5"]);
    // No list has all of it.
    expect(await search("baobab primry 4")).toEqual(baobab4);
    expect(await search("baobab academy basic 9")).toEqual([
      "Baobab Academy: JHS 1",
      "Baobab Academy: Primary 4",
      "Baobab Academy: Primary 14",
    ]);
    expect(await search("oware collge nobody")).toEqual([]);
  });

  test("the search returns the first 100 lists, in order", async () => {
    const school = "Nkawkaw Valley School";
    await open().query(
      `insert into public.booklists (school, class_name, school_year, status, is_listed)
       select $1, 'Class ' || n, '2026/2027', 'published', true from generate_series(1, 1000) as n`,
      [school],
    );
    for (const q of [school, `class ${school}`]) {
      const found = await call(visitor, "search_booklists", { q });
      const first = Array.from({ length: MAX_FOUND }, (_, n) => `Class ${n + 1}`);
      expect(found.map(({ class_name }) => class_name)).toEqual(first);
    }
    expect(await call(visitor, "search_booklists", { q: `${school} class 907` })).toHaveLength(1);
  });

  test("a sold-out book on a booklist has its newest other edition in stock", async () => {
    const work = `Botany ${randomUUID()}`;
    const add = (edition: string, stock: number, more = {}) =>
      addBook(open(), { title: work, publisher: "Collins", edition, stock, ...more });
    const first = await add("First Edition", 0);
    await add("Second Edition", 3);
    const third = await add("", 2, { title: `${work} (3rd ed.)` });
    const fourth = await add("Fourth Edition", 0);
    await add("Fifth Edition", 3, { publisher: "Skoldo" });
    const list = await published({
      lines: [{ book_id: first.id }, { book_id: fourth.id }, { book_id: third.id }],
    });
    const lines = (await find(list.code))?.lines as { other?: { id: string } | null }[];
    expect(lines.map(({ other }) => other?.id)).toEqual([third.id, third.id, undefined]);
    await open().query(
      "update public.books set stock_quantity = 0 where title_key like private.title_key($1) || '%'",
      [work],
    );
    const soldOut = (await find(list.code))?.lines as { other?: null }[];
    expect(soldOut.map(({ other }) => other)).toEqual([null, null, null]);
  });

  test("books are shown as cards need them", async () => {
    const list = await published();
    const [line] = (await find(list.code))?.lines ?? [];
    expect(Object.keys(line?.book ?? {}).sort()).toEqual(
      CARD_COLUMNS.split(",")
        .map((name) => name.split(":")[0])
        .sort(),
    );
  });

  test("a list is saved as a whole: lines keep their ids, change places and leave, or nothing changes", async () => {
    const list = await save({ lines: [{ book_id: maths.id }, { book_id: english.id }, { title: "A pen" }] });
    const [first, second, third] = await read(list.id);
    const saved = await save({
      id: list.id,
      updated_at: list.updated_at,
      lines: [
        { id: second?.id, book_id: maths.id },
        { id: first?.id, book_id: english.id, copies: 2, is_required: false, note: " For home " },
        { title: "Coloured pencils" },
      ],
    });
    const after = await read(list.id);
    expect(after).toMatchObject([
      { id: second?.id, title: "Maths 4", copies: 1, is_required: true },
      { id: first?.id, title: "English 4", copies: 2, is_required: false, note: "For home" },
      { title: "Coloured pencils" },
    ]);
    expect(after.map(({ id }) => id)).not.toContain(third?.id);
    for (const lines of [
      [{ book_id: maths.id }, { book_id: maths.id }],
      [{ title: "  " }],
      [{ title: "x", copies: 0 }],
      [{ title: "x", copies: 100 }],
      [{ title: "x", copies: "two" }],
      [{ title: "x", note: "n".repeat(301) }],
      [{ book_id: randomUUID() }],
      ["A pen"],
      { title: "A pen" },
      Array.from({ length: 201 }, (_, at) => ({ title: `Line ${at}` })),
    ]) {
      const refused = save({ id: list.id, updated_at: saved.updated_at, lines, school: "Renamed" });
      expect([lines, (await refusalOf(refused)).code]).toEqual([lines, "PT400"]);
    }
    expect(await read(list.id)).toEqual(after);
  });

  test("a line's id on another list is not taken over", async () => {
    const [own] = await read((await save({ lines: [{ title: "Mine" }] })).id);
    const other = await save({ lines: [{ id: own?.id, title: "Theirs" }] });
    expect((await read(other.id))[0]?.id).not.toBe(own?.id);
  });

  test("one of two editors with the same version saves, the other is refused and overwrites nothing", async () => {
    const list = await save({ lines: [{ title: "Before" }] });
    const edit = (title: string) =>
      save({ id: list.id, updated_at: list.updated_at, lines: [{ title }] }).then(
        () => title,
        (error) => error.code,
      );
    const outcomes = await Promise.all([edit("One"), edit("Two")]);
    expect(outcomes.filter((each) => each === "PT409")).toHaveLength(1);
    const [winner] = outcomes.filter((each) => each !== "PT409");
    expect((await read(list.id)).map(({ title }) => title)).toEqual([winner]);
    const late = await refusalOf(setStatus(list, "withdrawn"));
    expect(late).toMatchObject({ code: "PT409", detail: { code: "booklist_changed" } });
  });

  test("a repeated save of a new list makes no second one", async () => {
    const id = randomUUID();
    const first = await save({ id });
    const again = await refusalOf(save({ id, lines: [{ title: "Ruler" }] }));
    // As after anyone else's save: whoever saved names this version to save over it.
    expect(again).toMatchObject({ code: "PT409", detail: { code: "booklist_changed" } });
    const { updated_at } = again.detail ?? {};
    expect(new Date(String(updated_at))).toEqual(first.updated_at);
    await save({ id, updated_at, lines: [{ title: "Ruler" }] });
    expect((await read(id)).map(({ title }) => title)).toEqual(["Ruler"]);
  });

  test("fields are checked with clear messages", async () => {
    for (const [fields, field] of [
      [{ school: " " }, "school"],
      [{ class_name: "" }, "class_name"],
      [{ school_year: "2026" }, "school_year"],
      [{ school_year: "2026/2028" }, "school_year"],
      [{ school_year: null }, "school_year"],
      [{ introduction: "i".repeat(2001) }, "introduction"],
    ] as const)
      expect(await refusalOf(save(fields))).toMatchObject({
        code: "PT400",
        detail: { code: "invalid_field", field },
      });
    const list = await save();
    expect((await refusalOf(setStatus(list, "lost"))).detail).toMatchObject({
      field: "status",
      choices: BOOKLIST_STATUSES,
    });
  });

  test("a list without lines is not published, and a published one keeps a line", async () => {
    expect((await refusalOf(setStatus(await save(), "published"))).detail).toMatchObject({
      code: "booklist_empty",
    });
    const { id, updated_at } = await published();
    expect((await refusalOf(save({ id, updated_at, lines: [] }))).detail).toMatchObject({
      code: "booklist_empty",
    });
  });

  test("only a draft is deleted, and only as it was seen", async () => {
    const list = await published();
    const remove = ({ id, updated_at }: Saved) => call(admin, "delete_booklist", { id, updated_at });
    expect((await refusalOf(remove(list))).detail).toMatchObject({ code: "booklist_not_draft" });
    const draft = await setStatus(list, "draft");
    expect((await refusalOf(remove(list))).detail).toMatchObject({ code: "booklist_changed" });
    await remove(draft);
    expect((await refusalOf(remove(draft))).detail).toMatchObject({ code: "booklist_not_found" });
  });

  test("a deleted book's line goes on saying its title, and a restored book is for sale again", async () => {
    const book = await addBook(open(), { title: "Atlas" });
    const list = await published({ lines: [{ book_id: book.id }] });
    await open().as(admin, (query) => query("delete from public.books where id = $1", [book.id]));
    expect((await find(list.code))?.lines).toMatchObject([{ title: "Atlas", book_id: book.id, book: null }]);
    await open().as(admin, (query) =>
      query("select public.restore_book(id) from public.audit_log where row_id = $1 and action = 'delete'", [
        book.id,
      ]),
    );
    expect((await find(list.code))?.lines).toMatchObject([{ book: { title: "Atlas" } }]);
  });

  test("a copy is a draft for another year with its own code, and newer editions are pointed out", async () => {
    const publisher = `Publisher ${randomUUID()}`;
    const edition = (title: string, edition: string | null, by = publisher) =>
      addBook(open(), { title, edition, publisher: by });
    const old = await edition("Physics for Juniors", "2nd Edition");
    await edition("Physics for Juniors", "3rd Edition");
    await edition("Physics for Juniors Workbook", "9th Edition");
    await edition("Physics for Juniors", "5th Edition", "Another publisher");
    const newest = await edition("Physics for Juniors (Fourth Edition)", null);
    const unnumbered = await edition("Biology", null);
    const second = await edition("Biology, 2nd ed.", null);
    const lines = [{ book_id: old.id, note: "Read it" }, { book_id: unnumbered.id }, { book_id: newest.id }];
    const list = await published({ lines, introduction: "Welcome" });
    const [copy] = await call<Saved & Row>(admin, "copy_booklist", { id: list.id, school_year: "2027/2028" });
    expect(copy).toMatchObject({ status: "draft", school_year: "2027/2028", introduction: "Welcome" });
    expect(copy?.code).not.toBe(list.code);
    expect(await read(copy?.id ?? "")).toMatchObject([
      { book_id: old.id, note: "Read it", newer: { id: newest.id } },
      { book_id: unnumbered.id, newer: { id: second.id } },
      { book_id: newest.id, newer: null },
    ]);
    expect(
      (await refusalOf(call(admin, "copy_booklist", { id: randomUUID(), school_year: "2027/2028" }))).code,
    ).toBe("PT404");
  });

  test("staff find lists by state, school, class, year and code, sorted and paged", async () => {
    const school = `Kapok ${randomUUID().slice(0, 8)} School`;
    const classes: Saved[] = [];
    for (const class_name of ["Class 10", "Class 9", "Class 1"])
      classes.push(await save({ school, class_name }));
    const [ten] = classes as [Saved];
    await setStatus(
      await save({
        id: ten.id,
        updated_at: ten.updated_at,
        school,
        class_name: "Class 10",
        lines: [{ title: "A pen" }],
      }),
      "published",
    );
    const list = async (args: Row) => {
      const rows = await call(admin, "admin_list_booklists", args);
      const { sort, descending, page, page_size, ...counted } = args;
      const [count] = await call(admin, "admin_count_booklists", counted);
      return { names: rows.map(({ class_name }) => class_name), total: count?.admin_count_booklists };
    };
    expect(await list({ q: school })).toEqual({ names: ["Class 10", "Class 1", "Class 9"], total: 3 });
    expect(await list({ q: school, sort: "school" })).toMatchObject({
      names: ["Class 1", "Class 9", "Class 10"],
    });
    expect(await list({ q: school, sort: "school", page: 2, page_size: 2 })).toEqual({
      names: ["Class 10"],
      total: 3,
    });
    expect(await list({ q: school, status: "published" })).toEqual({ names: ["Class 10"], total: 1 });
    expect(await list({ q: `${ten.code.slice(0, 5)}-${ten.code.slice(5)}` })).toEqual({
      names: ["Class 10"],
      total: 1,
    });
    expect((await call(admin, "admin_list_booklists", { q: ten.code }))[0]).toMatchObject({ lines: 1 });
  });
});
