import { beforeAll, expect, test } from "vitest";
import { send } from "#tests/support/at-once.ts";
import type { Row } from "#tests/support/database.ts";
import { addBook, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { newIsbn } from "#tests/support/factories.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";

describeDatabase("A book that names its newer edition", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  const asStaff = (sql: string, ...values: unknown[]) => send(open(), [admin, sql, values]);
  const name = (book: { id: string }, isbn: string | null) =>
    asStaff("update public.books set newer_isbn = $2 where id = $1 returning newer_isbn", book.id, isbn);
  const newerOf = async (book: { id: string }) => {
    const found = (await send(open(), [
      visitor,
      "select id from public.find_newer_edition($1)",
      [book.id],
    ])) as {
      id: string;
    }[];
    return found.map(({ id }) => id);
  };
  const editions = async (count: number) => {
    const isbns = Array.from({ length: count }, () => newIsbn());
    const books = [];
    for (const { isbn13 } of isbns)
      books.push({ ...(await addBook(open(), { isbn: isbn13, stock: 3 })), isbn13 });
    return books as [(typeof books)[0], ...typeof books];
  };

  test("leads visitors to the newest one that is for sale, by either form of its ISBN, also when the shop has it only later", async () => {
    const [first, second, third] = await editions(3);
    if (!second || !third) throw new Error("No editions");
    const { isbn10, isbn13 } = newIsbn();
    await name(first, second.isbn13);
    await name(second, third.isbn13);
    expect(await name(third, isbn10)).toEqual([{ newer_isbn: isbn13.replaceAll("-", "") }]);
    expect(await newerOf(first)).toEqual([third.id]);
    const fourth = await addBook(open(), { isbn: isbn13, stock: 0 });
    expect(await newerOf(first)).toEqual([fourth.id]);
    await asStaff("update public.books set sale_state = 'not_for_sale' where id = any($1)", [
      fourth.id,
      third.id,
    ]);
    expect(await newerOf(first)).toEqual([second.id]);
    expect(await newerOf(fourth)).toEqual([]);
  });

  test("is none while the names lead back to the same book", async () => {
    const [first, second, third] = await editions(3);
    if (!second || !third) throw new Error("No editions");
    await name(first, second.isbn13);
    await name(second, third.isbn13);
    await name(third, second.isbn13);
    for (const book of [first, second, third]) expect(await newerOf(book)).toEqual([]);
    await name(third, null);
    expect(await newerOf(first)).toEqual([third.id]);
    await name(third, third.isbn13);
    expect(await newerOf(third)).toEqual([]);
  });

  test("is the one that customers can order where several books have its ISBN, and none for a book that names its own", async () => {
    const [old, gone] = await editions(2);
    if (!gone) throw new Error("No edition");
    await asStaff("update public.books set sale_state = 'not_for_sale' where id = $1", gone.id);
    await name(old, gone.isbn13);
    expect(await newerOf(old)).toEqual([]);
    const twin = await addBook(open(), { isbn: gone.isbn13, stock: 1 });
    expect(await newerOf(old)).toEqual([twin.id]);
    await name(gone, gone.isbn13);
    expect(await newerOf(gone)).toEqual([]);
  });

  test("has it from a list, and none where the list has no ISBN; an export brings the same back", async () => {
    const [old, newer] = await editions(2);
    if (!newer) throw new Error("No edition");
    const importRow = async (row: Row) => {
      const [created] = await asStaff("select public.create_book_import('list.csv', 50, 3, 'Press') as id");
      await asStaff("select public.stage_book_import_rows($1, $2::jsonb)", created?.id, [
        { line: 2, ...row },
      ]);
      await asStaff("select public.apply_book_import($1)", created?.id);
      const [found] = await open().query<{ action: string; newer_isbn: string }>(
        `select r.action, b.newer_isbn from public.book_import_rows r, public.books b
          where r.import_id = $1 and b.id = $2`,
        [created?.id, old.id],
      );
      return { id: created?.id, ...found };
    };
    const stored = newer.isbn13.replaceAll("-", "");
    const { id, ...result } = await importRow({ isbn: old.isbn13, newer_isbn: newer.isbn13 });
    expect(result).toEqual({ action: "update", newer_isbn: stored });
    await asStaff("select public.undo_book_import($1)", id);
    expect(await newerOf(old)).toEqual([]);
    await importRow({ isbn: old.isbn13, newer_isbn: newer.isbn13 });
    expect(await importRow({ isbn: old.isbn13, newer_isbn: "yes" })).toMatchObject({
      action: "unchanged",
      newer_isbn: stored,
    });
    const [exported] = await asStaff("select public.export_books($1) as book", [old.id]);
    const { book } = exported as { book: Row };
    expect(await importRow({ ...book, seen_stock: book.stock_quantity })).toMatchObject({
      action: "unchanged",
    });
  });

  test("takes only an ISBN", async () => {
    const [book] = await editions(1);
    for (const text of ["2nd Edition", "9780306406158", "9780306406157; 9780140449136"])
      expect((await refusalOf(name(book, text))).detail).toMatchObject({ field: "newer_isbn" });
    expect(await name(book, " ")).toEqual([{ newer_isbn: null }]);
  });

  test("comes first for its booklists, where titles would say another", async () => {
    const [old, named] = await editions(2);
    if (!named) throw new Error("No edition");
    const publisher = `Publisher ${old.id}`;
    const guessed = await addBook(open(), { title: "Geology, 3rd Edition", publisher, stock: 2 });
    await asStaff(
      "update public.books set title = 'Geology', publisher = $2, newer_isbn = $3, stock_quantity = 0 where id = $1",
      old.id,
      publisher,
      named.isbn13,
    );
    const [saved] = (await asStaff(
      "select id, code, updated_at from public.save_booklist(_school => 'Akwaaba School', _class_name => 'Class 4', _school_year => '2026/2027', _lines => $1)",
      JSON.stringify([{ book_id: old.id }]),
    )) as { id: string; code: string; updated_at: Date }[];
    await asStaff(
      "select public.set_booklist_status(_id => $1, _updated_at => $2, _status => 'published')",
      saved?.id,
      saved?.updated_at,
    );
    const forStaff = async () =>
      (
        await asStaff(
          "select lines -> 0 -> 'newer' ->> 'id' as id from public.admin_read_booklist($1)",
          saved?.id,
        )
      )[0];
    const forParents = async () =>
      (
        await send(open(), [
          visitor,
          "select lines -> 0 -> 'other' ->> 'id' as id from public.find_booklist($1)",
          [saved?.code],
        ])
      )[0];
    expect(await forStaff()).toEqual({ id: named.id });
    expect(await forParents()).toEqual({ id: named.id });
    await asStaff("update public.books set stock_quantity = 0 where id = $1", named.id);
    expect(await forStaff()).toEqual({ id: named.id });
    expect(await forParents()).toEqual({ id: guessed.id });
  });
});
