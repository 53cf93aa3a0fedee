import { expect, test } from "vitest";
import { type Parts, statementOf, statementTail } from "#tests/support/statements.ts";

test.each<[address: string, parts: Parts, text: string, values: (string | null)[]]>([
  [
    "books",
    {},
    'with a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, null::text as total from (select t0."id", t0."title", t0."price", t0."hidden" from public."books" as t0 where true limit 1000) as r)',
    [],
  ],
  [
    "books?select=id,name:title&order=title.desc.nullslast,id.asc,price.nullsfirst&limit=5&offset=10",
    {},
    'with a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, null::text as total from (select t0."id", t0."title" as "name" from public."books" as t0 where true order by t0."title" desc nulls last, t0."id", t0."price" nulls first limit 5 offset 10) as r)',
    [],
  ],
  [
    "books?limit=5000",
    {},
    'with a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, null::text as total from (select t0."id", t0."title", t0."price", t0."hidden" from public."books" as t0 where true limit 1000) as r)',
    [],
  ],
  [
    'books?title=eq.a&price=not.gte.5&id=in.(1,"a\\"b")&hidden=is.true&hidden=not.is.not_null&title=ilike.*x*',
    {},
    'with a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, null::text as total from (select t0."id", t0."title", t0."price", t0."hidden" from public."books" as t0 where (t0."title" = $1::text) and not (t0."price" >= ($2::text)::numeric) and (t0."id" = any (($3::text)::uuid[])) and (t0."hidden" is true) and (t0."hidden" is null) and (t0."title" ilike $4::text) limit 1000) as r)',
    ["a", "5", '{"1","a\\"b"}', "%x%"],
  ],
  [
    "books?or=(price.eq.1,not.and(title.like.a*,price.not.in.()))&not.or=(id.eq.1,price.lt.2)&and=(price.neq.3,price.lte.4)&not.and=(price.gt.1)",
    {},
    'with a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, null::text as total from (select t0."id", t0."title", t0."price", t0."hidden" from public."books" as t0 where ((t0."price" = ($1::text)::numeric) or not ((t0."title" like $2::text) and not (t0."price" = any (($3::text)::numeric[])))) and not ((t0."id" = ($4::text)::uuid) or (t0."price" < ($5::text)::numeric)) and ((t0."price" <> ($6::text)::numeric) and (t0."price" <= ($7::text)::numeric)) and not ((t0."price" > ($8::text)::numeric)) limit 1000) as r)',
    ["1", "a%", "{}", "1", "2", "3", "4", "1"],
  ],
  [
    "books?select=*,parts:lines(id)",
    {},
    'with a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, null::text as total from (select t0."id", t0."title", t0."price", t0."hidden", e0_4.j as "parts" from public."books" as t0 left join lateral (select coalesce(json_agg(r), \'[]\') as j from (select t1."id" from public."lines" as t1 where t1."book_id" = t0."id" limit 1000) as r) as e0_4 on true where true limit 1000) as r)',
    [],
  ],
  [
    "lines?select=id,books!lines_book(id,title),gift:books!gift_id(title)",
    {},
    'with a as (select coalesce(json_agg(r), \'[]\')::text as body, count(*) as rows, null::text as total from (select t0."id", e0_1.j as "books", e0_2.j as "gift" from public."lines" as t0 left join lateral (select row_to_json(r) as j from (select t1."id", t1."title" from public."books" as t1 where t1."id" = t0."book_id" limit 1000) as r) as e0_1 on true left join lateral (select row_to_json(r) as j from (select t1."title" from public."books" as t1 where t1."id" = t0."gift_id" limit 1000) as r) as e0_2 on true where true limit 1000) as r)',
    [],
  ],
  [
    "books",
    { method: "HEAD", headers: { prefer: "count=exact" } },
    'with a as (select \'\' as body, count(*) as rows, (select count(*) from public."books" as t0 where true)::text as total from (select 1 from public."books" as t0 where true limit 1000) as r)',
    [],
  ],
  [
    "books?id=eq.1",
    { headers: { accept: "application/vnd.pgrst.object+json", prefer: "count=exact" } },
    'with a as (select (json_agg(r) -> 0)::text as body, count(*) as rows, (select count(*) from public."books" as t0 where (t0."id" = ($1::text)::uuid))::text as total from (select t0."id", t0."title", t0."price", t0."hidden" from public."books" as t0 where (t0."id" = ($1::text)::uuid) limit 1000) as r)',
    ["1"],
  ],
])("%s is read with one statement %j", (address, parts, text, values) => {
  const statement = statementOf(address, parts);
  expect([statement.text, statement.values]).toEqual([text + statementTail, values]);
});
