import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, deliverOrders, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("The page of a person", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open(), { full_name: "Ama Mensa", phone: "0244123456" });
  });

  const withDuties = async (...duties: string[]) => {
    const person = await addCustomer(open());
    await open().query("insert into public.staff_duties (user_id, duty) select $1, unnest($2::text[])", [
      person.id,
      duties,
    ]);
    return person;
  };
  const call = async (by: SignedIn, sql: string, ...values: unknown[]) => {
    const [row] = await open().as(by, (query) => query(`select public.${sql} as result`, values));
    return row?.result as Record<string, unknown> | null;
  };
  const find = (by: SignedIn) => call(by, "admin_find_person($1)", customer.id);
  const correct = (by: SignedIn, seen: (string | null)[], corrected: (string | null)[], id = customer.id) =>
    call(by, "correct_person($1, $2, $3, $4, $5)", id, ...seen, ...corrected);
  const note = (by: SignedIn, id = randomUUID()) =>
    call(by, "add_person_note($1, $2, 'Prefers calls')", id, customer.id);
  const nameAndPhone = async () => {
    const [row] = await open().query<{ both: string[] }>(
      "select array[full_name, phone] as both from public.profiles where id = $1",
      [customer.id],
    );
    return row?.both;
  };
  const was = ["Ama Mensa", "+233 24 412 3456"];
  const is = ["Ama Mensah", "+233 20 765 4321"];
  beforeEach(async () => {
    await open().query("update public.profiles set phone = $2 where id = $1", [customer.id, was[1]]);
  });

  test("is refused to a customer, the person among them, and to staff without the duty People", async () => {
    for (const by of [customer, await addCustomer(open()), await withDuties("orders", "schools")])
      for (const attempt of [() => find(by), () => note(by), () => correct(by, was, is)])
        expect((await refusalOf(attempt())).detail).toMatchObject({ code: "duty_missing", duty: "people" });
    expect(await nameAndPhone()).toEqual(was);
  });

  test("shows with People alone no orders, amounts owed, quotes, reviews or registrations", async () => {
    await order(open(), customer, [[await addBook(open()), 1]]);
    const people = await withDuties("people");
    expect(await find(people)).toMatchObject({
      profile: { full_name: "Ama Mensa" },
      is_confirmed: true,
      is_open: true,
      new_email: null,
      cart: { count: 0, rows: [] },
      orders: null,
      owed: null,
      order_notes: null,
      quotes: null,
      consultations: null,
      reviews: null,
      registrations: null,
    });
    expect(await find(await withDuties("people", "orders"))).toMatchObject({
      orders: { count: 1 },
      quotes: null,
    });
  });

  test("adds up what they owe and are owed, and lists orders by phone under their email and number", async () => {
    const book = await addBook(open(), { price: 20 });
    await order(open(), customer, [[book, 2]]);
    const cancelled = await order(open(), customer, [[book, 1]]);
    await call(
      admin,
      "record_payment(gen_random_uuid(), $1, 'payment', 'cash', 20, '2026-01-01')",
      cancelled,
    );
    await open().query("update public.orders set status = 'cancelled' where id = $1", [cancelled]);
    const byPhone = (email: string, phone: string) =>
      call(
        admin,
        "place_order_for(gen_random_uuid(), null, array[$1::uuid], array[1], 20, $2::jsonb)",
        book.id,
        {
          shipping_address: "5 Castle Road",
          recipient_name: "Ama",
          recipient_email: email,
          recipient_phone: phone,
        },
      );
    await byPhone(`${customer.id.toUpperCase()}@shop.test`, "024 412 3456");
    await byPhone(`${customer.id}@shop.test`, "020 111 2222");
    const found = (await find(admin)) as { orders: { rows: { is_by_phone: boolean }[] } };
    expect(found).toMatchObject({ owed: { due: 60, back: 20 }, orders: { count: 3 } });
    expect(found.orders.rows.map(({ is_by_phone }) => is_by_phone)).toEqual([true, false, false]);
  });

  test("shows the ten newest of a list and counts all", async () => {
    for (let count = 0; count < 12; count += 1) await note(admin);
    expect(((await find(admin)) as { notes: { rows: unknown[] } }).notes).toMatchObject({
      count: 12,
      rows: { length: 10 },
    });
  });

  describe("corrects name and phone number", () => {
    test("once, records both in Activity, and takes the correction back", async () => {
      const people = await withDuties("people");
      await correct(people, was, ["  Ama  Mensah ", "020 765 4321"]);
      expect(await nameAndPhone()).toEqual(is);
      await correct(people, was, is);
      await correct(people, is, was);
      expect(await nameAndPhone()).toEqual(was);
      const log = await open().query(
        "select actor, before ->> 'full_name' as was, after ->> 'full_name' as is from public.audit_log where row_id = $1 and table_name = 'profiles' order by id",
        [customer.id],
      );
      expect(log).toEqual([
        { actor: people.id, was: "Ama Mensa", is: "Ama Mensah" },
        { actor: people.id, was: "Ama Mensah", is: "Ama Mensa" },
      ]);
    });

    test("refuses a correction when the name or phone has changed meanwhile", async () => {
      await open().query("update public.profiles set phone = '+233 20 999 8888' where id = $1", [
        customer.id,
      ]);
      expect((await refusalOf(correct(admin, was, is))).detail).toEqual({ code: "person_changed" });
      expect(await nameAndPhone()).toEqual(["Ama Mensa", "+233 20 999 8888"]);
    });

    test("not to a number that nobody can have, nor of a closed account", async () => {
      expect((await refusalOf(correct(admin, was, ["Ama", "12"]))).detail).toMatchObject({ field: "phone" });
      await call(admin, "anonymise_customer($1)", customer.id);
      expect((await refusalOf(correct(admin, [null, null], is))).detail).toEqual({ code: "account_closed" });
      const note = call(admin, "add_person_note(gen_random_uuid(), $1, 'Called')", customer.id);
      expect((await refusalOf(note)).detail).toEqual({ code: "account_closed" });
    });

    test("lets only admins correct staff", async () => {
      const colleague = await withDuties("stock");
      const attempt = (by: SignedIn) =>
        correct(by, ["A customer", null], ["A colleague", null], colleague.id);
      await open().query("update public.profiles set full_name = 'A customer', phone = null where id = $1", [
        colleague.id,
      ]);
      expect((await refusalOf(attempt(await withDuties("people")))).detail).toEqual({ code: "admin_only" });
      await attempt(admin);
      expect(
        await open().query("select full_name from public.profiles where id = $1", [colleague.id]),
      ).toEqual([{ full_name: "A colleague" }]);
    });
  });

  test("keeps a note once, with who wrote it, and forgets notes and corrections with the person", async () => {
    await order(open(), customer, [[await addBook(open()), 1]]);
    await correct(admin, was, ["Findable Fiona", was[1] ?? null]);
    const id = randomUUID();
    await note(admin, id);
    await note(admin, id);
    expect(await find(admin)).toMatchObject({
      notes: { count: 1, rows: [{ body: "Prefers calls", by_name: "A admin" }] },
    });
    await deliverOrders(open(), customer);
    await call(admin, "anonymise_customer($1)", customer.id);
    expect(await find(admin)).toMatchObject({
      notes: { count: 0 },
      profile: { full_name: null, email: null },
    });
    const log = await open().query(
      "select concat(before, after) as text from public.audit_log where row_id = $1",
      [customer.id],
    );
    expect(JSON.stringify(log)).not.toMatch(/Fiona|Mensa|412 3456/);
  });

  describe("forgets the person", () => {
    const preview = async (by: SignedIn, id = customer.id) =>
      (await call(by, "preview_anonymising($1)", id)) as { problem: string | null; order_count: number };
    const forget = (by: SignedIn, id = customer.id) => call(by, "anonymise_customer($1)", id);

    test("with People and deletions, and Activity says who did it, once", async () => {
      const clerk = await withDuties("people", "deletions");
      expect((await refusalOf(forget(await withDuties("people")))).detail).toMatchObject({
        duty: "deletions",
      });
      expect(await preview(clerk)).toMatchObject({ problem: null, orders: [] });
      const [seen, unseen] = [await preview(admin), await preview(clerk)];
      expect(unseen.order_count).toBe(seen.order_count);
      await forget(clerk);
      await forget(clerk);
      expect(
        await open().query(
          "select actor, action, before from public.audit_log where row_id = $1 and table_name = 'profiles'",
          [customer.id],
        ),
      ).toEqual([{ actor: clerk.id, action: "delete", before: { id: customer.id, user_id: customer.id } }]);
    });

    test("logs the staff member for whom the web server forgets a person", async () => {
      const clerk = await withDuties("people", "deletions");
      await open().query("select public.anonymise_customer($1, $2)", [customer.id, clerk.id]);
      expect(
        await open().query("select actor from public.audit_log where row_id = $1", [customer.id]),
      ).toEqual([{ actor: clerk.id }]);
    });

    test("not while an order is open, which the dry run says too", async () => {
      const id = await order(open(), customer, [[await addBook(open()), 1]]);
      const [row] = await open().query<{ number: number }>(
        "select number::int from public.orders where id = $1",
        [id],
      );
      const problem = `Order ${row?.number} has not been delivered yet. Names can be removed once it has been delivered or cancelled.`;
      expect((await preview(admin)).problem).toBe(problem);
      expect((await refusalOf(forget(admin))).message).toBe(problem);
      expect(await nameAndPhone()).toEqual(was);
    });

    test("not for oneself or an admin, and staff only for an admin", async () => {
      const clerk = await withDuties("people", "deletions");
      const colleague = await withDuties("stock");
      for (const [by, id, code] of [
        [admin, admin.id, "own_account"],
        [admin, (await addStaff(open(), "admin")).id, "is_admin"],
        [clerk, colleague.id, "admin_only"],
      ] as const)
        expect((await refusalOf(forget(by, id))).detail).toEqual({ code });
      expect((await preview(admin, admin.id)).problem).toMatch("This is you.");
      expect((await refusalOf(preview(clerk, colleague.id))).detail).toEqual({ code: "admin_only" });
      await forget(admin, colleague.id);
    });
  });
});
