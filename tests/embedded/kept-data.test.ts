import { beforeAll, describe, expect, test } from "vitest";
import { keptData } from "#app/features/law/kept-data.ts";
import { openSql } from "#tests/support/test-server.ts";

/** Tables in which nothing is about a person. */
const ABOUT_NO_PERSON = [
  "private.book_costs",
  "private.book_words",
  "private.delivery_fees",
  "private.demo_rows",
  "private.digital_files",
  "private.earlier_first_settings",
  "private.first_settings",
  "private.gone_books",
  "private.sales_checks",
  "private.search_words",
  "private.shop_names",
  "private.tallies",
  "private.yearly_numbers",
  "private_shop.library",
  "public.book_import_rows",
  "public.book_imports",
  "public.booklist_lines",
  "public.events",
  "public.booklists",
  "public.books",
  "public.publishers",
  "public.receipt_lines",
  "public.purchase_order_lines",
  "public.shop_settings",
  "public.stock_count_books",
  "public.stock_counts",
  "public.stock_movements",
  "storage.buckets",
  "storage.objects",
];

/** Texts about no person in tables that are about people: states, kinds and what the shop itself writes. */
const ABOUT_NO_PERSON_IN: Readonly<Record<string, string>> = {
  "auth.mfa_factors": "factor_type status",
  "auth.sessions": "tag refresh_token_hmac_key scopes aal",
  "auth.users":
    "aud role confirmation_token recovery_token email_change_token_new email_change_token_current phone_change_token reauthentication_token",
  "private_shop.email_links": "kind",
  "private.cart_requests": "id outcome",
  "private.sales": "dimension grain",
  "private.unmet_demand": "kind",
  "private.unmet_demand_visitors": "kind",
  "public.closings": "method",
  "private.event_links": "kind",
  "public.event_registrations": "state",
  "public.audit_log": "table_name row_id action",
  "public.orders": "status",
  "public.outgoing_emails": "kind event status from_status state reason",
  "public.payments": "currency state reason",
  "public.purchase_orders": "currency status",
  "public.consultations": "meets_how",
  "public.quotes": "status delivery_pricing",
  "public.receipts": "currency",
  "public.suppliers": "currency",
  "public.terms_versions": "terms delivery_and_returns",
};

const listed = Object.entries(ABOUT_NO_PERSON_IN).concat(
  keptData.flatMap(({ columns }) => Object.entries(columns)),
);
const tables = new Set([...ABOUT_NO_PERSON, ...listed.map(([table]) => table)]);
const columns = new Set(
  listed.flatMap(([table, names]) => names.split(" ").flatMap((name) => (name ? [`${table}.${name}`] : []))),
);

describe("the privacy page's list of what is kept", () => {
  let stored: { table: string; name: string }[];
  beforeAll(async () => {
    const { sql, close } = await openSql("migrated");
    stored = await sql.query(`
      select format('%I.%I', n.nspname, c.relname) as "table",
             coalesce(string_agg(a.attname, ' ' order by a.attnum)
                        filter (where a.attgenerated = '' and t.typcategory in ('S', 'A', 'U', 'I')
                                  and t.typname not in ('uuid')), '') as name
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join pg_type t on t.oid = a.atttypid
       where c.relkind in ('r', 'p') and n.nspname in ('auth', 'storage', 'public', 'private', 'private_shop')
       group by 1 order by 1`);
    await close();
  });

  test("every table is listed, as about people or as about no one", () => {
    const names = stored.map(({ table }) => table);
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((table) => !tables.has(table))).toEqual([]);
    expect([...tables].filter((table) => !names.includes(table))).toEqual([]);
  });

  test("every text of a table about people is listed, or said to be about no person", () => {
    const texts = stored
      .filter(({ table }) => !ABOUT_NO_PERSON.includes(table))
      .flatMap(({ table, name }) => name.split(" ").flatMap((text) => (text ? [`${table}.${text}`] : [])));
    expect(texts.length).toBeGreaterThan(40);
    expect(texts.filter((text) => !columns.has(text))).toEqual([]);
    expect([...columns].filter((text) => !texts.includes(text))).toEqual([]);
  });
});
