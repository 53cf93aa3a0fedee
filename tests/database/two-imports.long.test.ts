import { beforeAll, expect, test } from "vitest";
import { expectSerial, type Request, type Scene } from "#tests/support/at-once.ts";
import { addBook, addStaff } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";

describeOnOwnServerToo("Two concurrent admins", (open) => {
  let admin: SignedIn;
  let other: SignedIn;
  beforeAll(async () => {
    [admin, other] = [await addStaff(open(), "admin"), await addStaff(open(), "admin")];
  });

  const rowsOf = (sql: string, values: unknown[]) => open().query(sql, values);

  async function stage(person: SignedIn, rows: object[]): Promise<Request> {
    const [made] = await open().as(person, async (query) => {
      const made = await query<{ id: string }>("select public.create_book_import(_sets_stock => true) as id");
      await query("select public.stage_book_import_rows($1, $2::jsonb)", [
        made[0]?.id,
        rows.map((row, at) => ({ line: at + 2, price: 7, ...row })),
      ]);
      return made;
    });
    return [person, "select public.apply_book_import($1)", [made?.id]];
  }

  let isbns = 0;
  const newIsbn = () => `TWICE-${++isbns}`;

  test("applying two imports of the same books have the same result as one after the other", async () => {
    const make = async (): Promise<Scene> => {
      const isbns = [newIsbn(), newIsbn(), newIsbn()];
      const existing = isbns.slice(0, 2);
      for (const isbn of existing) await addBook(open(), { title: isbn, isbn, stock: 1 });
      const rows = (stock: number) =>
        isbns.map((isbn) => ({ title: `Title of ${stock}`, isbn, stock_quantity: stock }));
      return {
        requests: [await stage(admin, rows(20)), await stage(other, rows(30).reverse())],
        see: () =>
          rowsOf(
            "select title, stock_quantity from public.books where isbn = any ($1::text[]) order by 1, 2",
            [isbns],
          ),
      };
    };
    expect(await expectSerial(open(), make)).toEqual([
      ["done", "done"],
      ["done", "done"],
    ]);
  });

  test("applying one import twice have the same result as one after the other", async () => {
    const make = async (): Promise<Scene> => {
      const isbn = newIsbn();
      const request = await stage(admin, [{ title: "New", isbn, stock_quantity: 5 }]);
      return {
        requests: [request, request],
        see: () => rowsOf("select title, stock_quantity from public.books where isbn = $1", [isbn]),
      };
    };
    expect(await expectSerial(open(), make)).toEqual([
      ["done", "import_applied"],
      ["import_applied", "done"],
    ]);
  });
});
