import { expect, test } from "vitest";
import { type Parts, statementOf, statementTail } from "#tests/support/statements.ts";

test.each<[address: string, parts: Parts, text: string, values: (string | null)[]]>([
  [
    "rpc/ping",
    {},
    "with a as (select coalesce((json_agg(f) -> 0)::text, 'null') as body, count(*) as rows, null::text as total from public.\"ping\"() as f)",
    [],
  ],
  [
    "rpc/ping",
    { method: "POST", body: "{}" },
    "with a as (select coalesce((json_agg(f) -> 0)::text, 'null') as body, count(*) as rows, null::text as total from public.\"ping\"() as f)",
    [],
  ],
  [
    "rpc/note",
    { method: "POST", body: "" },
    "with a as (select '' as body, count(f) as rows, null::text as total from public.\"note\"() as f)",
    [],
  ],
  [
    "rpc/ids",
    {},
    "with a as (select coalesce((coalesce(json_agg(f), '[]'))::text, 'null') as body, count(*) as rows, null::text as total from public.\"ids\"() as f)",
    [],
  ],
  [
    "rpc/ids",
    { method: "POST" },
    "with a as (select coalesce((coalesce(json_agg(f), '[]'))::text, 'null') as body, count(*) as rows, null::text as total from public.\"ids\"() as f)",
    [],
  ],
  [
    "rpc/find?_q=1",
    {},
    'with a as (select coalesce((json_agg(f) -> 0)::text, \'null\') as body, count(*) as rows, null::text as total from public."find"("_q" => ($1::text)::numeric) as f)',
    ["1"],
  ],
  [
    "rpc/find",
    { method: "POST", body: '{"_q":1,"_ids":["a","b\\"c"],"_facts":{"a":"b"}}' },
    'with a as (select coalesce((json_agg(f) -> 0)::text, \'null\') as body, count(*) as rows, null::text as total from public."find"("_q" => ($1::text)::numeric, "_ids" => ($2::text)::uuid[], "_facts" => ($3::text)::jsonb) as f)',
    ["1", '{"a","b\\"c"}', '{"a":"b"}'],
  ],
  [
    "rpc/find",
    { method: "POST", body: '{"_q":1,"_ids":[1,23]}' },
    'with a as (select coalesce((json_agg(f) -> 0)::text, \'null\') as body, count(*) as rows, null::text as total from public."find"("_q" => ($1::text)::numeric, "_ids" => ($2::text)::uuid[]) as f)',
    ["1", '{"1","23"}'],
  ],
  [
    "rpc/find",
    { method: "POST", body: '{"_q":null,"_facts":"x"}' },
    'with a as (select coalesce((json_agg(f) -> 0)::text, \'null\') as body, count(*) as rows, null::text as total from public."find"("_q" => ($1::text)::numeric, "_facts" => ($2::text)::jsonb) as f)',
    [null, '"x"'],
  ],
  [
    "rpc/find",
    { method: "POST", body: '{"_q":{"a":1},"_ids":"{a,1}","_facts":null}' },
    'with a as (select coalesce((json_agg(f) -> 0)::text, \'null\') as body, count(*) as rows, null::text as total from public."find"("_q" => ($1::text)::numeric, "_ids" => ($2::text)::uuid[], "_facts" => ($3::text)::jsonb) as f)',
    ['{"a":1}', "{a,1}", null],
  ],
  [
    'rpc/find?_q=1&_facts={"a":1}',
    {},
    'with a as (select coalesce((json_agg(f) -> 0)::text, \'null\') as body, count(*) as rows, null::text as total from public."find"("_q" => ($1::text)::numeric, "_facts" => ($2::text)::jsonb) as f)',
    ["1", '{"a":1}'],
  ],
  [
    "rpc/find",
    { method: "POST", body: '{"_q":true}' },
    'with a as (select coalesce((json_agg(f) -> 0)::text, \'null\') as body, count(*) as rows, null::text as total from public."find"("_q" => ($1::text)::numeric) as f)',
    ["true"],
  ],
  [
    "rpc/shelf?_q=a&title=eq.b&select=id&limit=2",
    { headers: { prefer: "count=exact" } },
    'with f as materialized (select * from public."shelf"("_q" => $1::text)), a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, (select count(*) from f as t0 where (t0."title" = $2::text))::text as total from (select t0."id" from f as t0 where (t0."title" = $2::text) limit 2) as r)',
    ["a", "b"],
  ],
  [
    "rpc/first",
    {},
    'with a as (select (json_agg(r) -> 0)::text as body, count(*) as rows, null::text as total from (select t0."id", t0."title" from public."first"() as t0 where true limit 1000) as r)',
    [],
  ],
  [
    "rpc/shelf",
    { headers: { accept: "application/vnd.pgrst.object+json" } },
    'with a as (select (json_agg(r) -> 0)::text as body, count(*) as rows, null::text as total from (select t0."id", t0."title" from public."shelf"() as t0 where true limit 1000) as r)',
    [],
  ],
  [
    "rpc/shelf?title=eq.b",
    { method: "POST", body: '{"_q":"a"}' },
    'with a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, null::text as total from (select t0."id", t0."title" from public."shelf"("_q" => $1::text) as t0 where (t0."title" = $2::text) limit 1000) as r)',
    ["a", "b"],
  ],
])("%s is called with one statement %j", (address, parts, text, values) => {
  const statement = statementOf(address, parts);
  expect([statement.text, statement.values]).toEqual([text + statementTail, values]);
});

test.each(['["a",1]', '["a",null]', '[["a"]]', '{"a":1}', '"a"', "1", "true"])(
  "%s is refused as a list without repeating it: PostgreSQL would write it into its log",
  (ids) => {
    const call = () => statementOf("rpc/find", { method: "POST", body: `{"_q":1,"_ids":${ids}}` });
    expect(call).toThrow(expect.objectContaining({ code: "22P02", message: "malformed array literal" }));
  },
);
