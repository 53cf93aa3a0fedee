import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectSerial } from "#tests/support/at-once.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  fillCart,
  order,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { addEvent } from "#tests/support/events.ts";
import { refusalOf, type SignedIn, secretKey } from "#tests/support/people.ts";
import { requestQuote } from "#tests/support/quotes.ts";

/** What merging does with each column that says whose a row is. */
const columnsOfPeople: Record<string, "moves" | "stays"> = {
  "public.orders.user_id": "moves",
  "public.payments.user_id": "moves",
  "public.quotes.user_id": "moves",
  "public.consultations.user_id": "moves",
  "public.reviews.user_id": "moves",
  "public.wishlists.user_id": "moves",
  "public.cart_items.user_id": "moves",
  "public.stock_alerts.user_id": "moves",
  "private.booklist_additions.user_id": "moves",
  "private.review_reports.user_id": "moves",
  "private.person_notes.user_id": "moves",
  "private.download_tickets.user_id": "moves",
  // The triggers of orders move these.
  "private.sales_changes.customer_id": "moves",
  "private.sales.key": "moves",
  // The account itself, the responses to its browsers, and rights, of which a merged account has none.
  "public.profiles.id": "stays",
  "private.cart_requests.user_id": "stays",
  "public.user_roles.user_id": "stays",
  "public.staff_duties.user_id": "stays",
};

/** Who did something keeps their id. */
const doers = ["actor", "decided_by", "added_by", "closed_by", "undone_by"];

/** What else has an id, by the column's name. */
const others = [
  "about book_id booklist_id change_id consultation_id count_id event_id factor_id file_id given_id id import_id lease order_id",
  "order_item_id purchase_order_id quote_id receipt_id registration_id resend_of return_id review_id shipment_id sold_book_id subscriber_id supplier_id",
]
  .join(" ")
  .split(" ");

type Plan = Record<string, number> & { doubles: Record<string, number>; problem: string | null };

describeDatabase("Merging two accounts of one customer", (open) => {
  let admin: SignedIn;
  let book: TestBook;
  let from: SignedIn;
  let into: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    book = await addBook(open(), { price: 20, stock: 500 });
  });
  beforeEach(async () => {
    from = await addCustomer(open(), { full_name: "Ama Mensah", phone: "0244123456" });
    into = await addCustomer(open(), { full_name: "Ama Mensah-Osei" });
  });

  const call = async (by: SignedIn, sql: string, ...values: unknown[]) => {
    const [row] = await open().as(by, (query) => query(`select public.${sql} as result`, values));
    return row?.result as Record<string, unknown>;
  };
  const merge = (by = admin, one = from, other = into) =>
    call(by, "merge_people($1, $2, false)", one.id, other.id) as Promise<Plan>;
  const look = (by = admin, one = from, other = into) =>
    call(by, "merge_people($1, $2, true)", one.id, other.id) as Promise<Plan>;
  const find = (id: string) => call(admin, "admin_find_person($1)", id);
  const emailOf = ({ id }: SignedIn) => `${id}@shop.test`;
  const value = async <T>(sql: string, ...values: unknown[]) => {
    const [row] = await open().query<{ value: T }>(`select ${sql} as value`, values);
    return row?.value;
  };
  const closeFrom = (id = from.id) =>
    open().as(secretKey, (query) => query("select public.anonymise_customer($1, $2)", [id, admin.id]));
  const byPhone = async (email: string, phone: string) =>
    String(
      await call(
        admin,
        "place_order_for(gen_random_uuid(), null, array[$1::uuid], array[1], 20, $2::jsonb)",
        book.id,
        {
          shipping_address: "5 Castle Road",
          recipient_name: "Ama",
          recipient_email: email,
          recipient_phone: phone,
        },
      ),
    );
  const review = (by: SignedIn, of: TestBook, rating: number) =>
    call(by, "write_review($1, $2, 'Read twice')", of.id, rating);
  const register = (event: { id: string }, email: string, name = "Ama Mensah") =>
    call(
      admin,
      "add_event_registration(_id => gen_random_uuid(), _event_id => $1, _name => $2, _email => $3)",
      event.id,
      name,
      email,
    );
  const registrationsOf = async (event: { id: string }) =>
    (
      await open().query(
        "select email || ' ' || state as row from public.event_registrations where event_id = $1 order by number",
        [event.id],
      )
    ).map(({ row }) => row);

  /** Something of everything for `from`, and of what both may have for `into`. */
  const fill = async () => {
    const [shared, own] = [await addBook(open(), { stock: 500 }), await addBook(open(), { stock: 500 })];
    const gone = await addBook(open(), { stock: 0 });
    const event = await addEvent(open(), admin);
    const paid = await order(open(), from, [[own, 2]]);
    for (const person of [into, from]) {
      await order(open(), person, [[shared, 1]]);
      await review(person, shared, 4);
      await call(person, "request_stock_alert($1)", gone.id);
      await open().as(person, (query) =>
        query("insert into public.wishlists (user_id, book_id) values ($1, $2)", [person.id, shared.id]),
      );
      await fillCart(open(), person, [[shared, 600]]);
      await register(event, emailOf(person));
      await open().query("insert into public.event_subscribers (email, confirmed_at) values ($1, now())", [
        emailOf(person),
      ]);
    }
    await call(admin, "record_payment(gen_random_uuid(), $1, 'payment', 'cash', 20, '2026-01-01')", paid);
    await byPhone(emailOf(from).toUpperCase(), "024 412 3456");
    await byPhone(emailOf(from), "020 111 2222");
    await review(from, own, 5);
    await open().as(from, (query) =>
      query("insert into public.wishlists (user_id, book_id) values ($1, $2)", [from.id, own.id]),
    );
    await fillCart(open(), from, [[own, 3]]);
    await requestQuote(open(), from);
    await register(event, emailOf(from), "Kofi Mensah");
    for (const by of [from, null])
      await open().query(
        "insert into public.consultations (user_id, name, email, about) values ($1, 'Ama', $2, 'Phonics')",
        [by?.id ?? null, emailOf(from)],
      );
    await call(admin, "add_person_note(gen_random_uuid(), $1, 'Prefers calls')", from.id);
    const ofInto = await value("(select id from public.reviews where user_id = $1)", into.id);
    await open().query("insert into private.review_reports (review_id, user_id) values ($1, $2)", [
      ofInto,
      from.id,
    ]);
    const [list] = await open().query<{ id: string }>(
      "insert into public.booklists (school, class_name, school_year) values ('A school', 'Basic 1', '2026/2027') returning id",
    );
    for (const person of [from, into])
      await open().query(
        "insert into private.booklist_additions (booklist_id, user_id, book_id, copies) values ($1, $2, $3, 2)",
        [list?.id, person.id, book.id],
      );
    await open().query(
      "insert into private.download_tickets (token_hash, file_id, order_id, user_id, expires_at) values (sha256($1), gen_random_uuid(), $2, $3, now())",
      [Buffer.from(from.id), paid, from.id],
    );
    await open().query("select private.fold_sales()");
    return { shared, own, event, paid };
  };

  const countsOf = async ({ id }: SignedIn) => {
    const found = (await find(id)) as Record<string, { count: number }> & {
      owed: { due: number; back: number };
    };
    const names = "orders quotes consultations registrations reviews wishlist cart stock_alerts notes".split(
      " ",
    );
    return {
      ...Object.fromEntries(names.map((name) => [name, found[name]?.count ?? 0])),
      ...found.owed,
    } as Record<string, number>;
  };

  test("every column of a person is known to the merge, and what moves is named in it", async () => {
    const columns = await open().query<{ name: string; column: string }>(
      `select n.nspname || '.' || c.relname || '.' || a.attname as name, a.attname as column
         from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname in ('public', 'private') and a.attnum > 0 and not a.attisdropped
          and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype)`,
    );
    const keys = await open().query<{ name: string }>(
      `select k.conrelid::regclass::text || '.' || a.attname as name
         from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
        where k.contype = 'f' and k.confrelid in ('public.profiles'::regclass, 'auth.users'::regclass)
          and k.connamespace in ('public'::regnamespace, 'private'::regnamespace)`,
    );
    const ofPeople = new Set(keys.map(({ name }) => (name.startsWith("private.") ? name : `public.${name}`)));
    const unknown = columns.filter(
      ({ name, column }) =>
        !(name in columnsOfPeople) && (ofPeople.has(name) || ![...doers, ...others].includes(column)),
    );
    expect(unknown).toEqual([]);
    expect(
      Object.keys(columnsOfPeople).filter((name) => !columns.some((column) => column.name === name)),
    ).toEqual([]);
    const body = String(await value("pg_get_functiondef('private.move_to_account'::regproc)"));
    for (const [name, what] of Object.entries(columnsOfPeople)) {
      const table = name.slice(0, name.lastIndexOf("."));
      if (what === "moves" && !table.startsWith("private.sales")) expect(body, name).toContain(table);
    }
  });

  test("moves everything, exactly what the look before it said, and every sum stays right", async () => {
    const { shared, own, event, paid } = await fill();
    const number = await value("(select number from public.orders where id = $1)", paid);
    const [before, ofFrom, stock] = [await countsOf(into), await countsOf(from), await stockOf(open(), own)];
    const plan = await look();
    expect(plan).toMatchObject({
      orders: 3,
      by_phone: 1,
      payments: 1,
      paid: 20,
      quotes: 1,
      consultations: 2,
      registrations: 1,
      reviews: 2,
      wishlist: 1,
      cart: 2,
      copies: 402,
      stock_alerts: 0,
      notes: 1,
      doubles: { reviews: 1, registrations: 2, stock_alerts: 1, wishlist: 1, copies: 201 },
      problem: null,
    });
    expect(await countsOf(from)).toEqual(ofFrom);
    expect(await merge()).toEqual(plan);

    const after = await countsOf(into);
    const moved = Object.fromEntries(
      Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]),
    );
    expect(moved).toEqual({
      orders: 3,
      quotes: 1,
      consultations: 2,
      registrations: 1,
      // One of theirs was older and is gone.
      reviews: 1,
      wishlist: 1,
      cart: 1,
      stock_alerts: 0,
      notes: 1,
      due: plan.due,
      back: plan.back,
    });
    expect(plan.due).toBe(ofFrom.due);
    expect(await countsOf(from)).toEqual(Object.fromEntries(Object.keys(after).map((name) => [name, 0])));
    expect(await value("(select number from public.orders where id = $1)", paid)).toBe(number);
    expect(await registrationsOf(event)).toEqual([
      `${emailOf(into)} registered`,
      `${emailOf(into)} registered`,
    ]);
    expect(
      await value(
        "(select array_agg(quantity order by quantity) from public.cart_items where user_id = $1)",
        into.id,
      ),
    ).toEqual([3, 999]);
    expect(await value("(select count(*) from public.reviews where book_id = $1)", shared.id)).toBe(1);
    expect(await stockOf(open(), own)).toBe(stock);
    expect(await value("(select phone from public.profiles where id = $1)", into.id)).toBe(
      "+233 24 412 3456",
    );

    expect(
      await value("(select array_agg(copies) from private.booklist_additions where user_id = $1)", into.id),
    ).toEqual([4]);
    await open().query("select private.fold_sales()");
    expect(await open().query("select * from private.wrong_sales()")).toEqual([]);
    const wrongPayments = `select o.id from public.orders o, private.sum_payments(o.id) as s where o.paid_amount <> s.paid`;
    expect(await open().query(wrongPayments)).toEqual([]);
    const left = [];
    for (const name of Object.keys(columnsOfPeople)) {
      const [schema, table, column] = name.split(".");
      const filter = name === "private.sales.key" ? " and (orders, copies, books, owed) <> (0, 0, 0, 0)" : "";
      const rows = await value<number>(
        `(select count(*) from ${schema}.${table} where ${column} = $1${filter})`,
        from.id,
      );
      if (columnsOfPeople[name] === "moves" && rows) left.push(name);
    }
    expect(left).toEqual([]);
  });

  test("moves the quotes that staff made without an account for the same email and phone number", async () => {
    const quote = async (phone: string) => {
      const id = crypto.randomUUID();
      await call(admin, "begin_quote($1, null, 'A school', 'Ama', $2, $3)", id, emailOf(from), phone);
      return id;
    };
    const [theirs, anothers] = [await quote("024 412 3456"), await quote("020 111 2222")];
    expect(await look()).toMatchObject({ quotes: 1 });
    expect(await find(from.id)).toMatchObject({ quotes: { count: 1, rows: [{ id: theirs }] } });
    await merge();
    const owner = (id: string) => value("(select user_id from public.quotes where id = $1)", id);
    expect([await owner(theirs), await owner(anothers)]).toEqual([into.id, null]);
    // Closing the account, which follows, would forget it.
    const late = call(
      admin,
      "begin_quote(gen_random_uuid(), $1, 'A school', 'Ama', 'ama@school.example', '0244123456')",
      from.id,
    );
    expect((await refusalOf(late)).detail).toEqual({ code: "customer_not_found" });
  });

  test("leaves one entry in Activity with both accounts, and none when closing the account follows or all of it is repeated", async () => {
    await fill();
    const last = await value("(select max(id) from public.audit_log)");
    await merge();
    await merge();
    await closeFrom();
    await merge();
    await closeFrom();
    const entries = await open().query(
      "select actor, table_name, action, row_id, after ->> 'closed_account' as former, after ->> 'orders' as orders from public.audit_log where id > $1 order by id",
      [last],
    );
    expect(entries).toEqual([
      expect.objectContaining({ table_name: "reviews", action: "delete" }),
      {
        actor: admin.id,
        table_name: "profiles",
        action: "merge",
        row_id: into.id,
        former: from.id,
        orders: "3",
      },
    ]);
  });

  test("closing the account afterwards takes nothing from what moved, open orders and deleted ones included", async () => {
    const { paid, event } = await fill();
    await open().query("delete from public.cart_items where user_id = $1", [from.id]);
    const deleted = await order(open(), from, [[book, 1]]);
    await open().query("update public.orders set recipient_name = 'Ama' where user_id = $1", [from.id]);
    await open().as(admin, (query) => query("delete from public.orders where id = $1", [deleted]));
    await merge();
    const merged = await countsOf(into);
    await closeFrom();
    expect(await countsOf(into)).toEqual(merged);
    expect(await value("(select recipient_name from public.orders where id = $1)", paid)).toBe("Ama");
    expect(await value("(select body from private.person_notes where user_id = $1)", into.id)).toBe(
      "Prefers calls",
    );
    expect(await registrationsOf(event)).toHaveLength(2);
    await call(admin, "restore_order($1)", deleted);
    expect(await value("(select user_id from public.orders where id = $1)", deleted)).toBe(into.id);
    expect(await value("(select recipient_name from public.orders where id = $1)", deleted)).toBe("Ama");
    // Forgetting the account that stays forgets what the log said of the other's orders, too.
    await open().query(
      "update public.orders set status = 'delivered' where user_id = $1 and status <> 'cancelled'",
      [into.id],
    );
    await closeFrom(into.id);
    const named =
      "select id from public.audit_log where row_id = $1 and coalesce(after, before) ->> 'recipient_name' is not null";
    expect(await open().query(named, [paid])).toEqual([]);
  });

  test("emails that wait for the other account go to the address of the one that stays", async () => {
    const id = await order(open(), from, [[book, 1]]);
    await merge();
    expect(await value("private.email_order($1) ->> 'email'", id)).toBe(emailOf(into));
  });

  test("a quote stays as it was sent, with its version", async () => {
    await fillCart(open(), from, [[book, 2]]);
    const id = await requestQuote(open(), from);
    const version = await value<number>("(select version from public.quotes where id = $1)", id);
    await merge();
    expect(await value("(select version from public.quotes where id = $1)", id)).toBe(version);
    expect(await call(into, "find_own_quote($1)", id)).not.toBeNull();
  });

  for (const newer of ["from", "into"])
    test(`of two reviews of one book, the newer stays, also when it is ${newer}'s`, async () => {
      const people = newer === "from" ? [into, from] : [from, into];
      for (const [place, person] of people.entries()) {
        await order(open(), person, [[book, 1]]);
        await review(person, book, place + 1);
      }
      expect((await look()).reviews).toBe(newer === "from" ? 1 : 0);
      await merge();
      expect(
        await open().query(
          "select rating, user_id from public.reviews where book_id = $1 and user_id in ($2, $3)",
          [book.id, from.id, into.id],
        ),
      ).toEqual([{ rating: 2, user_id: into.id }]);
      const rating =
        "(select average_rating = (select round(avg(rating), 2) from public.reviews where book_id = $1) from public.books where id = $1)";
      expect(await value(rating, book.id)).toBe(true);
    });

  test("of two registrations for one event, the one with a place stays, and the place of another goes to who waits", async () => {
    const event = await addEvent(open(), admin, { places: 2 });
    await register(event, emailOf(from));
    await register(event, emailOf(into));
    await register(event, "kofi@school.example", "Kofi");
    expect(await registrationsOf(event)).toContain("kofi@school.example waiting");
    await merge();
    expect(await registrationsOf(event)).toEqual([
      `${emailOf(into)} registered`,
      "kofi@school.example registered",
    ]);
  });

  test("what doesn't fit into a full cart or wishlist is said before, and never makes either longer than 1,000 books", async () => {
    await open().query(
      `with many as (insert into public.books (title, price, stock_quantity) select 'Many ' || n, 5, 5 from generate_series(1, 1001) n returning id),
            ids as (select id, row_number() over () as place from many),
            lines as (insert into public.cart_items (user_id, book_id) select case when place < 1000 then $1::uuid else $2 end, id from ids)
       insert into public.wishlists (user_id, book_id) select case when place < 1000 then $1::uuid else $2 end, id from ids`,
      [into.id, from.id],
    );
    const plan = await look();
    expect(plan).toMatchObject({ cart: 1, wishlist: 1, doubles: { copies: 1, wishlist: 1 } });
    expect(await merge()).toEqual(plan);
    for (const table of ["cart_items", "wishlists"])
      expect(await value(`(select count(*) from public.${table} where user_id = $1)`, into.id)).toBe(1000);
  });

  describe("is refused", () => {
    const codeOf = async (request: Promise<unknown>) => (await refusalOf(request)).detail?.code;
    const withDuties = async (...duties: string[]) => {
      const person = await addCustomer(open());
      await open().query("insert into public.staff_duties (user_id, duty) select $1, unnest($2::text[])", [
        person.id,
        duties,
      ]);
      return person;
    };

    test("to customers, the two among them, and to staff without both duties, also the look", async () => {
      for (const by of [from, into, await withDuties("people"), await withDuties("deletions", "orders")])
        for (const attempt of [merge, look]) expect(await codeOf(attempt(by))).toBe("duty_missing");
      const people = await withDuties("people", "deletions");
      expect(await look(people)).toMatchObject({ total: null, due: null, problem: null });
    });

    test("with itself, with the caller's own, with staff even for an admin, and with nobody", async () => {
      const moderator = await addStaff(open(), "moderator");
      const helper = await withDuties("stock");
      const people = await withDuties("people", "deletions");
      const nobody: SignedIn = { role: "authenticated", id: randomUUID() };
      const cases = [
        [admin, from, from, "same_account"],
        [people, people, into, "own_account"],
        [people, from, people, "own_account"],
        [admin, moderator, into, "is_staff"],
        [admin, from, moderator, "is_staff"],
        [admin, helper, into, "is_staff"],
        [admin, from, helper, "is_staff"],
      ] as const;
      for (const [by, one, other, code] of cases) {
        expect(await codeOf(merge(by, one, other))).toBe(code);
        expect((await look(by, one, other)).problem).toMatch(/\.$/);
      }
      for (const [one, other] of [
        [nobody, into],
        [from, nobody],
      ] as const)
        expect(await codeOf(merge(admin, one, other))).toBe("user_not_found");
    });

    test("into an account whose email isn't confirmed, and with one that is closed", async () => {
      await open().query("update auth.users set email_confirmed_at = null where id = $1", [into.id]);
      expect(await codeOf(merge())).toBe("unconfirmed_account");
      await open().query("update auth.users set email = null where id = $1", [into.id]);
      expect(await codeOf(merge())).toBe("account_closed");
      // As a hosted project closes one.
      await open().query("update auth.users set email = $1 where id = $2", [
        `${from.id}@nobody.invalid`,
        from.id,
      ]);
      const third = await addCustomer(open());
      expect(await codeOf(merge(admin, from, third))).toBe("account_closed");
    });

    test("into an account that was merged itself, whose closing would forget everything", async () => {
      await merge();
      expect(await codeOf(merge(admin, into, from))).toBe("account_merged");
      expect(await codeOf(merge(admin, await addCustomer(open()), from))).toBe("account_merged");
    });
  });

  test("two merges of the same accounts at once, one each way, are as one after the other: one account keeps everything", async () => {
    const answers = await expectSerial(open(), async () => {
      const [a, b] = [await addCustomer(open()), await addCustomer(open())];
      await order(open(), a, [[book, 1]]);
      await order(open(), b, [[book, 1]]);
      const sql = "select public.merge_people($1, $2, false)";
      return {
        requests: [
          [admin, sql, [a.id, b.id]],
          [admin, sql, [b.id, a.id]],
        ],
        see: () =>
          open().query(
            "select (user_id = $1) as of_first, count(*) from public.orders where user_id in ($1, $2) group by 1",
            [a.id, b.id],
          ),
      };
    });
    expect(answers).toEqual([
      ["done", "account_merged"],
      ["account_merged", "done"],
    ]);
  });

  test("an order that is placed during the merge moves too, or is refused because the cart is empty", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await addCustomer(open()), await addCustomer(open())];
      await fillCart(open(), a, [[book, 1]]);
      const id = randomUUID();
      const place = open().as(a, (query) =>
        query(
          "insert into public.orders (id, user_id, total_amount, status) values ($1, $2, 20, 'pending')",
          [id, a.id],
        ),
      );
      const [placed] = await Promise.allSettled([place, merge(admin, a, b)]);
      const owner = await value("(select user_id from public.orders where id = $1)", id);
      expect(owner).toBe(placed.status === "fulfilled" ? b.id : null);
    }
  });
});
