import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { send } from "#tests/support/at-once.ts";
import { addBook, addCustomer, addStaff, type TestBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("Forgetting a caller without an account", (open) => {
  let admin: SignedIn;
  let book: TestBook;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    book = await addBook(open(), { price: 20, stock: 100 });
  });

  const enter = async (
    phone: string,
    email: string | null,
    customer: string | null = null,
    name = "Ama Mensah",
  ) => {
    const [row] = await send(open(), [
      admin,
      "select public.place_order_for($1, $2, array[$3::uuid], array[1], 20, $4::jsonb) as id",
      [
        randomUUID(),
        customer,
        book.id,
        {
          shipping_address: "Near the mosque",
          recipient_name: name,
          recipient_email: email,
          recipient_phone: phone,
        },
      ],
    ]);
    const id = String(row?.id);
    await setStatus(id, "delivered");
    return id;
  };
  const numberOf = async (id: string) =>
    (await open().query("select number from public.orders where id = $1", [id]))[0]?.number;
  const setStatus = (id: string, status: string) =>
    send(open(), [admin, "update public.orders set status = $2 where id = $1", [id, status]]);
  const preview = async (who: string) =>
    (await send(open(), [admin, "select public.preview_anonymising(null, $1) as found", [who]]))[0]?.found;
  const forget = async (who: string) => {
    const rows = await send(open(), [admin, "select id from public.anonymise_caller($1)", [who]]);
    return rows.map(({ id }) => id);
  };
  /** What the database still knows of an order's caller. */
  const traces = async (id: string) =>
    open().query(
      `select recipient_name as trace from public.orders where id = $1 and recipient_name is not null
       union all select body from public.order_notes where order_id = $1 and body is not null
       union all select note from public.payments where order_id = $1 and note is not null
       union all select l.before::text from public.audit_log l
                  where coalesce(l.after, l.before)::text like '%' || $1 || '%' and coalesce(l.before, l.after)::text like '%Ama%'`,
      [id],
    );

  test("empties the order, its notes, its payments' notes and its log, and deletes the emails that wait", async () => {
    const id = await enter("0244000010", "ama@home.example");
    await send(open(), [
      admin,
      "select public.add_order_note($1, $2, 'Ama calls on Friday')",
      [randomUUID(), id],
    ]);
    await send(open(), [
      admin,
      "select public.record_payment($1, $2, 'payment', 'cash', 20, '2026-01-01', null, 'From Ama''s brother')",
      [randomUUID(), id],
    ]);
    expect((await traces(id)).length).toBeGreaterThan(3);
    expect(await forget(" AMA@home.example ")).toEqual([id]);
    expect(await traces(id)).toEqual([]);
    expect(
      await open().query(
        "select kind from public.outgoing_emails where order_id = $1 and state = 'waiting'",
        [id],
      ),
    ).toEqual([]);
  });

  test.each([
    ["0244000011", "+233 24 400 0011"],
    ["+233244000012", "024-400-0012"],
    ["00233244000013", "0244000013"],
  ])("finds a phone number however it is written: %s as %s", async (stored, typed) => {
    const [id, other] = [await enter(stored, null), await enter("0244999999", null)];
    expect(await forget(typed)).toEqual([id]);
    expect(await traces(other)).not.toEqual([]);
  });

  test("finds a deleted order in the log, and an order by its number", async () => {
    const [deleted, remaining] = [await enter("0244000014", null), await enter("0244000015", null)];
    const number = await numberOf(remaining);
    await send(open(), [admin, "delete from public.orders where id = $1", [deleted]]);
    expect(await forget("0244000014")).toEqual([deleted]);
    expect(await traces(deleted)).toEqual([]);
    expect(await forget(`Order #${number}`)).toEqual([remaining]);
  });

  test("leaves the orders of accounts alone, and says that an order belongs to one", async () => {
    const customer = await addCustomer(open());
    const id = await enter("0244000016", "account@home.example", customer.id);
    expect(await forget("0244000016")).toEqual([]);
    expect(await forget("account@home.example")).toEqual([]);
    const number = await numberOf(id);
    expect((await refusalOf(forget(String(number)))).message).toBe(
      `Order ${number} belongs to an account. Give the account's email instead.`,
    );
    for (const nothing of ["", "%", "024", "nobody@home.example"]) expect(await forget(nothing)).toEqual([]);
    expect(await traces(id)).not.toEqual([]);
  });

  test.each(["pending", "processing", "shipped"])(
    "refuses while one of the orders is %s, and forgets nothing",
    async (status) => {
      const [delivered, waiting] = [await enter("0244000017", null), await enter("0244000017", null)];
      await setStatus(waiting, status);
      const { detail, message } = await refusalOf(forget("0244000017"));
      expect([detail, message]).toEqual([
        { code: "order_not_delivered" },
        `Order ${await numberOf(waiting)} has not been delivered yet. Names can be removed once it has been delivered or cancelled.`,
      ]);
      expect(await traces(delivered)).not.toEqual([]);
      expect(await preview("0244000017")).toMatchObject({ problem: message });
      await setStatus(waiting, "cancelled");
      expect((await forget("0244000017")).sort()).toEqual([delivered, waiting].sort());
    },
  );

  test.each([
    [3, (numbers: number[]) => `Orders ${numbers[0]}, ${numbers[1]} and ${numbers[2]} have`],
    [12, (numbers: number[]) => `Orders ${numbers.slice(0, 9).join(", ")} and 3 more have`],
  ])("names the %d orders that wait, and ten at most", async (count, wanted) => {
    const phone = `02440001${count + 60}`;
    const numbers: number[] = [];
    for (let order = 0; order < count; order += 1) {
      const id = await enter(phone, null);
      await setStatus(id, "pending");
      numbers.push(Number(await numberOf(id)));
    }
    expect((await refusalOf(forget(phone))).message).toBe(
      `${wanted(numbers)} not been delivered yet. Names can be removed once they have been delivered or cancelled.`,
    );
  });

  test("refuses while a refund is owed", async () => {
    const id = await enter("0244000018", null);
    await setStatus(id, "processing");
    await send(open(), [
      admin,
      "select public.record_payment($1, $2, 'payment', 'cash', 20, '2026-01-01')",
      [randomUUID(), id],
    ]);
    await setStatus(id, "cancelled");
    expect((await refusalOf(forget("0244000018"))).detail).toEqual({ code: "payment_in_doubt" });
  });

  test("shows first whose orders share a number, deleted ones too, and changes nothing", async () => {
    const [ama, kofi] = [
      await enter("0302000019", null),
      await enter("+233 30 200 0019", null, null, "Kofi Boateng"),
    ];
    const numbers = { ama: await numberOf(ama), kofi: await numberOf(kofi) };
    await send(open(), [admin, "delete from public.orders where id = $1", [kofi]]);
    const found = {
      orders: expect.arrayContaining([
        { number: Number(numbers.ama), name: "Ama Mensah", status: "delivered", total: 20 },
        { number: Number(numbers.kofi), name: "Kofi Boateng", status: "delivered", total: 20 },
      ]),
      order_count: 2,
      quotes: 0,
      reviews: 0,
      consultations: 0,
      registrations: 0,
      problem: null,
    };
    expect(await preview("030 200 0019")).toEqual(found);
    expect(await preview("030 200 0019")).toEqual(found);
    expect(await traces(ama)).not.toEqual([]);
    await forget("030 200 0019");
    expect(await preview("030 200 0019")).toMatchObject({ orders: [] });
  });

  test("is for staff alone", async () => {
    const customer = await addCustomer(open());
    const request = send(open(), [customer, "select public.anonymise_caller('024')", []]);
    expect((await refusalOf(request)).code).toMatch(/^PT40|42501/);
  });
});
