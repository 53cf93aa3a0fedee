import { beforeAll, expect, test } from "vitest";
import { addStaff } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";

/** The buffers that EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) counts. */
type Explained = { "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }] };

describeOnOwnServerToo("The back office's searches with 20,000 reviews and 120,000 log entries", (open) => {
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
      insert into public.audit_log (table_name, row_id, action, after)
      select 'user_roles', gen_random_uuid()::text, 'insert', jsonb_build_object('user_id', id, 'role', 'moderator')
        from auth.users where email = 'reader7@school.example';
      -- One person made most of the entries.
      insert into public.audit_log (actor, table_name, row_id, action, before, after)
      select '${admin.id}', 'orders', gen_random_uuid()::text, 'update', '{}', jsonb_build_object('number', n)
        from generate_series(1, 100000) as n;
      reset session_replication_role;`);
    for (const table of ["profiles", "books", "reviews", "audit_log"])
      await open().query(`vacuum analyze public.${table}`);
  });

  /** Texts that find one reader, book, review or order each, and one that finds nothing. */
  async function texts(): Promise<Record<string, string>> {
    const [row] = await open().query<Record<string, string>>(
      `select 'Reader ' || md5('reader7@school.example') as name, 'reader8@school.example' as email, 'Book ' || md5('3') as title,
              (select substring(review_text from 'Note .*') from public.reviews order by id limit 1) as text, '#4242' as number,
              (select row_id from public.audit_log where table_name = 'reviews' order by id limit 1) as row_id, 'nobody wrote this' as absent`,
    );
    return row ?? {};
  }

  test.for([
    ["audit", "audit_log", { name: 11, email: 10, number: 1, row_id: 1, absent: 0 }],
    ["reviews", "reviews", { name: 10, email: 10, title: 10, text: 1, absent: 0 }],
  ] as const)(
    "admin_list_%s and its count find a few rows without reading all of %s",
    async ([list, table, found]) => {
      const [all] = await open().query<{ pages: number }>(
        `select relpages as pages from pg_class where oid = 'public.${table}'::regclass`,
      );
      const searched = await texts();
      for (const [kind, rows] of Object.entries(found)) {
        for (const call of [`admin_list_${list}(_q => $1)`, `admin_count_${list}(_q => $1)`]) {
          const given = [searched[kind]];
          const { answer, blocks } = await open().as(admin, async (query) => {
            const answer = await query<{ found: number }>(
              call.startsWith("admin_count")
                ? `select public.${call} as found`
                : `select count(*) as found from public.${call}`,
              given,
            );
            const [run] = await query<Explained>(
              `explain (analyze, buffers, format json) select * from public.${call}`,
              given,
            );
            const plan = (run as Explained)["QUERY PLAN"][0].Plan;
            return { answer, blocks: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] };
          });
          expect([kind, call, answer]).toEqual([kind, call, [{ found: rows }]]);
          expect(blocks, `${kind}: ${call}`).toBeLessThan((all?.pages ?? 0) / 2);
        }
      }
    },
  );

  test("searches find everything about more people and books than an index lookup covers", async () => {
    for (const [call, q, rows] of [
      ["admin_count_audit", "reader", 20_001],
      ["admin_count_reviews", "reader", 20_000],
      ["admin_count_reviews", "book", 20_000],
    ] as const) {
      const answer = await open().as(admin, (query) =>
        query(`select public.${call}(_q => $1) as found`, [q]),
      );
      expect([call, q, answer]).toEqual([call, q, [{ found: rows }]]);
    }
  });
});
