import { expect, test } from "vitest";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";

/** What holds for every table and function; the individual rights are in tests/rights/matrix.ts. */
describeOnOwnServerToo("Rights in general", (open) => {
  const names = async (sql: string) => (await open().query<{ name: string }>(sql)).map(({ name }) => name);

  test("every table in public has row level security and at least one policy", async () => {
    const bare = await names(
      `select c.relname as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and (not c.relrowsecurity or not exists (select from pg_policy p where p.polrelid = c.oid))`,
    );
    expect(bare).toEqual([]);
  });

  test("every policy is for a named role and has a condition, except that everyone reads books", async () => {
    const open_ended = await names(
      `select polname as name from pg_policy p join pg_class c on c.oid = p.polrelid
       where c.relnamespace = 'public'::regnamespace
         and (0 = any (polroles) or 'true' in (pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)))`,
    );
    expect(open_ended).toEqual(["everyone reads books"]);
  });

  test("none of our functions can be executed by public", async () => {
    const loose = await names(
      `select p.oid::regprocedure::text as name from pg_proc p
       where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
         and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)`,
    );
    expect(loose).toEqual([]);
  });

  test("every function has an empty search_path, or a body that was parsed when it was created", async () => {
    const loose = await names(
      `select p.oid::regprocedure::text as name from pg_proc p
       where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
         and p.prosqlbody is null
         and not coalesce(p.proconfig @> array['search_path=""'], false)`,
    );
    expect(loose).toEqual([]);
  });

  test("no function in public runs as its owner, and visitors can run only these in private", async () => {
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
    ).toEqual([
      "applied_migrations",
      "cancel_event_registration",
      "confirm_event_subscription",
      "count_book_ratings",
      "find_booklist",
      "find_event",
      "find_event_link",
      "find_linked_quote",
      "has_a_duty",
      "has_duty",
      "is_admin",
      "is_on_its_way",
      "list_book_reviews",
      "list_events",
      "register_for_event",
      "request_consultation",
      "search_booklists",
      "shop_has_demo",
      "subscribe_to_events",
      "unsubscribe_from_events",
    ]);
  });

  test("every function that runs as its owner, and that customers may call, checks for staff first", async () => {
    const unguarded = await names(
      `select proname as name from pg_proc where pronamespace = 'private'::regnamespace and prosecdef
         and has_function_privilege('authenticated', oid, 'execute')
         and prosrc !~ '^\\s*(declare[^$]*?)?begin\\s+perform private\\.(require_staff\\(\\)|require_a_duty\\(\\)|require_duty\\(''[a-z'', ]+\\)|require_book_import\\(_import_id\\));' order by 1`,
    );
    // These return only the caller's own data, what a secret link is about or what is public, or take what any visitor may
    // send; admin_list_audit and resend_email begin with one of two checks.
    expect(unguarded).toEqual([
      ...[
        "accept_quote",
        "add_books_to_cart",
        "admin_list_audit",
        "admits_cover",
        "admits_piece",
        "applied_migrations",
        "cancel_event_registration",
        "chosen_booklist_lines",
        "claim_quote",
        "confirm_event_subscription",
        "count_book_ratings",
        "decline_quote",
        "delete_own_review",
        "delivery_fee",
        "end_own_session",
        "find_booklist",
        "find_event",
        "find_event_link",
        "find_linked_quote",
        "find_own_quote",
        "find_own_review",
        "has_a_duty",
        "has_duty",
        "is_admin",
        "is_on_its_way",
        "is_piece_in_use",
        "issue_invoice",
        "list_book_reviews",
        "list_copies_to_send",
        "list_events",
        "list_own_consultations",
        "list_own_quotes",
        "list_own_sessions",
        "list_part_sent",
        "list_publisher_statistics",
        "list_shipments",
        "note_booklist_additions",
        "order_timeline",
        "own_data",
        "own_downloads",
        "own_second_step",
        "register_for_event",
        "report_review",
        "request_consultation",
        "request_quote",
        "request_stock_alert",
        "resend_email",
        "search_booklists",
        "shop_has_demo",
        "start_download",
        "subscribe_to_events",
        "unsubscribe_from_events",
        "write_review",
      ],
    ]);
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
