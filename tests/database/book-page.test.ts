import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { countDuring, scansOf } from "#tests/support/count-during.ts";
import { addBook, addCustomer, type TestBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { visitor } from "#tests/support/people.ts";
import { undoing } from "#tests/support/undoing.ts";

describeDatabase("A book's page", (open) => {
  const send = (sql: string, book: { id: string }) =>
    open().as(visitor, (query) => query(sql, [book.id])) as Promise<unknown>;
  const related = async (book: { id: string }) => {
    const rows = (await send("select title from public.list_related_books($1)", book)) as { title: string }[];
    return rows.map(({ title }) => title);
  };
  const newSeries = () => `Series ${randomUUID()}`;

  test.each([
    ["Stage 3", "Science", 3],
    ["Basic 10 (JHS)", "Science 2", 10],
    [null, "Spelling 4", 4],
    ["Early Years", "Phonics", null],
    ["٣", "Arabic 1", 1],
    ["12345", "", 123],
  ])("reads the level %j of %j as %j", async (level, title, number) => {
    const [row] = await open().query("select private.level_of($1, $2) as level", [level, title]);
    expect(row).toEqual({ level: number });
  });

  test("finds related books without calling a function for each book that might be one", async () => {
    const series = { course: newSeries(), publisher: newSeries() };
    const [book] = await Promise.all(
      [1, 2, 3, 4].map((stage) => addBook(open(), { ...series, title: `Reader ${stage}` })),
    );
    const calls = await open().transaction(async (query) => {
      await query("set local track_functions = 'all'");
      return countDuring(query, "select calls as n from pg_stat_xact_user_functions", async () =>
        expect(await query("select from public.list_related_books($1)", [book?.id])).toHaveLength(3),
      );
    });
    expect(calls).toBe(1);
  });

  test("finds related books without reading the whole catalogue", { tags: "long" }, async () => {
    const scans = await undoing(open().transaction, async (query) => {
      await query("alter table public.books disable trigger user");
      const [book] = await query(`insert into public.books (title, publisher, course, price)
        select 'Reader ' || i, 'Publisher ' || i % 40, 'Course ' || i % 60, 45 from generate_series(1, 3000) i returning id`);
      await query("analyze public.books");
      return countDuring(query, scansOf("books"), async () =>
        expect(await query("select from public.list_related_books($1)", [book?.id])).toHaveLength(16),
      );
    });
    expect(scans).toBe(0);
  });

  test.each([
    ["Ama Mensah", "Ama"],
    ["  Kofi", "Kofi"],
    ["Mrs. Ama Mensah", "Ama"],
    ["Rev. Dr. Yaw Boateng", "Yaw"],
    ["Drew Barry", "Drew"],
    ["Mrs.", "Mrs."],
    ["Mensah, Ama", "Ama"],
    ["Mensah,Mrs. Ama", "Ama"],
    ["ama.mensah@example.com", null],
    ["Ama ama.mensah@example.com", null],
    ["+233 24 123 4567", null],
    ["", null],
    [null, null],
  ])("calls the reader %j %j", async (name, first) => {
    const [row] = await open().query("select private.first_name_of($1) as name", [name]);
    expect(row).toEqual({ name: first });
  });

  test.each([
    ["Adwene Books", null],
    ["ADWENE", null],
    ["Books, Àdwené", null],
    ["adwene-books", null],
    ["A\u200bdwene", null],
    ["Ａｄｗｅｎｅ", null],
    ["\u0410dwene", null],
    ["Adwɛnɛ", null],
    ["\u0410\u0501\u051d\u0435\u0578\u0435", null],
    ["\ua4ee\ua4d3\ua4ea\ua4f0\ua4e0\ua4f0", null],
    ["\ua4eedwene", null],
    ["\u1d00\u1d05\u1d21\u1d07\u0274\u1d07", null],
    ["\u0251dwene", null],
    ["\u0455\u0442\u0430ff", null],
    ["Adw\u{1d556}ne\u034f", null],
    ["A\u2800dwene", null],
    ["A\u3164dwene", null],
    ["Adwen\u212e", null],
    ["\u0410\u0501\u051d\u0435\u043f\u0435", null],
    ["\u017ftaff", null],
    ["Staf\u0192", null],
    ["The\u2800Shop", null],
    ["Staff", null],
    ["Shop-Staff", null],
    ["Admin Ama", null],
    ["TheOfficialShop", null],
    ["Support", null],
    ["Team Adwene", null],
    ["Owner", null],
    ["Bishop Mensah", "Bishop"],
    ["Adwoa Books", "Adwoa"],
    ["Ɛsi", "Ɛsi"],
    ["Александр", "Александр"],
    ["Am\u202ea", "Ama"],
    ["محمد", "محمد"],
    ["Ελένη", "Ελένη"],
    ["አበበ", "አበበ"],
    ["Kɔku", "Kɔku"],
    ["N'Guessan", "N'Guessan"],
    ["Marie-Ẹ̀bùn", "Marie-Ẹ̀bùn"],
    ["芳子", "芳子"],
    ["N".repeat(30), "N".repeat(30)],
    ["N".repeat(90), `${"N".repeat(29)}…`],
  ])("shows the reviewer %j as %j", async (name, shown) => {
    await open().query("select private.set_shop_name('Adwene Books')");
    const [row] = await open().query("select private.reader_name($1) as name", [name]);
    expect(row).toEqual({ name: shown });
  });

  test("reviews hide a first name that is the shop's name or its first word, but no other name that starts with it", async () => {
    await open().query("select private.set_shop_name('Ama''s Books')");
    const names = await open().query("select private.reader_name(n) as name from unnest($1::text[]) as n", [
      ["Ama's", "AmasBooks", "Amasi", "Ama"],
    ]);
    expect(names.map(({ name }) => name)).toEqual([null, null, "Amasi", "Ama"]);
  });

  test("reviews hide a first name that passes for the shop's staff", async () => {
    await open().query("select private.set_shop_name('Adwene Books')");
    const book = await addBook(open());
    const reviewer = await addCustomer(open());
    await open().query(
      "insert into public.reviews (book_id, user_id, rating, review_text) values ($1, $2, 5, 'Buy')",
      [book.id, reviewer.id],
    );
    const readers = async () =>
      (await open().query("select reader from public.list_book_reviews($1)", [book.id])).map(
        ({ reader }) => reader,
      );
    await open().query("update public.profiles set full_name = 'Adwene Staff' where id = $1", [reviewer.id]);
    expect(await readers()).toEqual([null]);
    await open().query("update public.profiles set full_name = 'Ama Mensah' where id = $1", [reviewer.id]);
    expect(await readers()).toEqual(["Ama"]);
  });

  test("shows the next level of the course first, the one below second, and other subjects last", async () => {
    const course = newSeries();
    const add = (title: string, grade_level: string | null, subject = "Science") =>
      addBook(open(), { title, course, grade_level, subject });
    const books = [];
    for (const level of [1, 2, 3, 4, 5]) books.push(await add(`Science ${level}`, `Stage ${level}`));
    await add("Workbook 3", "Stage 3");
    await add("Teacher's guide", null);
    await add("Maths 4", "Stage 4", "Mathematics");
    expect(await related(books[2] as TestBook)).toEqual([
      "Science 4",
      "Science 2",
      "Workbook 3",
      "Science 5",
      "Science 1",
      "Teacher's guide",
      "Maths 4",
    ]);
  });

  test("shows more of the publisher, without the course's books, the same subject and the best rated first", async () => {
    const [publisher, course] = [newSeries(), newSeries()];
    const add = (title: string, subject: string, others = {}) =>
      addBook(open(), { title, publisher, subject, ...others });
    const book = await add("Physics 1", "Physics", { course });
    await add("Physics 2", "Physics", { course });
    await add("Biology", "Biology");
    await add("Optics", "Physics");
    const rated = await add("Waves", "Physics");
    await open().query("update public.books set average_rating = 4 where id = $1", [rated.id]);
    expect(await related(book)).toEqual(["Physics 2", "Waves", "Optics", "Biology"]);
    const alone = await addBook(open(), { title: "Alone" });
    expect(await related(alone)).toEqual([]);
    expect(await related({ id: randomUUID() })).toEqual([]);
  });

  test("shows at most eight of each", async () => {
    const [publisher, course] = [newSeries(), newSeries()];
    const book = await addBook(open(), { title: "First", publisher, course });
    for (let n = 0; n < 10; n += 1) {
      await addBook(open(), { title: `Course ${n}`, course });
      await addBook(open(), { title: `Publisher ${n}`, publisher });
    }
    const titles = await related(book);
    expect(titles.map((title) => title.split(" ")[0])).toEqual([
      ...Array(8).fill("Course"),
      ...Array(8).fill("Publisher"),
    ]);
  });

  test("counts the stars, and shows the newest reviews with the readers' first names only", async () => {
    const book = await addBook(open(), { title: "Reviewed" });
    const readers = ["Mrs. Ama Mensah", "Kofi Boateng", null];
    const reviews: [rating: number, text: string | null][] = [
      ...([[5, "Clear"] as const, [4, null] as const, [5, "Ours tore"] as const] as [
        number,
        string | null,
      ][]),
    ];
    for (const [n, [rating, text]] of reviews.entries()) {
      const reader = await addCustomer(open(), readers[n] ? { full_name: readers[n] } : {});
      await open().query(
        `insert into public.reviews (book_id, user_id, rating, review_text, created_at)
         values ($1, $2, $3, $4, now() + $5 * interval '1 minute')`,
        [book.id, reader.id, rating, text, n],
      );
    }
    expect(await send("select * from public.count_book_ratings($1)", book)).toEqual([
      { rating: 5, reviews: 2 },
      { rating: 4, reviews: 1 },
    ]);
    expect(await send("select rating, review_text, reader from public.list_book_reviews($1)", book)).toEqual([
      { rating: 5, review_text: "Ours tore", reader: null },
      { rating: 5, review_text: "Clear", reader: "Ama" },
    ]);
  });
});
