import { afterAll, beforeAll, expect, test } from "vitest";
import { readSchema } from "#server/api/data/schema.ts";
import { openSql } from "#tests/support/test-server.ts";

/* What the data API learns of a database of its own; what it may not name is there too. */

let database: Awaited<ReturnType<typeof openSql>>;
beforeAll(async () => {
  database = await openSql("prepared");
  await database.sql.exec(`
    create schema private;
    create table public.shelves (id uuid primary key, "Room" text not null, gone int, size numeric(10,2) unique);
    alter table public.shelves drop column gone;
    create table public.books (
      id uuid primary key, shelf uuid constraint books_shelf references public.shelves (id),
      only_copy uuid unique constraint books_only_copy references public.shelves (id),
      partly uuid constraint books_partly references public.shelves (id));
    create unique index on public.books (partly) where partly is not null;
    create unique index on public.books (shelf, id);
    create table public.lines (second int, first int, book uuid, primary key (first, second),
      constraint pair unique (book, first));
    create table public.pairs (book uuid, first int, constraint both_columns foreign key (book, first) references public.lines (book, first));
    create table private.hidden (id int primary key, book uuid constraint from_private references public.books (id));
    create table public.to_private (id int constraint out_of_public references private.hidden (id));
    create view public.rooms as select "Room" from public.shelves;
    create index shelves_room on public.shelves ("Room");
    grant update ("Room") on public.shelves to authenticated;
    grant update on public.books to anon, service_role;
    grant select on public.lines to anon;

    create function public.nothing() returns void language sql as 'select';
    create function public.one(given int, other text default 'x', last text default null) returns numeric language sql stable as 'select 1.0';
    create function public.one(given text) returns text language sql immutable as 'select given';
    create function public.unnamed(int) returns int[] language sql as 'select array[1]';
    create function public.shelf() returns public.shelves language sql as 'select * from public.shelves limit 1';
    create function public.shelves_of(_room text) returns setof public.shelves language sql as 'select * from public.shelves';
    create function public.names() returns setof text language sql as 'select 1::text';
    create function public.counted(a int, out total int, out title text) language sql as 'select 1, ''x''::text';
    create function public.changed(inout n int, out title text) language sql as 'select 1, ''x''::text';
    create function public.numbers() returns table (n int) language sql as 'select 1';
    create function public.both_ways(inout n int) language sql as 'select 1';
    create function public.listed(a int) returns table (n bigint, title text) language sql
      set search_path = '' set statement_timeout = '20s' as 'select 1::bigint, ''x''::text';
    create function public.many(variadic words text[]) returns text language sql as 'select 1::text';
    create function public.on_change() returns trigger language plpgsql as 'begin return new; end';
    create procedure public.done() language sql as 'select 1';
    create function private.secret() returns int language sql as 'select 1';
    create type private.point as (x int, y int);
    create function public.near(_point private.point) returns int language sql as 'select 1';
    create function public.point() returns private.point language sql as 'select 1, 2';`);
});
afterAll(() => database?.close());

test("Tables and views of the schema public are known, with their columns in order and their keys", async () => {
  const schema = await readSchema(database.sql);
  const columnsOf = (name: string) =>
    [...(schema.tables.get(name)?.columns ?? [])].map(([key, column]) => [key, column.name, column.type]);
  expect([...schema.tables.keys()].sort()).toEqual([
    "books",
    "lines",
    "pairs",
    "rooms",
    "shelves",
    "to_private",
  ]);
  expect([...schema.tables.values()].every(({ name }) => schema.tables.get(name)?.name === name)).toBe(true);
  expect(columnsOf("shelves")).toEqual([
    ["id", "id", "uuid"],
    ["Room", "Room", "text"],
    ["size", "size", "numeric(10,2)"],
  ]);
  expect(columnsOf("rooms")).toEqual([["Room", "Room", "text"]]);
  const keys = [...schema.tables].map(([name, { key }]) => [name, key]);
  expect(Object.fromEntries(keys)).toEqual({
    books: ["id"],
    lines: ["first", "second"],
    pairs: [],
    rooms: [],
    shelves: ["id"],
    to_private: [],
  });
});

test("Roles may lock the rows of which they may change at least one column", async () => {
  const schema = await readSchema(database.sql);
  const lockable = (name: string) => [...(schema.tables.get(name)?.lockableBy ?? [])].sort();
  expect(lockable("shelves")).toEqual(["authenticated"]);
  expect(lockable("books")).toEqual(["anon", "service_role"]);
  expect(lockable("lines")).toEqual([]);
});

test("A foreign key of one column leads both ways; back to one row only where its column is unique", async () => {
  const schema = await readSchema(database.sql);
  const relations = (name: string) =>
    (schema.tables.get(name)?.relations ?? []).toSorted((a, b) => a.constraint.localeCompare(b.constraint));
  const there = { to: "shelves", otherColumn: "id", isList: false };
  expect(relations("books")).toEqual([
    { ...there, constraint: "books_only_copy", ownColumn: "only_copy" },
    { ...there, constraint: "books_partly", ownColumn: "partly" },
    { ...there, constraint: "books_shelf", ownColumn: "shelf" },
  ]);
  const back = { to: "books", ownColumn: "id" };
  expect(relations("shelves")).toEqual([
    { ...back, constraint: "books_only_copy", otherColumn: "only_copy", isList: false },
    { ...back, constraint: "books_partly", otherColumn: "partly", isList: true },
    { ...back, constraint: "books_shelf", otherColumn: "shelf", isList: true },
  ]);
  for (const name of ["pairs", "lines", "rooms", "to_private"]) expect(relations(name)).toEqual([]);
});

test("Functions are known by what they take and return; triggers, procedures and other schemas are not", async () => {
  const schema = await readSchema(database.sql);
  const plain = {
    args: [],
    returnsSet: false,
    returns: "scalar",
    columns: new Map(),
    isReadOnly: false,
    relations: [],
    timeout: null,
  };
  const arg = (name: string, type: string, isRequired = true, isComposite = false) => ({
    name,
    type,
    isComposite,
    isRequired,
  });
  const column = (name: string, type: string): [string, object] => [
    name,
    expect.objectContaining({ name, type }),
  ];
  const { columns, relations } = schema.tables.get("shelves") ?? { columns: null, relations: null };
  const ofShelves = { returns: "rows", columns, relations };
  const of = (name: string, others: object) => [name, [{ ...plain, name, ...others }]];
  const { one = [], ...others } = Object.fromEntries(schema.functions);
  expect(others).toEqual(
    Object.fromEntries([
      of("nothing", { returns: "nothing" }),
      of("unnamed", { args: [arg("", "integer")] }),
      of("shelf", ofShelves),
      of("shelves_of", { ...ofShelves, args: [arg("_room", "text")], returnsSet: true }),
      of("names", { returnsSet: true }),
      of("counted", {
        args: [arg("a", "integer")],
        returns: "rows",
        columns: new Map([column("total", "integer"), column("title", "text")]),
      }),
      of("changed", {
        args: [arg("n", "integer")],
        returns: "rows",
        columns: new Map([column("n", "integer"), column("title", "text")]),
      }),
      of("numbers", { returnsSet: true, returns: "rows", columns: new Map([column("n", "integer")]) }),
      of("both_ways", { args: [arg("n", "integer")] }),
      of("listed", {
        args: [arg("a", "integer")],
        returnsSet: true,
        returns: "rows",
        timeout: "20s",
        columns: new Map([column("n", "bigint"), column("title", "text")]),
      }),
      of("many", { args: [arg("words", "text[]")] }),
      of("near", { args: [arg("_point", "private.point", true, true)] }),
      of("point", { returns: "rows" }),
    ]),
  );
  expect(one.toSorted((a, b) => a.args.length - b.args.length)).toEqual([
    { ...plain, name: "one", args: [arg("given", "text")], isReadOnly: true },
    {
      ...plain,
      name: "one",
      isReadOnly: true,
      args: [arg("given", "integer"), arg("other", "text", false), arg("last", "text", false)],
    },
  ]);
});
