import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { payOnline } from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("All payments", (open) => {
  let admin: SignedIn;
  let numbers: string[];
  let orders: string[];

  const asAdmin = (sql: string, values: unknown[] = []) => open().as(admin, (query) => query(sql, values));
  const record = (
    orderId: string,
    kind: string,
    method: string,
    amount: number,
    day: string,
    reference = "",
  ) =>
    asAdmin("select public.record_payment(gen_random_uuid(), $1, $2, $3, $4, $5, $6)", [
      orderId,
      kind,
      method,
      amount,
      day,
      reference,
    ]);

  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    const customer = await addCustomer(open());
    const book = await addBook(open(), { price: 100, stock: 10 });
    orders = [await order(open(), customer, [[book, 1]]), await order(open(), customer, [[book, 1]])];
    const rows = await open().query<{ number: string }>(
      "select number::text from public.orders where id = any ($1) order by number",
      [orders],
    );
    numbers = rows.map(({ number }) => number);
    const [first = "", second = ""] = orders;
    await record(first, "payment", "mobile_money", 60, "2026-02-03", "MP 100%_1");
    await record(first, "payment", "cash", 25.5, "2026-02-04");
    await record(first, "refund", "cash", 5, "2026-02-04");
    await payOnline(open(), second, 100);
  });

  const found = async (filters: string) => {
    const rows = await asAdmin(
      `select concat_ws(' ', method, kind, amount) as payment from public.admin_find_payments(${filters})`,
    );
    const [sums] = await asAdmin(
      `select found::int, paid::float, refunded::float from public.admin_sum_payments(${filters.replace(/,? ?_(descending|page|page_size) => \w+/g, "")})`,
    );
    return { payments: rows.map(({ payment }) => payment), ...sums };
  };

  test("are listed by day, newest first, with totals of the settled ones", async () => {
    expect(await found("")).toEqual({
      payments: [
        "paystack payment 100.00",
        "cash refund -5.00",
        "cash payment 25.50",
        "mobile_money payment 60.00",
      ],
      found: 4,
      paid: 185.5,
      refunded: 5,
    });
    expect((await found("_descending => false, _page => 2, _page_size => 2")).payments).toEqual([
      "cash refund -5.00",
      "paystack payment 100.00",
    ]);
  });

  test.each([
    ["_method => 'cash'", 2, 25.5, 5],
    ["_kind => 'refund'", 1, 0, 5],
    ["_state => 'settled', _method => 'paystack'", 1, 100, 0],
    ["_state => 'open'", 0, 0, 0],
    ["_from => '2026-02-04', _to => '2026-02-04'", 2, 25.5, 5],
    ["_to => '2026-02-03'", 1, 60, 0],
    ["_q => 'mp 100%'", 1, 60, 0],
    ["_q => 'MP 100%_'", 1, 60, 0],
    ["_q => 'mp%1'", 0, 0, 0],
    ["_q => 'x'' or true --'", 0, 0, 0],
  ])("payments with %s are found and added up", async (filters, total, paid, refunded) => {
    expect(await found(filters)).toMatchObject({ found: total, paid, refunded });
  });

  test("an order's payments are found by its number", async () => {
    expect(await found(`_q => '#${numbers[0]}'`)).toMatchObject({ found: 3, paid: 85.5 });
    expect(await found(`_q => '${numbers[1]}'`)).toMatchObject({ found: 1, paid: 100 });
  });

  test("are found by the person who recorded or decided them, each of whom is listed once", async () => {
    const colleague = await addStaff(open(), "admin");
    await open().query("update public.profiles set full_name = 'Kofi Till' where id = $1", [colleague.id]);
    await open().as(colleague, (query) =>
      query(
        "select public.record_payment(gen_random_uuid(), $1, 'payment', 'bank_transfer', 3, '2026-02-01', '')",
        [orders[0]],
      ),
    );
    expect(await found(`_by => '${colleague.id}'`)).toMatchObject({ found: 1, paid: 3, refunded: 0 });
    expect(await found(`_by => '${admin.id}'`)).toMatchObject({ found: 3, paid: 85.5, refunded: 5 });
    expect(await found(`_by => '${randomUUID()}'`)).toMatchObject({ found: 0 });
    const people = await asAdmin("select * from public.list_payment_people()");
    expect(people.filter(({ id }) => id === admin.id || id === colleague.id)).toEqual([
      { id: admin.id, name: "A admin" },
      { id: colleague.id, name: "Kofi Till" },
    ]);
  });

  const close = (
    expected: number,
    counted: number,
    { id = randomUUID(), day = "2026-02-04", method = "cash", note = "" } = {},
  ) => asAdmin("select public.close_day($1, $2, $3, $4, $5, $6)", [id, day, method, expected, counted, note]);
  const closings = async (day = "2026-02-04") =>
    asAdmin(
      "select method, expected::float, payments::int, closed_expected::float as closed, counted::float, note, by_name from public.list_closings($1)",
      [day],
    );

  test("a day is closed per method with the amount counted, and shows what was recorded later", async () => {
    const id = randomUUID();
    await close(20.5, 20, { id, note: " 50 pesewas short " });
    await close(20.5, 20, { id, note: "50 pesewas short" });
    const closed = {
      method: "cash",
      closed: 20.5,
      counted: 20,
      note: "50 pesewas short",
      by_name: "A admin",
    };
    expect((await closings())[0]).toEqual({ ...closed, expected: 20.5, payments: 2 });
    await record(orders[0] ?? "", "payment", "cash", 2, "2026-02-04");
    expect((await closings())[0]).toEqual({ ...closed, expected: 22.5, payments: 3 });
    await close(22.5, 22.5);
    expect((await closings())[0]).toMatchObject({ closed: 22.5, counted: 22.5, note: null });
    expect((await closings()).slice(1).map(({ closed }) => closed)).toEqual([null, null, null]);
    expect(await open().query("select count(*)::int as n from public.closings")).toEqual([{ n: 2 }]);
  });

  test("a closing is refused with the new total if payments have changed since the count", async () => {
    const refusal = await refusalOf(close(1, 1, { method: "mobile_money", day: "2026-02-03" }));
    expect(refusal).toMatchObject({ code: "PT409", detail: { code: "takings_changed", expected: 60 } });
  });

  test.each([
    [{ day: "2090-01-01" }, "day"],
    [{ day: "1990-01-01" }, "day"],
    [{ method: "cowries" }, "method"],
    [{ note: "x".repeat(501) }, "note"],
  ])("an invalid closing is refused with a message: %j", async (more, field) => {
    expect((await refusalOf(close(0, 0, more))).detail).toMatchObject({ field });
    expect((await refusalOf(close(0, -1))).detail).toMatchObject({ field: "counted" });
    expect((await refusalOf(close(0, 1.005))).detail).toMatchObject({ field: "counted" });
  });
});
