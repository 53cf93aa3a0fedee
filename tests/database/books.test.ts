import { beforeAll, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff, movementsOf, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";

describeDatabase("Books", (open) => {
  let customer: SignedIn;
  let moderator: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    moderator = await addStaff(open(), "moderator");
    admin = await addStaff(open(), "admin");
  });

  const insertAs = (person: SignedIn, book: Row) =>
    open().as(person, async (query) => {
      const columns = Object.keys(book);
      const [row] = await query(
        `insert into public.books (${columns.join(", ")}) values (${columns.map((_, i) => `$${i + 1}`).join(", ")}) returning *`,
        Object.values(book),
      );
      return row as Row & { id: string };
    });

  test("everyone reads them; only admins write them", async () => {
    const book = await addBook(open(), { title: "Read by all" });
    for (const person of [visitor, customer, moderator, admin]) {
      const found = await open().as(person, (query) =>
        query("select title from public.books where id = $1", [book.id]),
      );
      expect(found).toEqual([{ title: "Read by all" }]);
    }
    for (const person of [customer, moderator]) {
      expect((await refusalOf(insertAs(person, { title: "x", price: 1 }))).code).toBe("42501");
      for (const write of [
        "update public.books set price = 0 where id = $1",
        "delete from public.books where id = $1",
      ]) {
        expect(await open().as(person, (query) => query(`${write} returning id`, [book.id]))).toEqual([]);
      }
    }
    const byVisitor = open().as(visitor, (query) => query("delete from public.books"));
    expect((await refusalOf(byVisitor)).code).toBe("42501");
    const changed = await open().as(admin, (query) =>
      query("update public.books set price = 50 where id = $1 returning price::float8 as price", [book.id]),
    );
    expect(changed).toEqual([{ price: 50 }]);
    expect(
      await open().as(admin, (query) =>
        query("delete from public.books where id = $1 returning id", [book.id]),
      ),
    ).toHaveLength(1);
  });

  test("the whole payload of the book form is stored, trimmed, and empty text becomes null", async () => {
    const row = await insertAs(admin, {
      title: "  Maths \n for  all ",
      publisher: " CGP ",
      price: 45.5,
      isbn: " 978-0-306-40615-7 ",
      subject: "",
      grade_level: "   ",
      age_range: "\t",
      curriculum_type: "IB",
      course: null,
      stock_quantity: 7,
      description: "\r\n First line \r\n\r\n second\tline \n",
      image_url: "",
      edition: "2nd Edition",
    });
    expect(row).toMatchObject({
      title: "Maths for all",
      publisher: "CGP",
      isbn: "9780306406157",
      isbn13: "9780306406157",
      subject: null,
      grade_level: null,
      age_range: null,
      course: null,
      image_url: null,
      description: "First line \n\n second\tline",
      edition: "2nd Edition",
      average_rating: null,
      review_count: 0,
    });
  });

  test("invalid values are refused with a message that names the field", async () => {
    const faults: [Row, string, string][] = [
      [{ title: " \n " }, "title", "The title is required."],
      [{ title: null }, "title", "The title is required."],
      [{ title: "x".repeat(501) }, "title", "The title is too long (at most 500 characters)."],
      [
        { authors: "x".repeat(1001) },
        "authors",
        "The list of authors is too long (at most 1000 characters).",
      ],
      [
        {
          title: "\u4e00".repeat(500),
          publisher: "\u4e8c".repeat(200),
          course: "\u4e09".repeat(200),
        },
        "title",
        "Title, publisher, course, subject and grade level are too long together.",
      ],
      [
        // Numbers are sorted by three digits each.
        {
          title: "1 ".repeat(250).trim(),
          publisher: "\u4e8c".repeat(200),
          course: "\u4e09".repeat(200),
          subject: "\u56db".repeat(200),
        },
        "title",
        "Title, publisher, course, subject and grade level are too long together.",
      ],
      [{ publisher: "x".repeat(201) }, "publisher", "The publisher is too long (at most 200 characters)."],
      [
        { description: "x".repeat(10001) },
        "description",
        "The description is too long (at most 10000 characters).",
      ],
      [{ price: -0.01 }, "price", "The price must be between 0 and 99999999.99."],
      [{ price: null }, "price", "The price must be between 0 and 99999999.99."],
      [{ price: "NaN" }, "price", "The price must be between 0 and 99999999.99."],
      [{ price: 12.345 }, "price", "The price has at most two decimals."],
      [{ price: "0.001" }, "price", "The price has at most two decimals."],
      [{ stock_quantity: -1 }, "stock_quantity", "The stock quantity must be between 0 and 10000000."],
    ];
    for (const [fault, field, message] of faults) {
      const refusal = await refusalOf(insertAs(admin, { title: "Fits", price: 45, ...fault }));
      expect(refusal).toMatchObject({ code: "PT400", message, detail: { code: "invalid_field", field } });
    }
    await insertAs(admin, { title: "x".repeat(500), price: 0, stock_quantity: 0 });
    expect(await insertAs(admin, { title: "Fits", price: "12.5" })).toMatchObject({ price: "12.50" });
    expect(await insertAs(admin, { title: "Fits", price: "12.340" })).toMatchObject({ price: "12.34" });
  });

  test("no one can write ratings, times or search columns", async () => {
    for (const column of [
      "average_rating",
      "review_count",
      "created_at",
      "updated_at",
      "isbn13",
      "search_text",
    ]) {
      const attempt = open().as(admin, (query) => query(`update public.books set ${column} = null`));
      expect([column, (await refusalOf(attempt)).code]).toEqual([
        column,
        expect.stringMatching(/^42501|428C9$/),
      ]);
    }
  });

  test("an ISBN is recognised in every form, and digits with a wrong check digit are stored", async () => {
    const cases = [
      ["0306406152", "9780306406157"],
      ["0-306-40615-2", "9780306406157"],
      ["ISBN 978 0 306 40615 7", "9780306406157"],
      ["61120081", "9780061120084", "61120081"],
      ["080442957X", "9780804429573"],
      ["080442957x", "9780804429573"],
      ["9780306406158", null],
      ["AB-INT-0042", null],
      ["12345", null],
    ];
    for (const [isbn, isbn13, stored = isbn13 ?? isbn] of cases) {
      expect(await insertAs(admin, { title: "Known", price: 1, isbn })).toMatchObject({
        isbn: stored,
        isbn13,
      });
    }
  });

  test("a save no longer matches once someone else has saved, even within a millisecond", async () => {
    const book = await addBook(open());
    const save = (loaded: unknown, price: number) =>
      open().as(admin, (query) =>
        query("update public.books set price = $3 where id = $1 and updated_at = $2 returning updated_at", [
          book.id,
          loaded,
          price,
        ]),
      );
    const [loaded] = await open().query("select updated_at from public.books where id = $1", [book.id]);
    const [first] = await save(loaded?.updated_at, 1);
    expect(first).toBeDefined();
    expect(await save(loaded?.updated_at, 2)).toEqual([]);
    const times = new Set([Number(loaded?.updated_at), Number(first?.updated_at)]);
    for (let i = 0; i < 10; i++) {
      const [again] = await open().query(
        "update public.books set price = $2 where id = $1 returning updated_at",
        [book.id, i],
      );
      times.add(Number(again?.updated_at));
    }
    expect(times.size).toBe(12);
  });

  test("an order changes updated_at, a rating does not", async () => {
    const book = await addBook(open(), { stock: 5 });
    const updatedAt = async () =>
      (await open().query("select updated_at from public.books where id = $1", [book.id]))[0]?.updated_at;
    const before = await updatedAt();
    await open().query("insert into public.reviews (book_id, user_id, rating) values ($1, $2, 4)", [
      book.id,
      customer.id,
    ]);
    expect(await updatedAt()).toEqual(before);
    await order(open(), customer, [[book, 1]]);
    expect(await updatedAt()).not.toEqual(before);
  });

  test("stock that an admin types is a movement of its own, with the admin's name", async () => {
    const book = await addBook(open(), { stock: 5 });
    await open().as(admin, (query) =>
      query("update public.books set stock_quantity = 12 where id = $1", [book.id]),
    );
    await open().as(admin, (query) =>
      query("update public.books set stock_quantity = 12, price = 3 where id = $1", [book.id]),
    );
    expect(await movementsOf(open(), book)).toEqual(["7 manual"]);
    const [movement] = await open().query(
      "select actor, order_id from public.stock_movements where book_id = $1",
      [book.id],
    );
    expect(movement).toEqual({ actor: admin.id, order_id: null });
  });

  test("the covers' bucket accepts files only from admins", async () => {
    const upload = (person: SignedIn | typeof visitor, name: string) =>
      open().as(person, (query) =>
        query("insert into storage.objects (bucket_id, name) values ('book-covers', $1) returning name", [
          name,
        ]),
      );
    expect(await upload(admin, "book-cover-1.jpg")).toEqual([{ name: "book-cover-1.jpg" }]);
    for (const person of [visitor, customer, moderator]) {
      expect((await refusalOf(upload(person, "book-cover-2.jpg"))).code).toBe("42501");
      const touched = await open().as(person, async (query) => [
        ...(await query("select name from storage.objects")),
        ...(await query("update storage.objects set name = 'x' returning name")),
        ...(await query("delete from storage.objects returning name")),
      ]);
      expect(touched).toEqual([]);
    }
    const elsewhere = open().as(admin, (query) =>
      query("insert into storage.objects (bucket_id, name) values ('another', 'x')"),
    );
    expect((await refusalOf(elsewhere)).code).toBe("42501");
    expect(
      await open().query("select public, allowed_mime_types from storage.buckets where id = 'book-covers'"),
    ).toEqual([{ public: true, allowed_mime_types: ["image/jpeg"] }]);
  });
});
