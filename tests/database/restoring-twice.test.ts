import { expect, test } from "vitest";
import { addBook, addCustomer, addStaff, order, stockOf } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf } from "#tests/support/people.ts";

describeDatabase("A book that was deleted twice", (open) => {
  test("comes back only from its latest deletion, so that no copies appear from nowhere", async () => {
    const admin = await addStaff(open(), "admin");
    const customer = await addCustomer(open());
    const book = await addBook(open(), { price: 10, stock: 6 });
    const remove = () =>
      open().as(admin, (query) => query("delete from public.books where id = $1", [book.id]));
    const restore = (auditId: string) =>
      open().as(admin, (query) => query("select public.restore_book($1)", [auditId]));
    const deletions = async () =>
      (
        await open().query<{ id: string }>(
          "select id from public.audit_log where table_name = 'books' and row_id = $1 and action = 'delete' order by id",
          [book.id],
        )
      ).map(({ id }) => id);

    await remove();
    const [first = ""] = await deletions();
    await restore(first);
    await order(open(), customer, [[book, 2]]);
    await remove();

    const refusal = await refusalOf(restore(first));
    expect(refusal).toMatchObject({ code: "PT409", detail: { code: "not_last_deletion" } });
    const [, second = ""] = await deletions();
    await restore(second);
    expect(await stockOf(open(), book)).toBe(4);
  });
});
