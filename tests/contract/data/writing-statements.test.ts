import { expect, test } from "vitest";
import { type Parts, statementOf, statementTail } from "#tests/support/statements.ts";

test.each<[address: string, parts: Parts, text: string, values: (string | null)[]]>([
  [
    "books",
    { method: "POST", body: '{"title":"A","price":1}' },
    'with r as (insert into public."books" as t0 ("title", "price") select "title", "price" from json_to_recordset(($1::text)::json) as b ("title" text, "price" numeric) returning 1), a as (select \'\' as body, count(*) as rows, null::text as total from r)',
    ['[{"title":"A","price":1}]'],
  ],
  [
    "books?select=id",
    { method: "POST", body: '[{"title":"A"},{"title":"B"}]', headers: { prefer: "return=representation" } },
    'with r as (insert into public."books" as t0 ("title") select "title" from json_to_recordset(($1::text)::json) as b ("title" text) returning t0."id"), a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, null::text as total from r)',
    ['[{"title":"A"},{"title":"B"}]'],
  ],
  [
    "books?columns=title",
    { method: "POST", body: '[{"title":"A","x":1},{"price":1}]' },
    'with r as (insert into public."books" as t0 ("title") select "title" from json_to_recordset(($1::text)::json) as b ("title" text) returning 1), a as (select \'\' as body, count(*) as rows, null::text as total from r)',
    ['[{"title":"A","x":1},{"price":1}]'],
  ],
  [
    "books",
    { method: "POST", body: "{}" },
    "with r as (insert into public.\"books\" as t0 default values returning 1), a as (select '' as body, count(*) as rows, null::text as total from r)",
    [],
  ],
  [
    "books",
    { method: "POST", body: "[]" },
    "with r as (select where false), a as (select '' as body, count(*) as rows, null::text as total from r)",
    [],
  ],
  [
    "books?id=eq.1",
    {
      method: "PATCH",
      body: '{"title":"A","price":null}',
      headers: { accept: "application/vnd.pgrst.object+json", prefer: "return=representation" },
    },
    'with r as (update public."books" as t0 set "title" = b."title", "price" = b."price" from json_to_record(($2::text)::json) as b ("title" text, "price" numeric) where (t0."id" = ($1::text)::uuid) returning t0."id", t0."title", t0."price", t0."hidden"), a as (select (json_agg(r) -> 0)::text as body, count(*) as rows, null::text as total from r)',
    ["1", '{"title":"A","price":null}'],
  ],
  [
    "books?price=gt.1",
    { method: "PATCH", body: '{"title":"A"}' },
    'with r as (update public."books" as t0 set "title" = b."title" from json_to_record(($2::text)::json) as b ("title" text) where (t0."id") in (select t0."id" from public."books" as t0 where (t0."price" > ($1::text)::numeric) order by t0."id" for no key update) returning 1), a as (select \'\' as body, count(*) as rows, null::text as total from r)',
    ["1", '{"title":"A"}'],
  ],
  [
    "books?price=gt.1&columns=title",
    { method: "PATCH", body: '{"title":"A","price":2}' },
    'with r as (update public."books" as t0 set "title" = b."title" from json_to_record(($2::text)::json) as b ("title" text) where (t0."id") in (select t0."id" from public."books" as t0 where (t0."price" > ($1::text)::numeric) order by t0."id" for no key update) returning 1), a as (select \'\' as body, count(*) as rows, null::text as total from r)',
    ["1", '{"title":"A","price":2}'],
  ],
  [
    "books?price=gt.1",
    { method: "PATCH", body: "{}" },
    "with r as (select where false), a as (select '' as body, count(*) as rows, null::text as total from r)",
    ["1"],
  ],
  [
    "books?id=eq.1",
    { method: "DELETE" },
    'with r as (delete from public."books" as t0 where (t0."id" = ($1::text)::uuid) returning 1), a as (select \'\' as body, count(*) as rows, null::text as total from r)',
    ["1"],
  ],
  [
    "books?price=gt.1",
    { method: "DELETE", headers: { prefer: "return=representation" } },
    'with r as (delete from public."books" as t0 where (t0."id") in (select t0."id" from public."books" as t0 where (t0."price" > ($1::text)::numeric) order by t0."id" for update) returning t0."id", t0."title", t0."price", t0."hidden"), a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, null::text as total from r)',
    ["1"],
  ],
  [
    "books?id=not.eq.1",
    { method: "DELETE" },
    'with r as (delete from public."books" as t0 where (t0."id") in (select t0."id" from public."books" as t0 where not (t0."id" = ($1::text)::uuid) order by t0."id" for update) returning 1), a as (select \'\' as body, count(*) as rows, null::text as total from r)',
    ["1"],
  ],
  [
    "books?id=gt.1",
    { method: "DELETE" },
    'with r as (delete from public."books" as t0 where (t0."id") in (select t0."id" from public."books" as t0 where (t0."id" > ($1::text)::uuid) order by t0."id" for update) returning 1), a as (select \'\' as body, count(*) as rows, null::text as total from r)',
    ["1"],
  ],
])("%s is written with one statement %j", (address, parts, text, values) => {
  const statement = statementOf(address, parts);
  expect([statement.text, statement.values]).toEqual([text + statementTail, values]);
});
