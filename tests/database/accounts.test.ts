import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addBook, addCustomer, addStaff, deliverOrders, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, secretKey, visitor } from "#tests/support/people.ts";

describeDatabase("Profiles", (open) => {
  const profileOf = async (id: string) =>
    (await open().query("select full_name, email, phone from public.profiles where id = $1", [id]))[0];

  test("are created by signing up, with name, phone and email, trimmed and cut", async () => {
    const person = await addCustomer(open(), {
      full_name: `  Head\u0007 teacher ${"x".repeat(300)}`,
      phone: " +233 24 000 0000 ",
    });
    const profile = await profileOf(person.id);
    expect(profile).toMatchObject({ email: `${person.id}@shop.test`, phone: "+233 24 000 0000" });
    expect(String(profile?.full_name)).toMatch(/^Head teacher x+$/);
    expect(String(profile?.full_name)).toHaveLength(200);
  });

  test("never make a sign-up fail, whatever its data", async () => {
    for (const data of [
      null,
      {},
      [],
      "text",
      7,
      { full_name: null },
      { full_name: { a: 1 }, phone: ["1"] },
      { phone: "9".repeat(9999) },
    ]) {
      const id = randomUUID();
      await open().query(
        "insert into auth.users (id, email, raw_user_meta_data) values ($1, null, $2::jsonb)",
        [id, JSON.stringify(data)],
      );
      expect(await profileOf(id)).toBeDefined();
    }
  });

  test("follow the account's email", async () => {
    const person = await addCustomer(open());
    await open().query("update auth.users set email = 'new@shop.test' where id = $1", [person.id]);
    expect(await profileOf(person.id)).toMatchObject({ email: "new@shop.test" });
  });

  test("follow the sign-up until it is confirmed, then only their owner", async () => {
    const person = await addCustomer(open(), { full_name: "Stranger", phone: "1" });
    const write = (change: string) =>
      open().query(`update auth.users set ${change} where id = $1`, [person.id]);
    await write("email_confirmed_at = null");
    await write('raw_user_meta_data = \'{"full_name": "Ama", "phone": {"a": 1}}\'');
    expect(await profileOf(person.id)).toMatchObject({ full_name: "Ama" });
    await write("raw_user_meta_data = '{}', email_confirmed_at = now()");
    expect(await profileOf(person.id)).toMatchObject({ full_name: null, phone: null });
    await write('raw_user_meta_data = \'{"full_name": "X"}\'');
    expect(await profileOf(person.id)).toMatchObject({ full_name: null, phone: null });
  });

  test("are read and changed by their owner: name and phone, nothing else", async () => {
    const person = await addCustomer(open());
    const neighbour = await addCustomer(open());
    const update = (change: string, id: string) =>
      open().as(person, (query) =>
        query(`update public.profiles set ${change} where id = $1 returning full_name, phone`, [id]),
      );
    expect(await update("full_name = ' New name ', phone = ''", person.id)).toEqual([
      { full_name: "New name", phone: null },
    ]);
    expect(await update("phone = '1'", neighbour.id)).toEqual([]);
    for (const change of ["email = 'x'", "id = id", "created_at = now()"]) {
      expect((await refusalOf(update(change, person.id))).code).toBe("42501");
    }
    expect((await refusalOf(update(`phone = '${"1".repeat(41)}'`, person.id))).detail).toMatchObject({
      code: "invalid_field",
      field: "phone",
      limit: 40,
    });
    const seen = await open().as(person, (query) => query("select id from public.profiles"));
    expect(seen).toEqual([{ id: person.id }]);
  });

  test("are readable by their owner and by admins only", async () => {
    const admin = await addStaff(open(), "admin");
    const moderator = await addStaff(open(), "moderator");
    const [all] = await open().query<{ count: number }>("select count(*)::int as count from public.profiles");
    const count = async (person: typeof admin) =>
      (
        await open().as(person, (query) =>
          query<{ count: number }>("select count(*)::int as count from public.profiles"),
        )
      )[0]?.count;
    expect(await count(admin)).toBe(all?.count);
    expect(await count(moderator)).toBe(1);
    expect(
      (await refusalOf(open().as(visitor, (query) => query("select * from public.profiles")))).code,
    ).toBe("42501");
  });

  test("an account with orders cannot be deleted, one without is deleted with its profile", async () => {
    const buyer = await addCustomer(open());
    await order(open(), buyer, [[await addBook(open()), 1]]);
    expect((await refusalOf(open().query("delete from auth.users where id = $1", [buyer.id]))).code).toMatch(
      /^(23503|23001)$/, // Before PostgreSQL 18, and since.
    );
    const guest = await addCustomer(open());
    await open().query("delete from auth.users where id = $1", [guest.id]);
    expect(await profileOf(guest.id)).toBeUndefined();
  });

  test("anonymising removes a person from profile, orders, reviews and log, and leaves the orders", async () => {
    const admin = await addStaff(open(), "admin");
    const person = await addCustomer(open(), { full_name: "Findable Fiona", phone: "0244987654" });
    const book = await addBook(open());
    const orderId = await order(open(), person, [[book, 1]]);
    await open().query(
      "update public.orders set recipient_name = 'Findable Fiona', shipping_address = '9 Findable Road', recipient_phone = '0244987654' where id = $1",
      [orderId],
    );
    await open().query(
      "insert into public.reviews (book_id, user_id, rating, review_text) values ($1, $2, 5, 'Signed, Findable Fiona')",
      [book.id, person.id],
    );
    const deleted = await order(open(), person, [[book, 1]]);
    await open().query("update public.orders set recipient_name = 'Findable Fiona' where id = $1", [deleted]);
    await open().as(admin, (query) => query("delete from public.orders where id = $1", [deleted]));

    const anonymise = (by: typeof admin) =>
      open().as(by, (query) => query("select public.anonymise_customer($1) as orders", [person.id]));
    expect((await refusalOf(anonymise(person))).detail).toMatchObject({ code: "duty_missing" });
    await deliverOrders(open(), person);
    expect(await anonymise(admin)).toEqual([{ orders: 1 }]);

    const everything = await open().query(
      `select to_jsonb(p)::text as row from public.profiles p union all select to_jsonb(o)::text from public.orders o
       union all select to_jsonb(r)::text from public.reviews r union all select to_jsonb(a)::text from public.audit_log a`,
    );
    const text = everything.map(({ row }) => row).join("\n");
    expect(text).not.toMatch(/Findable|0244987654/i);
    expect(
      await open().query("select total_amount::float8 as total from public.orders where id = $1", [orderId]),
    ).toEqual([{ total: 45.5 }]);
    const unknown = open().as(secretKey, (query) =>
      query("select public.anonymise_customer($1)", [randomUUID()]),
    );
    expect((await refusalOf(unknown)).detail).toEqual({ code: "customer_not_found" });
  });
});
