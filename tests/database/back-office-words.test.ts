import { beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";

describeDatabase("Searches of the back office", (open) => {
  let admin: SignedIn;

  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    const customer = await addCustomer(open(), { full_name: "Owusu-Ansah, Yaa" });
    const book = await addBook(open(), { title: "Exercise Books, Ruled (40 Leaves)", stock: 5 });
    await addBook(open(), { title: "Ɔbɔ: Teacher's Guide", publisher: "Schofield & Sims" });
    const id = await order(open(), customer, [[book, 1]]);
    await open().query(
      "update public.orders set recipient_name = 'St. Mary''s School, Accra' where id = $1",
      [id],
    );
    await open().query(
      "insert into public.reviews (book_id, user_id, rating, review_text) values ($1, $2, 5, $3)",
      [book.id, customer.id, "Strong – well bound,\nand the pupils’ favourite"],
    );
    await open().query(
      "insert into public.quotes (user_id, institution) values ($1, 'Ideal Prep. (Kumasi)')",
      [customer.id],
    );
    await open().query(
      "insert into public.booklists (school, class_name, school_year) values ('St. Peter''s, Cape Coast', 'Basic 4', '2026/2027')",
    );
    const deleted = await addBook(open(), { title: "Gone: A 50% Story" });
    await open().as(admin, (query) => query("delete from public.books where id = $1", [deleted.id]));
  });

  /** How many rows a list shows for a text, which its count confirms. */
  const found = (noun: string, q: string) =>
    open().as(admin, async (query) => {
      const rows = await query(`select from public.admin_list_${noun}(_q => $1)`, [q]);
      expect(await query(`select public.admin_count_${noun}(_q => $1) as rows`, [q])).toEqual([
        { rows: rows.length },
      ]);
      return rows.length;
    });

  test.for([
    ["books", "exercise books ruled"],
    ["books", "EXERCISE BOOKS RULED 40"],
    ["books", "exercise-books; ruled"],
    ["books", "teachers guide"],
    ["books", "ɔbɔ teacher's"],
    ["books", "schofield sims"],
    ["orders", "st marys school accra"],
    ["orders", "owusu ansah yaa"],
    ["users", "owusu ansah, yaa"],
    ["reviews", "exercise books ruled"],
    ["reviews", "owusu ansah"],
    ["reviews", "bound and the pupils favourite"],
    ["reviews", "strong well"],
    ["quotes", "ideal prep kumasi"],
    ["booklists", "st peters cape coast"],
    ["audit", "gone a 50% story"],
  ] as const)("of %s find '%s' with other punctuation between the words", async ([noun, q]) => {
    expect(await found(noun, q)).toBe(noun === "audit" ? 2 : 1);
  });

  test.for([
    ["books", "ruled exercise books"],
    ["books", "exercise leaves"],
    ["books", "exercise_books"],
    ["books", "exercise%ruled"],
    ["books", "books (40 [leaves"],
    ["books", "schofield\\sims"],
    ["orders", "st mary school"],
    ["users", "owusu*ansah"],
    ["audit", "gone 50% story"],
  ] as const)("of %s find nothing for '%s', whose words or signs are others", async ([noun, q]) => {
    expect(await found(noun, q)).toBe(0);
  });

  test.for(["books", "orders", "users", "reviews", "quotes", "booklists", "audit"])(
    "searches of %s treat punctuation as text, even without words",
    async (noun) => {
      for (const q of [
        "'",
        "%",
        "\\",
        "*",
        "(",
        "[a-z]+",
        "a".repeat(5_000),
        "a, ".repeat(2_000),
        ".,;".repeat(1_000),
      ])
        expect(await found(noun, q)).toBeLessThan(10);
    },
  );
});
