import { beforeAll, expect, test } from "vitest";
import { searchCall } from "#tests/support/book-search.ts";
import { addBook, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { addFile } from "#tests/support/digital.ts";
import { visitor } from "#tests/support/people.ts";

type Arguments = { [name: string]: string | number | boolean | null };
type Page = { books: { title: string }[]; total: number };

describeDatabase("Filters beside the specified ones", (open) => {
  const call = async <T extends object>(name: string, search: Arguments, others?: string) =>
    open().as(visitor, (query) => query<T>(`select * from ${searchCall(name, others)}`, [search]));
  const page = async (args: Arguments) => {
    const [row] = await call<{ catalogue_page: Page }>(
      "catalogue_page",
      args,
      "'{title}', _with_total => true",
    );
    return row?.catalogue_page as Page;
  };
  const titles = async (args: Arguments) => (await page(args)).books.map(({ title }) => title);
  const choices = async ({ range = null, steps = "50,100", ...search }: Arguments) => {
    const rows = await call<{ choice: string; value: string; books: number }>(
      "list_book_choices",
      search,
      `'{${steps}}', ${range}`,
    );
    return rows
      .filter(({ choice }) => choice !== "kind")
      .map(({ choice, value, books }) => `${choice} ${value}: ${books}`)
      .sort();
  };
  const kinds = async (search: Arguments) => {
    const rows = await call<{ choice: string; value: string; books: number }>(
      "list_book_choices",
      search,
      "'{50,100}', null",
    );
    return Object.fromEntries(
      rows.filter(({ choice }) => choice === "kind").map(({ value, books }) => [value, books]),
    );
  };

  beforeAll(async () => {
    const books = [
      { title: "Algebra", price: 30, stock: 5, grade_level: "JHS 1", subject: "Mathematics" },
      { title: "Biology", price: 50, stock: 0, grade_level: "JHS 1", subject: "Science", average: 4 },
      { title: "Calculus", price: 99.99, stock: 3, grade_level: "SHS 2", subject: "Mathematics", average: 3 },
      { title: "Drawing", price: 100, stock: 1, subject: "Art", average: 5 },
      { title: "English", price: 30, stock: 0, grade_level: "SHS 2", subject: "English" },
    ];
    for (const [age, { average = null, ...book }] of books.entries()) {
      const { id } = await addBook(open(), { publisher: "Sankofa", ...book });
      await open().query(
        "update public.books set average_rating = $2, created_at = now() - make_interval(days => $3) where id = $1",
        [id, average, age],
      );
    }
  });

  test("show the books that fit all of them, and count these", async () => {
    expect(await titles({ grade_level: "JHS 1" })).toEqual(["Algebra", "Biology"]);
    expect(await titles({ min_price: 50, max_price: 99.99 })).toEqual(["Biology", "Calculus"]);
    expect(await page({ in_stock: true, max_price: 99 })).toEqual({
      books: [{ title: "Algebra" }],
      total: 1,
      facets: null,
    });
    expect(await page({ q: "sankofa", in_stock: true, grade_level: "SHS 2" })).toMatchObject({ total: 1 });
    expect((await page({ in_stock: false })).total).toBe(5);
  });

  test.for([
    ["price", ["Algebra", "English", "Biology", "Calculus", "Drawing"]],
    ["price-desc", ["Drawing", "Calculus", "Biology", "Algebra", "English"]],
    ["newest", ["Algebra", "Biology", "Calculus", "Drawing", "English"]],
    ["rating", ["Drawing", "Biology", "Calculus", "Algebra", "English"]],
    ["title_key; drop table public.books", ["Algebra", "Biology", "Calculus", "Drawing", "English"]],
  ] as [string, string[]][])("sort by %s, with a search and without, page by page", async ([sort, order]) => {
    expect(await titles({ sort: sort })).toEqual(order);
    expect(await titles({ sort: sort, q: "sankofa" })).toEqual(order);
    expect(await titles({ sort: sort, page: 2, page_size: 2 })).toEqual(order.slice(2, 4));
    expect(await titles({ sort: sort, q: "sankofa", page: 3, page_size: 2 })).toEqual(order.slice(4));
  });

  test("say of each choice how many books it shows beside the other filters", async () => {
    expect(await choices({})).toEqual([
      "grade JHS 1: 2",
      "grade SHS 2: 2",
      "price 0: 2",
      "price 1: 2",
      "price 2: 1",
      "stock in: 3",
    ]);
    expect(await choices({ grade_level: "JHS 1", in_stock: true })).toEqual([
      "grade JHS 1: 1",
      "grade SHS 2: 1",
      "price 0: 1",
      "stock in: 1",
    ]);
    expect(await choices({ range: 1, q: "calc" })).toEqual(["grade SHS 2: 1", "price 1: 1", "stock in: 1"]);
    expect(await choices({ subject: "Art" })).toEqual(["price 2: 1", "stock in: 1"]);
    expect(await choices({ subject: "Music" })).toEqual([]);
  });

  test("say how many titles are of each kind, and show one kind alone or beside the others", async () => {
    await open().query("update public.books set kind = 'stationery' where title = 'Drawing'");
    await open().query("update public.books set kind = 'digital' where title in ('Calculus', 'English')");
    const [calculus] = await open().query<{ id: string }>(
      "select id from public.books where title = 'Calculus'",
    );
    await addFile(open(), await addStaff(open(), "admin"), calculus as { id: string });
    expect(await kinds({})).toEqual({ book: 2, digital: 2, stationery: 1 });
    expect(await kinds({ kind: "digital" })).toEqual({ book: 2, digital: 2, stationery: 1 });
    expect(await kinds({ grade_level: "SHS 2" })).toEqual({ digital: 2 });
    expect(await choices({ kind: "stationery" })).toEqual(["price 2: 1", "stock in: 1"]);
    expect(await titles({ kind: "digital" })).toEqual(["Calculus", "English"]);
    expect(await titles({ kind: "digital", in_stock: true, q: "sankofa" })).toEqual(["Calculus"]);
    expect(await titles({ kind: "digital", sort: "price" })).toEqual(["English", "Calculus"]);
    expect((await page({ kind: "book" })).total).toBe(2);
    expect((await page({ kind: "toy" })).total).toBe(0);
  });

  test("take price steps in any order, and none", async () => {
    expect(await choices({ steps: "100,50", subject: "Art" })).toEqual(["price 2: 1", "stock in: 1"]);
    expect(await choices({ steps: "", subject: "Art" })).toEqual(["price 0: 1", "stock in: 1"]);
  });

  test("apply to close matches too", async () => {
    const near = async (args: Arguments) => {
      const [row] = await call<{ near_books: Page }>("near_books", { q: "mathematics sankofa", ...args });
      return row?.near_books.books.map(({ title }) => title);
    };
    expect(await near({})).toEqual(["Algebra", "Calculus"]);
    expect(await near({ grade_level: "SHS 2" })).toEqual(["Calculus"]);
    expect(await near({ max_price: 40, in_stock: true })).toEqual(["Algebra"]);
  });
});
