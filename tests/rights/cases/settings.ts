import { audited, type Case, justStamped, refusedByConstraint } from "./case.ts";

const change = `select 1 as n from public.update_settings(_values => '{"lowStock": 5}', _seen => '{}')`;

const withSettings = "insert into public.staff_duties (user_id, duty) values (:holder, 'settings')";
const readdress = (name: "email" | "ownerEmail") =>
  `select count(*)::int as n from public.update_settings(
     _values => '{"${name}": "holder@shop.example"}',
     _seen => (select coalesce(jsonb_object_agg(id, updated_at), '{}') from public.shop_settings))`;

export const settingCases: Case[] = [
  ...(["ownerEmail", "email"] as const).map(
    (name): Case => ({
      proves: "shop_settings.guard_notice_address",
      title: `the duty settings is not enough to have orders and requests emailed to oneself (${name})`,
      given: [withSettings],
      as: "holder",
      sql: readdress(name),
      answer: "admin_only",
    }),
  ),
  {
    proves: "shop_settings.guard_notice_address",
    title: "an admin changes where orders and requests are emailed to",
    as: "admin",
    sql: readdress("ownerEmail"),
    answer: "yes",
  },
  {
    proves: "shop_settings: everyone reads the public settings",
    title: "a visitor reads a public setting",
    as: "visitor",
    sql: "select count(*) as n from public.shop_settings where id = 'name'",
    answer: "yes",
  },
  {
    proves: "terms_versions: everyone reads the terms that apply or have applied",
    title: "a visitor reads the terms of an earlier version",
    as: "visitor",
    sql: "select count(*)::int as n from public.terms_versions where version = 1",
    answer: "yes",
  },
  {
    proves: "terms_versions: everyone reads the terms that apply or have applied",
    title: "a visitor does not read terms that apply from tomorrow on",
    given: [
      "insert into public.terms_versions (terms, published_at) values ('Next', now() + interval '1 day')",
    ],
    as: "visitor",
    sql: "select count(*)::int as n from public.terms_versions where terms = 'Next'",
    answer: "none",
  },
  {
    proves: "shop_settings.record_audit",
    title: "a changed setting is in the log",
    as: "admin",
    sql: change,
    afterwards: audited("shop_settings", "row_id = 'lowStock'", "insert"),
    answer: "yes, 1",
  },
  {
    proves: "shop_settings.stamp_updated_at",
    title: "an update sets the time of the last change",
    as: "database",
    sql: "update public.shop_settings set value = '\"Ama Books\"' where id = 'name'",
    afterwards: justStamped("shop_settings", "'name'"),
    answer: "yes, true",
  },
  {
    proves: "shop_settings.apply_changed_setting",
    title: "a changed setting makes a new version of the cached pages",
    given: ["select setval('private.catalogue_versions', 1000)"],
    as: "admin",
    sql: change,
    afterwards: "select last_value from private.catalogue_versions",
    answer: "yes, 1001",
  },
  ...refusedByConstraint([
    [
      "shop_settings.shop_settings_are_known",
      "23514",
      "insert into shop_settings (id, value) values ('lost', '1')",
    ],
  ]),
];
