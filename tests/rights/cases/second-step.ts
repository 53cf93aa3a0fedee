import { audited, type Case } from "./case.ts";

const factorOf = (person: string, status = "verified") =>
  `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at, secret)
   values (gen_random_uuid(), ${person}, 'totp', '${status}', now(), now(), '')`;

const required = "insert into public.shop_settings (id, value) values ('staffSecondStep', 'true')";

/** These sessions have not taken a second step. */
const asAdmin = "select cardinality(public.change_duties(:customer, '{orders}')) as n";
const withDuty = "select count(*)::int as n from public.orders where id = :order";
const reviews = "select count(*)::int as n from public.admin_list_reviews()";

const set = (value: boolean) =>
  `select count(*)::int as n from public.update_settings(_values => '{"staffSecondStep": ${value}}', _seen => '{}')`;

const missing = "select public.own_second_step() as n";

export const secondStepCases: Case[] = [
  {
    proves: "public.change_duties",
    title: "an admin with a second step has no rights before it",
    given: [factorOf(":admin")],
    as: "admin",
    sql: asAdmin,
    answer: "admin_only",
  },
  {
    proves: "public.change_duties",
    title: "an app that was not yet set up to the end takes no rights away",
    given: [factorOf(":admin", "unverified")],
    as: "admin",
    sql: asAdmin,
    answer: "yes, 1",
    afterwards: "select count(*) from public.staff_duties where user_id = :customer",
  },
  {
    proves: "public.change_duties",
    title: "another admin's second step is none of this one's business",
    given: [factorOf(":moderator")],
    as: "admin",
    sql: asAdmin,
    answer: "yes, 1",
    afterwards: "select count(*) from public.staff_duties where user_id = :customer",
  },
  {
    proves: "public.change_duties",
    title: "an admin without a second step has no rights while the shop requires one",
    given: [required],
    as: "admin",
    sql: asAdmin,
    answer: "admin_only",
  },
  {
    proves: "orders: customers read their own orders, staff all",
    title: "a duty shows nothing before the second step",
    given: [factorOf(":packer")],
    as: "packer",
    sql: withDuty,
    answer: "none",
  },
  {
    proves: "orders: customers read their own orders, staff all",
    title: "a duty shows nothing without a second step while the shop requires one",
    given: [required],
    as: "packer",
    sql: withDuty,
    answer: "none",
  },
  {
    proves: "public.admin_list_reviews",
    title: "a moderator has no rights before the second step",
    given: [factorOf(":moderator")],
    as: "moderator",
    sql: reviews,
    answer: "duty_missing",
  },
  {
    proves: "orders: customers read their own orders, staff all",
    title: "a customer's own orders need no second step",
    given: [required, factorOf(":customer")],
    as: "customer",
    sql: withDuty,
    answer: "yes",
  },
  {
    proves: "public.own_second_step",
    title: "says that the code is missing",
    given: [factorOf(":admin")],
    as: "admin",
    sql: `select 1 as n where (${missing}) = 'code'`,
    answer: "yes",
  },
  {
    proves: "public.own_second_step",
    title: "says that a second step has to be set up",
    given: [required],
    as: "admin",
    sql: `select 1 as n where (${missing}) = 'factor'`,
    answer: "yes",
  },
  {
    proves: "shop_settings.guard_second_step",
    title: "an admin without a second step can't require one",
    as: "admin",
    sql: set(true),
    answer: "own_second_step_first",
  },
  {
    proves: "shop_settings.guard_second_step",
    title: "the duty settings is not enough to change whether one is required",
    given: ["insert into public.staff_duties (user_id, duty) values (:holder, 'settings')"],
    as: "holder",
    sql: set(false),
    answer: "admin_only",
  },
  {
    proves: "shop_settings.guard_second_step",
    title: "the owner's command turns it off",
    as: "key",
    sql: set(false),
    answer: "yes",
  },
  {
    proves: "public.remove_second_step",
    title: "removing another's second step is in the log, and ends their sessions",
    given: [
      factorOf(":customer"),
      "insert into auth.sessions (id, user_id) values (gen_random_uuid(), :customer)",
    ],
    as: "admin",
    sql: "select public.remove_second_step(:customer)::int as n",
    afterwards: `select (${audited("second_steps", "row_id = :customer", "delete")})
                      + (select count(*) from auth.sessions where user_id = :customer)
                      + (select count(*) from auth.mfa_factors where user_id = :customer)`,
    answer: "yes, 1",
  },
  {
    proves: "public.end_session_of",
    title: "ending a colleague's session is in the log",
    given: ["insert into auth.sessions (id, user_id) values (:order, :customer)"],
    as: "admin",
    sql: "select public.end_session_of(:customer, :order)::int as n",
    afterwards: `select (${audited("sessions", "row_id = :customer", "delete")})
                      + (select count(*) from auth.sessions where user_id = :customer)`,
    answer: "yes, 1",
  },
  {
    proves: "public.end_own_session",
    title: "nobody ends another's session",
    given: ["insert into auth.sessions (id, user_id) values (:order, :customer)"],
    as: "stranger",
    sql: "select public.end_own_session(:order)::int as n",
    afterwards: "select count(*) from auth.sessions where user_id = :customer",
    answer: "none, 1",
  },
  {
    proves: "public.list_own_sessions",
    title: "nobody sees where others are signed in",
    given: ["insert into auth.sessions (id, user_id) values (:order, :customer)"],
    as: "stranger",
    sql: "select count(*)::int as n from public.list_own_sessions()",
    answer: "none",
  },
];
