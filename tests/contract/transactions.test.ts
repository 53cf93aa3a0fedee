import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "#server/api/caller.ts";
import { openTransactions, type Transactions } from "#server/api/data/transaction.ts";
import { eventually } from "#tests/support/eventually.ts";
import { openSql } from "#tests/support/test-server.ts";

/* The data API's transactions over a database without the shop's tables. */

let database: Awaited<ReturnType<typeof openSql>>;
let transactions: Transactions;
beforeAll(async () => {
  database = await openSql("prepared");
  await database.sql.exec(`
    create table public.notes (text text);
    grant all on public.notes to anon, authenticated, service_role;
    create sequence public.tries;
    grant usage on public.tries to anon;
    create function public.fail_until(attempt int, code text) returns text language plpgsql as $$
    begin
      if nextval('public.tries') < attempt then raise exception 'not yet' using errcode = code; end if;
      return 'done';
    end $$;`);
  transactions = openTransactions(database.connections, database.sql);
});
afterAll(async () => {
  await transactions?.close();
  await database?.close();
});

const visitor: Caller = { role: "anon", userId: null, claims: {} };
const customer: Caller = {
  role: "authenticated",
  userId: "11111111-1111-4111-8111-111111111111",
  claims: { sub: "11111111-1111-4111-8111-111111111111", email: "ama@example.com", role: "postgres" },
};
const shop: Caller = { role: "service_role", userId: null, claims: { email: 1 } };

type Work = Parameters<Transactions["run"]>[0];
const call = async (text: string, work: Partial<Work> = {}) =>
  (
    await transactions.run({ caller: visitor, statement: { text, values: [] }, isReadOnly: true, ...work })
  )[0]?.toString();

const write = (note: string, work: Partial<Work> = {}) =>
  call(`insert into public.notes values ('${note}') returning text`, { isReadOnly: false, ...work });
const notes = async () =>
  (await database.sql.query<{ text: string }>("select text from public.notes order by 1")).map(
    ({ text }) => text,
  );

test("A statement runs as its caller, with the caller's claims and that role's timeout", async () => {
  const settings = `select jsonb_build_object('role', current_user, 'claims', current_setting('request.jwt.claims')::jsonb,
    'sub', current_setting('request.jwt.claim.sub'), 'claimed', current_setting('request.jwt.claim.role'),
    'email', current_setting('request.jwt.claim.email'), 'timeout', current_setting('statement_timeout'),
    'zone', current_setting('TimeZone'), 'path', current_setting('search_path'))`;
  const seenBy = async (work: Partial<Work>) => JSON.parse((await call(settings, work)) ?? "");
  const place = { zone: "UTC", path: "public,extensions" };
  expect(await seenBy({ caller: visitor })).toEqual({
    ...place,
    role: "anon",
    claims: { role: "anon" },
    sub: "",
    claimed: "anon",
    email: "",
    timeout: "3s",
  });
  expect(await seenBy({ caller: customer })).toEqual({
    ...place,
    role: "authenticated",
    claims: { ...customer.claims, role: "authenticated" },
    sub: customer.userId,
    claimed: "authenticated",
    email: "ama@example.com",
    timeout: "8s",
  });
  expect(await seenBy({ caller: shop })).toEqual({
    ...place,
    role: "service_role",
    claims: { email: 1, role: "service_role" },
    sub: "",
    claimed: "service_role",
    email: "",
    timeout: "2min",
  });
  expect((await seenBy({ caller: customer, timeout: "20s" })).timeout).toBe("20s");
  expect((await seenBy({ caller: customer, timeout: null })).timeout).toBe("8s");
});

test("Outside its transaction a connection has a visitor's timeouts", async () => {
  const own = await call(
    `select jsonb_object_agg(name, reset_val) from pg_settings
     where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'application_name')`,
    { caller: shop },
  );
  expect(JSON.parse(own ?? "")).toEqual({
    statement_timeout: "3000",
    idle_in_transaction_session_timeout: "10000",
    application_name: "shop api",
  });
});

test("A reading statement changes nothing, a writing one is committed once it is accepted", async () => {
  await database.sql.exec("truncate public.notes");
  await expect(write("read only", { isReadOnly: true })).rejects.toMatchObject({ code: "25006" });
  expect(await write("kept")).toBe("kept");
  const seen: string[] = [];
  const accepts = (isAccepted: boolean) => async (row: (Buffer | null)[]) => {
    seen.push(String(row[0]));
    return isAccepted;
  };
  expect(await write("accepted", { accepts: accepts(true) })).toBe("accepted");
  expect(await write("refused", { accepts: accepts(false) })).toBe("refused");
  const failing = () => {
    throw new Error("Not this one");
  };
  await expect(write("failed", { accepts: failing })).rejects.toThrow("Not this one");
  // Nothing of what was refused is left on the connection for the next one's commit.
  expect(await write("next")).toBe("next");
  expect(seen).toEqual(["accepted", "refused"]);
  expect(await notes()).toEqual(["accepted", "kept", "next"]);
  await expect(call("select 1 where false")).rejects.toThrow("The statement returned no row");
});

test("What fails only at the commit is refused", async () => {
  await database.sql.exec("create table public.once (n int unique deferrable initially deferred)");
  await database.sql.exec("grant all on public.once to anon");
  await expect(
    call("insert into public.once values (1), (1) returning n::text", { isReadOnly: false }),
  ).rejects.toMatchObject({ code: "23505" });
});

test("A failed statement leaves its connection usable, and nothing of itself", async () => {
  await database.sql.exec("truncate public.notes");
  await expect(call("select 1 / 0")).rejects.toMatchObject({ code: "22012" });
  await expect(
    call("insert into public.notes values ('x') returning 1 / 0", { isReadOnly: false }),
  ).rejects.toThrow();
  expect(await call("select 'well'")).toBe("well");
  expect(await notes()).toEqual([]);
});

test.each(["40001", "40P01"])("After %s a transaction is run again, up to four times", async (code) => {
  const attempt = async (last: number, work: Partial<Work> = {}) => {
    await database.sql.exec("select setval('public.tries', 1, false)");
    const response = await call(`select public.fail_until(${last}, '${work.timeout ? "P0001" : code}')`, {
      isReadOnly: false,
      ...work,
    }).catch((error: Error) => error.message);
    const [row] = await database.sql.query<{ last: number }>(
      "select last_value::int as last from public.tries",
    );
    return [response, row?.last];
  };
  expect(await attempt(4)).toEqual(["done", 4]);
  expect(await attempt(5)).toEqual(["not yet", 4]);
  // Any other error is final.
  expect(await attempt(2, { timeout: "5s" })).toEqual(["not yet", 1]);
});

test("A disconnected client costs no statement, and one that disconnects cancels its own", async () => {
  const aborted = AbortSignal.abort(new Error("gone"));
  await expect(write("never", { signal: aborted })).rejects.toThrow("gone");
  expect(await notes()).not.toContain("never");
  const leaving = new AbortController();
  const pending = call("select pg_sleep(60)::text", { caller: shop, signal: leaving.signal });
  pending.catch(() => {});
  const sleeping = () =>
    database.sql.query(
      "select from pg_stat_activity where query like 'select pg_sleep(60)%' and state = 'active' and datname = current_database()",
    );
  await eventually(async () => expect(await sleeping()).toHaveLength(1), { timeout: 20_000 });
  leaving.abort();
  await expect(pending).rejects.toMatchObject({ code: "57014" });
  expect(await call("select 'next'")).toBe("next");
  // A signal that fires after the answer cancels no one else's statement.
  const late = new AbortController();
  expect(await call("select 'first'", { signal: late.signal })).toBe("first");
  const others = call("select 'second' from pg_sleep(0.2)");
  late.abort();
  expect(await others).toBe("second");
});

test("A statement is prepared from its third use on, and rarely used ones make room", async () => {
  const own = openTransactions(database.connections, database.sql);
  const caller = shop;
  const run = async (text: string) =>
    (await own.run({ caller, statement: { text, values: [] }, isReadOnly: true }))[0]?.toString();
  const isReady = async (text: string) =>
    (await run(`select exists (select from pg_prepared_statements where statement = '${text}')::text`)) ===
    "true";
  try {
    for (const expected of [false, false, true, true]) {
      await run("select 42::text");
      expect(await isReady("select 42::text")).toBe(expected);
    }
    for (let n = 0; n < 210; n += 1) await run(`select ${n}::text as once`);
    for (let times = 0; times < 3; times += 1) await run("select 43::text");
    expect([await isReady("select 42::text"), await isReady("select 43::text")]).toEqual([true, true]);
  } finally {
    await own.close();
  }
});

test("There are twelve connections at most, each returned after its use", async () => {
  expect(transactions.metrics()).toEqual({ inUse: 0, most: 12 });
  const pending = Array.from({ length: 20 }, (_, n) => call(`select ${n}::text from pg_sleep(0.01)`));
  expect(await Promise.all(pending)).toEqual(Array.from({ length: 20 }, (_, n) => `${n}`));
  expect(transactions.metrics().inUse).toBe(0);
  const own = openTransactions(database.connections, database.sql);
  await own.close();
  await expect(
    own.run({ caller: visitor, statement: { text: "select 1", values: [] }, isReadOnly: true }),
  ).rejects.toMatchObject({ code: "CONNECTION_ENDED" });
});
