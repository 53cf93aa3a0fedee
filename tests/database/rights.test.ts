import { expect, test } from "vitest";
import { describeOnEachEngine } from "#tests/support/engines.ts";

/** What stands for every table and function at once; the single rights are in tests/rights/matrix.ts. */
describeOnEachEngine("Rights in general", (open) => {
  const names = async (sql: string) => (await open().query<{ name: string }>(sql)).map(({ name }) => name);

  test("every table in public has row level security and at least one policy", async () => {
    const bare = await names(
      `select c.relname as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and (not c.relrowsecurity or not exists (select from pg_policy p where p.polrelid = c.oid))`,
    );
    expect(bare).toEqual([]);
  });

  test("every policy is for a named role and asks a question, except that everybody reads books", async () => {
    const open_ended = await names(
      `select polname as name from pg_policy p join pg_class c on c.oid = p.polrelid
       where c.relnamespace = 'public'::regnamespace
         and (0 = any (polroles) or 'true' in (pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)))`,
    );
    expect(open_ended).toEqual(["everybody reads books"]);
  });

  test("no function of ours can be executed by public", async () => {
    const loose = await names(
      `select p.oid::regprocedure::text as name from pg_proc p
       where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
         and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)`,
    );
    expect(loose).toEqual([]);
  });

  test("every function has an empty search_path", async () => {
    const loose = await names(
      `select p.oid::regprocedure::text as name from pg_proc p
       where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
         and not coalesce(p.proconfig @> array['search_path=""'], false)`,
    );
    expect(loose).toEqual([]);
  });

  test("no function in public runs as its owner, and in private visitors run two of that kind", async () => {
    expect(
      await names(
        "select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef",
      ),
    ).toEqual([]);
    expect(
      await names(
        `select proname as name from pg_proc where pronamespace = 'private'::regnamespace and prosecdef
           and has_function_privilege('anon', oid, 'execute') order by 1`,
      ),
    ).toEqual(["applied_migrations", "is_admin"]);
  });

  test("every function that runs as its owner, and that customers may call, asks for staff first", async () => {
    const unguarded = await names(
      `select proname as name from pg_proc where pronamespace = 'private'::regnamespace and prosecdef
         and has_function_privilege('authenticated', oid, 'execute')
         and prosrc !~ '^\\s*(declare[^$]*?)?begin\\s+perform private\\.(require_staff\\(\\)|require_book_import\\(_import_id\\));' order by 1`,
    );
    // These tell everybody about himself alone, or what is no secret.
    expect(unguarded).toEqual(["admits_cover", "applied_migrations", "is_admin"]);
  });

  test("every foreign key has an index that begins with its columns", async () => {
    const bare = await names(
      `select conrelid::regclass || ' ' || conname as name from pg_constraint k
       where contype = 'f' and connamespace = 'public'::regnamespace
         and not exists (
           select from pg_index i where i.indrelid = k.conrelid
             and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] operator(pg_catalog.@>) k.conkey)`,
    );
    expect(bare).toEqual([]);
  });
});
