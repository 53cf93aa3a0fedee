import { DUTIES, type Duty } from "#app/features/session/duties.ts";
import { audited, type Case, refusedByConstraint, refusedByForeignKey } from "./case.ts";

const having = (...duties: readonly Duty[]) => [
  `insert into public.staff_duties (user_id, duty) select :holder, unnest('{${duties}}'::text[])`,
];

const without = (...lacking: Duty[]) => having(...DUTIES.filter((duty) => !lacking.includes(duty)));

/** What a function shows with a duty, and doesn't without it. */
const shownWith = (
  duty: Duty,
  proves: string,
  title: string,
  sql: string,
  otherwise = "none",
  given: string[] = [],
): Case[] =>
  [
    { has: having(duty), title: `${title} with the duty ${duty}`, answer: "yes" },
    { has: without(duty), title: `${title} with no other duty`, answer: otherwise },
  ].map(({ has, ...one }) => ({ ...one, proves, sql, as: "holder", given: [...has, ...given] }));

/** What a function that needs other duties shows with one more, and doesn't without it. */
const shownAlsoWith = (
  duty: Duty,
  needed: Duty[],
  proves: string,
  title: string,
  sql: string,
  otherwise = "none",
): Case[] =>
  [
    { given: having(...needed, duty), title: `${title} with the duty ${duty}`, answer: "yes" },
    { given: without(duty), title: `${title} with no other duty`, answer: otherwise },
  ].map((one) => ({ ...one, proves, sql, as: "holder" }));

const partOfPerson = (duty: Duty, name: string): Case[] =>
  shownAlsoWith(
    duty,
    ["people"],
    "public.admin_find_person",
    `a person's ${name} are visible`,
    `select (public.admin_find_person(:customer) ->> '${name}' is not null)::int as n`,
  );

/** An import that prices a book below what a copy of it costs. */
const cheapImport = [
  "insert into private.book_costs (book_id, since, average) values (:ordered_book, now(), 500)",
  `insert into public.book_import_rows (import_id, line, fields, given_id) values (:import, 9, '{"price": 0.01}', :ordered_book)`,
];

/** What a copy costs, in the oddities of an import. */
const costsInImports: Case[] = [
  {
    given: [...having("catalogue", "reports"), ...cheapImport],
    title: "prices below cost are named with the duty reports",
    answer: "yes",
  },
  {
    given: [...without("reports"), ...cheapImport],
    title: "prices below cost are named with no other duty",
    answer: "none",
  },
].map((one) => ({
  ...one,
  proves: "public.summarise_book_import",
  sql: `select count(*)::int as n from public.summarise_book_import(:import) as s, jsonb_array_elements(s.figures -> 'oddities') as o
         where o ->> 'kind' = 'below_cost' and o ->> 'level' is not null`,
  as: "holder",
}));

/** The contacts of customers in a report. */
const contactsIn = (report: string, values: string): Case[] =>
  [
    {
      given: having("people", "reports"),
      title: "customers' contacts are shown with the duty people",
      answer: "yes",
    },
    {
      given: without("people"),
      title: "customers' contacts are not shown with all other duties",
      answer: "none",
    },
  ].map((one) => ({
    ...one,
    proves: `public.${report}`,
    as: "holder",
    sql: `select count(contact)::int as n from public.${report}(${values})`,
  }));

const column = (call: string, name: string) => `select count(${name})::int as n from public.${call}()`;

const change = (whom: string, give: string) =>
  `select cardinality(public.change_duties(${whom}, '{${give}}')) as n`;

export const dutyCases: Case[] = [
  ...contactsIn("report_owed", ""),
  ...contactsIn("report_sales", "current_date - 1, current_date + 1, 'customer'"),
  {
    proves: "staff_duties.record_audit",
    title: "giving a duty is in the log",
    as: "admin",
    sql: change(":customer", "orders"),
    afterwards: audited("staff_duties", "after ->> 'user_id' = :customer", "insert"),
    answer: "yes, 1",
  },
  {
    proves: "public.change_duties",
    title: "taking a duty away is in the log",
    as: "admin",
    sql: "select 1 as n from public.change_duties(:packer, _take => '{orders}')",
    afterwards: audited("staff_duties", "before ->> 'user_id' = :packer", "delete"),
    answer: "yes, 1",
  },
  {
    proves: "public.change_duties",
    title: "with all duties no one gives themselves a role",
    given: having(...DUTIES),
    as: "holder",
    sql: "insert into public.user_roles (user_id, role) values (:holder, 'admin')",
    answer: "admin_only",
  },
  {
    proves: "public.change_duties",
    title: "no one gives themselves a duty, whatever others they have",
    given: without("payments"),
    as: "holder",
    sql: change(":holder", "payments"),
    answer: "admin_only",
  },
  {
    proves: "public.change_duties",
    title: "no one takes an admin's role away, whatever duties they have",
    given: having(...DUTIES),
    as: "holder",
    sql: "delete from public.user_roles where user_id = :admin",
    answer: "admin_only",
  },
  {
    proves: "public.change_duties",
    title: "moderators give themselves no duty",
    as: "moderator",
    sql: change(":moderator", "orders"),
    answer: "admin_only",
  },
  {
    proves: "public.change_duties",
    title: "admins have all duties and are given none",
    as: "admin",
    sql: change(":admin", "orders"),
    answer: "has_all_duties",
  },
  {
    proves: "public.change_duties",
    title: "an account with an unconfirmed email gets no duty",
    given: ["update auth.users set email_confirmed_at = null where id = :customer"],
    as: "admin",
    sql: change(":customer", "orders"),
    answer: "unconfirmed_account",
  },
  {
    proves: "public.change_duties",
    title: "an unknown duty is refused with a message",
    as: "admin",
    sql: change(":customer", "orders,owner"),
    answer: "invalid_field",
  },
  {
    proves: "public.change_duties",
    title: "a missing person is refused with a message",
    as: "admin",
    sql: change("gen_random_uuid()", "orders"),
    answer: "user_not_found",
  },
  {
    proves: "public.anonymise_customer",
    title: "no one but an admin makes the shop forget staff",
    given: having("people", "deletions"),
    as: "holder",
    sql: "select public.anonymise_customer(:packer) + 1 as n",
    answer: "admin_only",
  },
  {
    proves: "public.anonymise_customer",
    title: "a customer with an open order isn't forgotten",
    as: "admin",
    sql: "select public.anonymise_customer(:customer)",
    answer: "order_not_delivered",
  },
  {
    proves: "public.anonymise_customer",
    title: "forgotten staff have no duties",
    as: "admin",
    sql: "select public.anonymise_customer(:packer) + 1 as n",
    afterwards: "select count(*) from public.staff_duties where user_id = :packer",
    answer: "yes, 0",
  },
  {
    proves: "user_roles.replace_roles",
    title: "an admin's earlier duties are removed, so that they don't come back with the role taken away",
    as: "admin",
    sql: "insert into public.user_roles (user_id, role) values (:packer, 'admin')",
    afterwards: "select count(*) from public.staff_duties where user_id = :packer",
    answer: "yes, 0",
  },
  {
    proves: "user_roles.replace_roles",
    title: "another role leaves the duties",
    as: "admin",
    sql: "insert into public.user_roles (user_id, role) values (:packer, 'moderator')",
    afterwards: "select count(*) from public.staff_duties where user_id = :packer",
    answer: "yes, 1",
  },
  {
    proves: "staff_duties: people read their own duties, staff all",
    title: "people read their own duties, and no one else's",
    as: "packer",
    sql: "select (2 - count(*))::int as n from public.staff_duties",
    given: having("orders"),
    answer: "yes",
  },
  {
    proves: "profiles: staff read the customers of orders",
    title: "whoever packs parcels sees no account without orders",
    given: having("orders"),
    as: "holder",
    sql: "select count(*)::int as n from public.profiles where id = :stranger",
    answer: "none",
  },
  ...shownWith(
    "people",
    "profiles: customers read their own profile, staff all",
    "an account without orders is visible",
    "select count(*)::int as n from public.profiles where id = :stranger",
  ),
  ...shownWith(
    "catalogue",
    "publishers: everyone reads shown publishers",
    "a publisher that the shop doesn't show is visible",
    "select count(*)::int as n from public.publishers where shown = 'nowhere'",
    "none",
    ["update public.publishers set shown = 'nowhere' where id = :publisher"],
  ),
  ...costsInImports,
  ...shownWith(
    "orders",
    "public.order_timeline",
    "an order's history is visible",
    "select count(*)::int as n from public.order_timeline(:delivered)",
  ),
  ...shownWith(
    "orders",
    "public.list_shipments",
    "an order's shipments are visible",
    "select count(*)::int as n from public.list_shipments(:sent_order)",
  ),
  ...shownWith(
    "orders",
    "public.list_part_sent",
    "whether an order is sent in part is visible",
    "select cardinality(public.list_part_sent(array[:sent_order]::uuid[])) as n",
  ),
  ...shownWith(
    "orders",
    "public.list_copies_to_send",
    "what is left to send of an order is visible",
    "select count(*)::int as n from public.list_copies_to_send(array[:sent_order]::uuid[])",
  ),
  ...shownWith(
    "orders",
    "public.todays_work",
    "the orders to pack are counted",
    column("todays_work", "to_pack"),
  ),
  ...shownWith(
    "schools",
    "public.todays_work",
    "the quotes to prepare are counted",
    column("todays_work", "quotes_waiting"),
  ),
  ...shownWith(
    "schools",
    "public.todays_work",
    "the consultations that wait are counted",
    column("todays_work", "consultations_waiting"),
  ),
  ...shownWith(
    "reports",
    "public.todays_work",
    "customers waiting for a book are counted",
    column("todays_work", "waiting_for_books"),
  ),
  ...shownWith(
    "people",
    "public.dashboard_stats",
    "users are counted",
    column("dashboard_stats", "total_users"),
  ),
  ...shownWith(
    "orders",
    "public.dashboard_stats",
    "orders are counted",
    column("dashboard_stats", "total_orders"),
  ),
  ...shownWith(
    "reviews",
    "public.dashboard_stats",
    "reviews are counted",
    column("dashboard_stats", "total_reviews"),
  ),
  ...["orders", "owed", "order_notes"].flatMap((name) => partOfPerson("orders", name)),
  ...["quotes", "consultations"].flatMap((name) => partOfPerson("schools", name)),
  ...partOfPerson("reviews", "reviews"),
  ...partOfPerson("events", "registrations"),
  ...shownAlsoWith(
    "orders",
    ["people", "deletions"],
    "public.preview_anonymising",
    "the orders of whoever is to be forgotten are visible",
    "select jsonb_array_length(public.preview_anonymising(_user_id => :customer) -> 'orders') as n",
  ),
  ...shownAlsoWith(
    "orders",
    ["people", "deletions"],
    "public.merge_people",
    "the amounts of an account that is to be merged are visible",
    "select (public.merge_people(_from => :customer, _into => :stranger) ->> 'total' is not null)::int as n",
  ),
  ...shownAlsoWith(
    "people",
    ["schools"],
    "public.begin_quote",
    "a quote is begun for an account",
    "select (public.begin_quote(gen_random_uuid(), :customer, 'A school', 'A teacher', 'teacher@school.example', '+233201234567') is not null)::int as n",
    "duty_missing",
  ),
  ...(["holder", "stranger"] as const).map(
    (as): Case => ({
      proves: "shop_settings: everyone reads the public settings",
      title: `${as === "holder" ? "staff with any duty" : "no customer"} can read the school terms`,
      given: [
        ...having("reports"),
        `insert into public.shop_settings (id, value) values ('schoolTerms', '[]')`,
      ],
      as,
      sql: "select count(*)::int as n from public.shop_settings where id = 'schoolTerms'",
      answer: as === "holder" ? "yes" : "none",
    }),
  ),
  ...refusedByConstraint([
    [
      "staff_duties.staff_duties_duty_is_known",
      "23514",
      "update staff_duties set duty = 'owner' where user_id = :packer",
    ],
    [
      "staff_duties.staff_duties_are_given_once",
      "23505",
      "insert into staff_duties (user_id, duty) values (:packer, 'orders')",
    ],
  ]),
  ...refusedByForeignKey([
    [
      "staff_duties.staff_duties_user_id_fkey",
      "update staff_duties set user_id = gen_random_uuid() where user_id = :packer",
    ],
  ]),
];
