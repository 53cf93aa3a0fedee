import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OwnApi, openOwnApi, unhurried } from "#tests/support/own-api.ts";

/* Every function that a visitor or a customer may call, with the worst arguments that fit into a request, over many books. */

const BOOKS = 10_007;
/** The shop takes no larger bodies, but for covers. */
const BODY_BYTES = 128 * 1024;
/** A visitor's statement is ended after three seconds; what needs nearly as much of the processor is too slow. */
const SLOWEST_MS = 2_500;

/** An attribute of a composite argument is named after both: "_search.q". */
type Argument = { name: string; type: string; required: boolean };
type Callable = { name: string; args: Argument[]; anon: boolean };

let api: OwnApi;
let callables: Callable[] = [];
let customer = "";
let admin = "";

beforeAll(async () => {
  api = await openOwnApi("", unhurried);
  await api.fillShelf(BOOKS, 60);
  // Opens the connection that all requests use, one after the other.
  await api.ask("/rest/v1/books?limit=1");
  await api.sql.exec(`
    insert into public.events (slug, title, kind, place, starts_at, ends_at, places, state, published_at)
    values ('a-long-day', 'A long day', 'training', 'Osu', now() + interval '1 day', now() + interval '2 days', 9, 'published', now())`);
  customer = await api.newPerson();
  admin = await api.newPerson("admin");
  callables = await api.sql.query<Callable>(`
    select p.proname as name, has_function_privilege('anon', p.oid, 'execute') as anon,
           coalesce((select json_agg(json_build_object('name', p.proargnames[n] || coalesce('.' || a.attname, ''),
              'type', coalesce(a.atttypid, p.proargtypes[n - 1])::regtype,
              'required', n <= p.pronargs - p.pronargdefaults) order by n, a.attnum)
              from generate_series(1, p.pronargs) as n
              left join pg_type t on t.oid = p.proargtypes[n - 1] and t.typtype = 'c'
              left join pg_attribute a on a.attrelid = t.typrelid and a.attnum > 0), '[]') as args
      from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
       and has_function_privilege('authenticated', p.oid, 'execute')
     order by 1`);
});
afterAll(() => api?.close());

const filled = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** Ways to make much of a little: each is a text for every text argument, and a number for every number. */
const ways = [
  { name: "letters that are everywhere", text: "a ", number: 1_000 },
  { name: "what every book holds", text: "plants", number: 1_000, once: true },
  { name: "signs of patterns", text: "%_\\", number: 2_147_483_647 },
  { name: "an ISBN without end", text: "978-0-", number: -2_147_483_648 },
  { name: "letters of many forms", text: "İßﬃ\u0301", number: 0 },
  { name: "words without letters", text: "+ ", number: 1 },
  { name: "words that no book has", text: "boook 书 ", number: 2 },
];

function worstValue(type: string, way: (typeof ways)[number], bytes: number): unknown {
  const text = way.once
    ? way.text
    : filled(way.text, Math.floor(bytes / Buffer.byteLength(way.text)) * way.text.length);
  if (type === "uuid") return customer;
  if (type === "uuid[]") return Array.from({ length: Math.floor(bytes / 39) }, () => randomUUID());
  if (type === "numeric[]") return Array.from({ length: Math.floor(bytes / 10) }, (_, n) => n * way.number);
  if (type.endsWith("[]")) return Array.from({ length: Math.floor(bytes / 10) }, () => way.text);
  // As many lines as one call may match, each as long as fits.
  if (type === "jsonb" && way.name === "letters that are everywhere")
    return Array.from({ length: 500 }, () => filled(way.text, Math.floor(bytes / 500) - 3));
  if (type === "jsonb")
    return way.once
      ? Array.from({ length: Math.floor(bytes / 30) }, (_, line) => ({ line, title: way.text }))
      : JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`);
  if (type === "numeric") return way.number * 1e200;
  if (type === "integer" || type === "bigint") return way.number;
  if (type === "boolean") return true;
  if (type.startsWith("timestamp")) return "294276-12-31T23:59:59Z";
  return text;
}

/** Functions that store a form refuse anything longer, so each field gets its maximum. */
const forms: Record<string, object> = {
  subscribe_to_events: { _email: `${"c".repeat(60)}@school.example` },
  register_for_event: {
    _id: randomUUID(),
    _slug: "a-long-day",
    _name: "İßﬃ ".repeat(40),
    _email: `${"a".repeat(60)}@school.example`,
  },
  request_consultation: {
    _id: randomUUID(),
    _name: "İßﬃ ".repeat(40),
    _about: "a ".repeat(400),
    _email: `${"b".repeat(60)}@school.example`,
  },
};

/** All arguments, and only the search with its paging; each together as long as a request may be. */
function worstBodies({ args }: Callable, way: (typeof ways)[number]): object[] {
  const search = args.filter(
    ({ name, type, required }) =>
      (required && !name.includes(".")) || /^_q$|\.q$/.test(name) || type === "integer",
  );
  return [args, search].map((chosen) => {
    const each = Math.floor((BODY_BYTES * 0.9) / Math.max(1, chosen.length));
    const body: Record<string, unknown> = {};
    for (const { name, type } of chosen) {
      const [argument = "", attribute] = name.split(".");
      const value = worstValue(type, way, each);
      body[argument] = attribute ? { ...(body[argument] as object), [attribute]: value } : value;
    }
    return body;
  });
}

/** The processes of the API's connections to the database. */
const connections = () =>
  api.sql.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and application_name = 'shop api'",
  );

/** The processor time that a process has used, in ms; 0 where the system does not say so. */
const usedMs = (pid: number) =>
  readFile(`/proc/${pid}/schedstat`, "utf8").then(
    (text) => Number(text.split(" ")[0]) / 1e6,
    () => 0,
  );

/** The processor time of a request in the database, in ms, which does not depend on what else the machine does. */
async function processorMs(pids: number[], work: () => Promise<unknown>): Promise<number> {
  const before = await Promise.all(pids.map(usedMs));
  await work();
  const after = await Promise.all(pids.map(usedMs));
  return after.reduce((sum, ms, n) => sum + ms - (before[n] ?? 0), 0);
}

/** All are answered; how much of the processor the slowest used. */
async function slowestOf({ name, ...callable }: Callable, as: string | undefined) {
  let slowest = { ms: 0, way: "" };
  const pids = (await connections()).map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThan(0);
  const statuses = new Set<number>();
  const form = forms[name];
  for (const way of ways)
    for (const body of [...worstBodies({ name, ...callable }, way), ...(form ? [form] : [])]) {
      let status = 0;
      const ms = await processorMs(pids, async () => {
        const answer = await api.ask(`/rest/v1/rpc/${name}`, { as, body });
        await answer.arrayBuffer();
        status = answer.status;
      });
      statuses.add(status === 204 ? 200 : status);
      expect({ name, way, status }).toEqual({
        name,
        way,
        status: expect.toSatisfy((found: number) => found < 500),
      });
      if (ms > slowest.ms) slowest = { ms, way: way.name };
    }
  // What is refused only for its arguments has not been tried.
  if (callable.anon) expect([name, statuses.has(200)]).toEqual([name, true]);
  return slowest;
}

test("No function holds a connection for long, whatever a visitor, a customer or an admin passes to it", async () => {
  expect(callables.length).toBeGreaterThan(30);
  expect(callables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["catalogue_page", "near_books", "suggest_books"]),
  );
  for (const callable of callables)
    for (const as of callable.anon ? [undefined] : [customer, admin]) {
      const { ms, way } = await slowestOf(callable, as);
      expect(ms, `${callable.name}, ${way}`).toBeLessThan(SLOWEST_MS);
    }
}, 240_000);
