import { beforeEach, expect, test } from "vitest";
import { expectSerial, type Request } from "#tests/support/at-once.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  fillCart,
  order,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey } from "#tests/support/people.ts";

describeDatabase("An email when a book is back in stock", (open) => {
  let customer: SignedIn;
  let admin: SignedIn;
  let book: TestBook;
  beforeEach(async () => {
    customer = await addCustomer(open());
    admin = await addStaff(open(), "admin");
    book = await addBook(open(), { stock: 0 });
    // Nothing else waits, so that the next claim is the test's own.
    await open().query("delete from public.outgoing_emails");
  });

  const alertRequest = (person: SignedIn, { id } = book): Request => [
    person,
    "select public.request_stock_alert($1)",
    [id],
  ];
  const restocking = (copies = 5): Request => [
    admin,
    "update public.books set stock_quantity = $2 where id = $1 returning id",
    [book.id, copies],
  ];
  const takingBack = (person: SignedIn): Request => [
    person,
    "delete from public.stock_alerts where book_id = $1 returning id",
    [book.id],
  ];
  const send = ([person, sql, values]: Request) => open().as(person, (query) => query(sql, values));
  const requestAlert = (person = customer, asked = book) => send(alertRequest(person, asked));
  const restock = (copies?: number) => send(restocking(copies));
  const query = async <Row extends object>(sql: string, ...values: unknown[]) =>
    (await open().query(sql, values)) as Row[];
  const emails = () =>
    query<{ state: string; seconds: number; event: string }>(
      `select state, event, round(extract(epoch from due_at - min(due_at) over ()))::int as seconds
         from public.outgoing_emails where kind = 'back_in_stock' order by due_at`,
    );
  const waiting = () => query("select id, user_id from public.stock_alerts where book_id = $1", book.id);
  const call = async (sql: string, ...values: unknown[]) =>
    (await open().as(secretKey, (run) => run(`select ${sql} as result`, values)))[0]?.result;
  type Claimed = {
    id: string;
    kind: string;
    lease: string;
    audience: string;
    alert: { email: string; book: object };
  };
  const claim = async () => {
    await open().query("update public.outgoing_emails set due_at = now() where state = 'waiting'");
    return (await call("public.claim_email()")) as Claimed | null;
  };

  test("is written once, in the order of the requests and one per second, with book and address", async () => {
    const [second, third] = [await addCustomer(open()), await addCustomer(open())];
    for (const person of [customer, second, third, customer]) await requestAlert(person);
    expect(await emails()).toEqual([]);
    await restock(1);
    await restock(7);
    const alerts = await query<{ id: string }>(
      "select id from public.stock_alerts where book_id = $1 order by created_at",
      book.id,
    );
    expect(await emails()).toEqual(
      alerts.map(({ id }, seconds) => ({ state: "waiting", event: id, seconds })),
    );
    const email = await claim();
    expect(email).toMatchObject({
      kind: "back_in_stock",
      audience: "customer",
      alert: {
        email: expect.stringMatching(/@shop\.test$/),
        book: { id: book.id, title: book.title, price: book.price, publisher: null },
      },
    });
  });

  test("is sent once per request; the customer may request it again for the next time", async () => {
    await requestAlert();
    await restock();
    const email = await claim();
    await call("public.record_sent_email($1)", email?.id);
    expect(await waiting()).toEqual([]);
    await restock(0);
    await restock();
    expect((await emails()).map(({ state }) => state)).toEqual(["sent"]);
    await restock(0);
    await requestAlert();
    await restock();
    expect((await emails()).map(({ state }) => state).sort()).toEqual(["sent", "waiting"]);
  });

  test("comes with any restock, a cancelled order's copies too", async () => {
    const buyer = await addCustomer(open());
    await restock(2);
    const placed = await order(open(), buyer, [[book, 2]]);
    await requestAlert();
    await open().as(buyer, (run) =>
      run("update public.orders set status = 'cancelled' where id = $1", [placed]),
    );
    expect(await emails()).toHaveLength(1);
  });

  test("queues behind those for other books, and leaves room for an order's email", async () => {
    const other = await addBook(open(), { stock: 0 });
    for (const asked of [book, other]) await requestAlert(customer, asked);
    await requestAlert(await addCustomer(open()), book);
    await open().as(admin, (run) =>
      run("update public.books set stock_quantity = 3 where id = any ($1)", [[book.id, other.id]]),
    );
    expect((await emails()).map(({ seconds }) => seconds)).toEqual([0, 1, 2]);
    await fillCart(open(), customer, [[book, 1]]);
    await order(open(), await addCustomer(open()), [[book, 1]]);
    const due = await query<{ kind: string }>("select kind from public.outgoing_emails order by due_at");
    expect(due.map(({ kind }) => kind).at(-1)).toBe("back_in_stock");
  });

  test("is passed by an order's email, also when it is late because the mail server is slow", async () => {
    await requestAlert();
    await restock();
    await order(open(), await addCustomer(open()), [[await addBook(open()), 1]]);
    expect((await claim())?.kind).toMatch(/order/);
  });

  test("is not sent when the last copy is sold before its turn: the customer waits for the next ones", async () => {
    await requestAlert();
    await restock(1);
    await restock(0);
    expect(await claim()).toBeNull();
    expect([await emails(), await waiting()]).toEqual([[], [expect.anything()]]);
    await restock(1);
    expect((await claim())?.alert.book).toMatchObject({ id: book.id });
  });

  test("with 1,000 alerts for a book that is sold out again, claims stay fast and all alerts stay pending", {
    tags: "long",
  }, async () => {
    await query(
      `with people as (
         insert into auth.users (id, email, email_confirmed_at)
         select id, id || '@example.com', now() from (select gen_random_uuid() as id from generate_series(1, 1000)) as new
         returning id)
       select count(*) from people`,
    );
    await query(
      `insert into public.stock_alerts (user_id, book_id)
       select id, $1 from public.profiles order by created_at desc limit 1000`,
      book.id,
    );
    await restock(1);
    expect(await emails()).toHaveLength(1_000);
    await restock(0);
    expect(await claim()).toBeNull();
    // Each claim reads a limited number; with ten times as many alerts, reading all would exceed the statement timeout.
    expect((await emails()).length).toBeGreaterThanOrEqual(800);
    for (let claims = 0; claims < 10; claims += 1) expect(await claim()).toBeNull();
    expect(await emails()).toEqual([]);
    expect(await waiting()).toHaveLength(1_000);
  });

  test("is not sent to a customer who cancelled the request or was anonymised, nor about a deleted book", async () => {
    for (const leave of [
      () => send(takingBack(customer)),
      () => call("public.anonymise_customer($1)", customer.id),
      () => open().query("delete from public.books where id = $1", [book.id]),
    ]) {
      await requestAlert();
      await restock();
      await leave();
      expect([await claim(), await emails(), await waiting()]).toEqual([null, [], []]);
      await open().query("update public.books set stock_quantity = 0 where id = $1", [book.id]);
    }
  });

  test("that was given up is tried again with the next copies", async () => {
    await requestAlert();
    await restock();
    const email = await claim();
    await call("public.record_failed_email($1, $2, 'No such user', true)", email?.id, email?.lease);
    expect((await emails()).map(({ state }) => state)).toEqual(["given_up"]);
    await restock(0);
    await restock();
    expect(await claim()).toMatchObject({ id: email?.id });
  });

  test("that staff send again uses up the request too", async () => {
    await requestAlert();
    await restock();
    const email = await claim();
    await call("public.record_failed_email($1, $2, 'No such user', true)", email?.id, email?.lease);
    await open().as(admin, (run) => run("select public.resend_email($1)", [email?.id]));
    const again = await claim();
    expect(again).toMatchObject({ alert: { book: { id: book.id } } });
    await call("public.record_sent_email($1)", again?.id);
    expect(await waiting()).toEqual([]);
  });

  test("can be requested for a sold-out book alone, and for a hundred of them", async () => {
    const refused = async (asked: { id: string }) =>
      (await refusalOf(send(alertRequest(customer, asked as TestBook)))).code;
    expect(await refused(await addBook(open(), { stock: 1 }))).toBe("PT409");
    expect(await refused({ id: customer.id })).toBe("PT404");
    await open().query(
      `with filler as (insert into public.books (title, price) select 'Filler', 1 from generate_series(1, 99) returning id)
       insert into public.stock_alerts (user_id, book_id) select $1, id from filler`,
      [customer.id],
    );
    await requestAlert();
    await requestAlert();
    expect(await refused(await addBook(open(), { stock: 0 }))).toBe("PT429");
  });

  test("is part of the customer's own data, and of nobody else's", async () => {
    await requestAlert();
    const [mine] = await open().as(customer, (run) =>
      run<{ data: { stock_alerts: object[] } }>("select public.own_data() as data"),
    );
    expect(mine?.data.stock_alerts).toEqual([{ book: book.title, created_at: expect.any(String) }]);
    for (const other of [admin, await addCustomer(open())]) expect(await send(takingBack(other))).toEqual([]);
    expect(await waiting()).toHaveLength(1);
  });

  const scene = (requests: (book: TestBook) => [Request, Request]) => async () => {
    book = await addBook(open(), { stock: 0 });
    await open().query("delete from public.outgoing_emails");
    return {
      requests: requests(book),
      see: async () => [(await emails()).length, (await waiting()).length],
    };
  };

  test("is one email when two restocks come at the same moment", async () => {
    const responses = await expectSerial(open(), async () => {
      const made = await scene(() => [restocking(5), restocking(7)])();
      await requestAlert();
      return made;
    });
    expect(responses).toEqual([
      ["done", "done"],
      ["done", "done"],
    ]);
    expect(await emails()).toHaveLength(1);
  });

  test("is not missed when the customer requests it while the copies arrive: they are refused or emailed", async () => {
    const responses = await expectSerial(
      open(),
      scene(() => [alertRequest(customer), restocking()]),
    );
    expect(responses).toEqual([
      ["done", "done"],
      ["book_in_stock", "done"],
    ]);
  });

  test("is not missed when the customer requests it before the copies' transaction ends, as an import's does late", async () => {
    const response = await open().transaction(async (run) => {
      await run("update public.books set stock_quantity = 5 where id = $1", [book.id]);
      const asked = refusalOf(requestAlert());
      await expect
        .poll(() =>
          query(
            "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          ),
        )
        .toHaveLength(1);
      return { asked };
    });
    expect((await response.asked).code).toBe("PT409");
  });

  test("is not missed when copies arrive while a worker drops it because the book was sold out", async () => {
    await expectSerial(open(), async () => {
      const made = await scene(() => [
        [secretKey as SignedIn, "select 1 from (select public.claim_email()) as claimed", []],
        restocking(),
      ])();
      await requestAlert();
      await restock(1);
      await restock(0);
      await open().query("update public.outgoing_emails set due_at = now()");
      return made;
    });
    expect(await emails()).toHaveLength(1);
  });
});
