import { audited, type Case, justStamped, refusedByConstraint } from "./case.ts";

const change = `select 1 as n from public.update_settings(_values => '{"lowStock": 5}', _seen => '{}')`;

export const settingCases: Case[] = [
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
