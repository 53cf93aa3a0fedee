import { expect, it, onTestFinished } from "vitest";
import { type Catalogue, compareCatalogues, readCatalogue } from "#tests/support/catalogue.ts";
import { type Database, openDatabase } from "#tests/support/database.ts";
import { findSchemaDifferences } from "#tests/support/schema-differences.ts";
import { undoing } from "#tests/support/undoing.ts";

it("the migrations create what supabase/schema does", async () => {
  expect(await findSchemaDifferences()).toEqual([]);
});

const released = `
  create schema private;
  create extension pg_trgm with schema extensions;
  create type public.search as (q text);
  create domain public.isbn as text check (value ~ '^[0-9]+$');
  create type public.state as enum ('draft', 'sent');
  create table public.books (
    id int primary key, title text not null, subtitle text, publisher text not null, course text
  );
  create table private.kinds (name text primary key, created_at timestamptz not null default now());
  insert into private.kinds (name) values ('order');
  alter table public.books enable row level security;
  create index books_by_title on public.books (title);
  create view public.titles as select title from public.books;
  create sequence public.numbers;
  create function public.count_books() returns bigint language sql stable set search_path = '' as
    'select count(*) from public.books';
  create function public.count_titles() returns bigint language sql stable as 'select count(title) from public.books';
  create function private.refuse() returns trigger language plpgsql as 'begin return null; end';
  create policy "visitors read books" on public.books for select to anon using (true);
  create trigger refuse before delete on public.books for each row execute function private.refuse();
  grant select on public.books to anon;`;

type Change = {
  /** The line of the catalogue that only this change alters. */
  line: string;
  /** The later migration. */
  migration: string;
  /** The same in the schema: replaces a text, or is added at the end. */
  schema: [from: string, to: string] | string;
};

const also = (statement: string) => ({ migration: statement, schema: `${statement};` });

const changes: Change[] = [
  {
    line: "column books.price",
    migration: "alter table public.books add column price numeric default 0",
    schema: ["id int primary key,", "id int primary key, price numeric default 0,"],
  },
  {
    line: "column books.subtitle",
    migration: "alter table public.books alter column subtitle set default 'None'",
    schema: ["subtitle text", "subtitle text default 'None'"],
  },
  {
    line: "column books.publisher",
    migration: "alter table public.books alter column publisher drop not null",
    schema: ["publisher text not null", "publisher text"],
  },
  {
    line: "column books.course",
    ...also("grant update (course) on public.books to authenticated"),
  },
  {
    line: "constraint titles_differ on books",
    migration: "alter table public.books add constraint titles_differ unique (title)",
    schema: ["title text not null,", "title text not null constraint titles_differ unique,"],
  },
  {
    line: "index books_by_title",
    migration: "drop index public.books_by_title; create index books_by_title on public.books (lower(title))",
    schema: ["public.books (title);", "public.books (lower(title));"],
  },
  {
    line: "function private.refuse()",
    migration:
      "create or replace function private.refuse() returns trigger language plpgsql as 'begin return old; end'",
    schema: ["return null", "return old"],
  },
  {
    line: "function count_books()",
    migration: "alter function public.count_books() set statement_timeout = '1s'",
    schema: ["set search_path = ''", "set search_path = '' set statement_timeout = '1s'"],
  },
  {
    line: "function count_titles()",
    ...also("revoke execute on function public.count_titles() from public"),
  },
  {
    line: 'policy "visitors read books" on books',
    migration: `alter policy "visitors read books" on public.books using (id > 0)`,
    schema: ["using (true)", "using (id > 0)"],
  },
  { line: "relation private.kinds", ...also("alter table private.kinds enable row level security") },
  {
    line: "relation books",
    migration: "revoke select on public.books from anon",
    schema: ["grant select on public.books to anon;", ""],
  },
  {
    line: "trigger refuse on books",
    migration:
      "create or replace trigger refuse before delete or update on public.books for each row execute function private.refuse()",
    schema: ["before delete on", "before update or delete on"],
  },
  {
    line: "relation titles",
    migration: "create or replace view public.titles as select title from public.books where id > 0",
    schema: ["select title from public.books;", "select title from public.books where id > 0;"],
  },
  {
    line: "sequence numbers",
    migration: "alter sequence public.numbers increment by 2",
    schema: ["sequence public.numbers", "sequence public.numbers increment by 2"],
  },
  {
    line: "column search.page",
    migration: "alter type public.search add attribute page int",
    schema: ["(q text)", "(page int, q text)"],
  },
  {
    line: "type state",
    migration: "alter type public.state add value 'accepted'",
    schema: ["'sent')", "'sent', 'accepted')"],
  },
  {
    line: "type isbn",
    migration: "alter domain public.isbn set default '0'",
    schema: ["as text check", "as text default '0' check"],
  },
  { line: "extension unaccent", ...also("create extension unaccent with schema extensions") },
  { line: "schema private", ...also("grant usage on schema private to anon") },
  {
    line: "in private on r",
    ...also("alter default privileges in schema private grant select on tables to anon"),
  },
  {
    line: "comment on table public.books",
    ...also("comment on table public.books is 'What the shop sells'"),
  },
  {
    line: 'row of private.kinds: {"name": "quote"}',
    migration: "insert into private.kinds (name) values ('quote')",
    schema: ["values ('order')", "values ('quote'), ('order')"],
  },
];

/** The schema as its files say after all changes. */
const stated = changes.reduce(
  (text, { schema }) => (typeof schema === "string" ? `${text}\n${schema}` : text.replace(...schema)),
  released,
);

/** The catalogue after these statements, which are then undone. */
const catalogueOf = (database: Database, ...statements: string[]): Promise<Catalogue> =>
  undoing(database.transaction, async (query) => {
    for (const text of statements) await query(`do $do$ begin execute $text$ ${text} $text$; end $do$`);
    return readCatalogue(query);
  });

it("a migration and the schema are compared by what they create, so that only a change of both passes", async () => {
  const database = await openDatabase({ migrate: false });
  onTestFinished(() => database.close());
  const before = await catalogueOf(database, released);
  const migrated = await catalogueOf(database, released, ...changes.map(({ migration }) => migration));
  const described = await catalogueOf(database, stated);
  expect(compareCatalogues(migrated, described)).toEqual([]);

  const migrationAlone = compareCatalogues(migrated, before);
  const schemaAlone = compareCatalogues(before, described);
  const undetected = (differences: string[]) =>
    changes.map(({ line }) => line).filter((line) => !differences.some((one) => one.includes(line)));
  expect(undetected(migrationAlone)).toEqual([]);
  expect(undetected(schemaAlone)).toEqual([]);
  expect(migrationAlone).toContain("only in supabase/migrations: column books.price");
  expect(schemaAlone).toContain("only in supabase/schema: column books.price");
  const body = migrationAlone.find((one) => one.startsWith("function private.refuse()"));
  expect(body).toContain("begin return old");
  expect(body).toContain("begin return null");
});
