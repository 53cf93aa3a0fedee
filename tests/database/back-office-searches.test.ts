import { beforeAll, expect, test } from "vitest";
import { addStaff } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";

/** What EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) says of how much was read. */
type Explained = { "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }] };

describeOnOwnServerToo(
  "The back office's searches with 20,000 reviews and 40,000 rows of activity",
  (open) => {
    let admin: SignedIn;
    beforeAll(async () => {
      admin = await addStaff(open(), "admin");
      await open().run(`
      set session_replication_role = replica;
      insert into auth.users (id, email) select gen_random_uuid(), 'reader' || n || '@school.example' from generate_series(1, 2000) as n;
      insert into public.profiles (id, full_name, email)
      select id, 'Reader ' || md5(email), email from auth.users where email like 'reader%';
      insert into public.books (title, isbn, price) select 'Book ' || md5(n::text), n, 45 from generate_series(1, 2000) as n;
      insert into public.reviews (book_id, user_id, rating, review_text)
      select b.id, p.id, 4, repeat('We read it in a term. ', 20) || 'Note ' || md5(b.id::text || p.id)
        from public.books b join (select id, row_number() over (order by id) as n from public.profiles where email like 'reader%') as p
          on p.n % 200 = b.isbn::int % 200;
      insert into public.audit_log (actor, table_name, row_id, action, before, after)
      select user_id, 'reviews', id::text, 'update', to_jsonb(r), to_jsonb(r) from public.reviews r;
      -- One person wrote half of it.
      insert into public.audit_log (actor, table_name, row_id, action, before, after)
      select '${admin.id}', 'orders', gen_random_uuid()::text, 'update', '{}', jsonb_build_object('number', n)
        from generate_series(1, 20000) as n;
      reset session_replication_role;`);
      for (const table of ["profiles", "books", "reviews", "audit_log"])
        await open().query(`vacuum analyze public.${table}`);
    }, 120_000);

    /** What of a reader, a book, a review and an order can be searched for. */
    async function texts(): Promise<Record<string, string>> {
      const [row] = await open().query<Record<string, string>>(
        `select 'Reader ' || md5('reader7@school.example') as name, 'reader8@school.example' as email, 'Book ' || md5('3') as title,
              (select substring(review_text from 'Note .*') from public.reviews order by id limit 1) as text, '#4242' as number,
              (select row_id from public.audit_log where table_name = 'reviews' order by id limit 1) as row_id, 'nobody wrote this' as absent`,
      );
      return row ?? {};
    }

    test.for([
      ["admin_list_audit", "audit_log", ["name", "email", "number", "row_id", "absent"]],
      ["admin_count_audit", "audit_log", ["name", "email", "number", "row_id", "absent"]],
      ["admin_list_reviews", "reviews", ["name", "email", "title", "text", "absent"]],
      ["admin_count_reviews", "reviews", ["name", "email", "title", "text", "absent"]],
    ] as const)("%s finds what few rows have without reading all of %s", async ([name, table, kinds]) => {
      const [all] = await open().query<{ pages: number }>(
        `select relpages as pages from pg_class where oid = 'public.${table}'::regclass`,
      );
      const searched = await texts();
      for (const kind of kinds) {
        const blocks = await open().as(admin, async (query) => {
          const call = `select * from public.${name}(_q => $1)`;
          await query(call, [searched[kind]]);
          const [run] = await query<Explained>(`explain (analyze, buffers, format json) ${call}`, [
            searched[kind],
          ]);
          const plan = (run as Explained)["QUERY PLAN"][0].Plan;
          return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
        });
        expect([kind, blocks < (all?.pages ?? 0) / 2, blocks]).toEqual([kind, true, blocks]);
      }
    });
  },
);
