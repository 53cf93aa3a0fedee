import { audited, type Case, justStamped, refusedByConstraint } from "./case.ts";

const version = "select last_value from private.catalogue_versions";
const save = (values: string) =>
  `select 1 as n from public.save_publisher(_id => :publisher, _publisher => '{"name": "Sedco", "slug": "sedco", ${values}}',
     _updated_at => (select updated_at from public.publishers where id = :publisher))`;
const set = (assignment: string) => `update publishers set ${assignment} where id = :publisher`;

export const publisherCases: Case[] = [
  ...refusedByConstraint([
    [
      "publishers.publishers_name_is_unique",
      "23505",
      "insert into publishers (name, slug, position) values ('SEDCO', 'other', 1)",
    ],
    [
      "publishers.publishers_slug_is_unique",
      "23505",
      "insert into publishers (name, slug, position) values ('Other', 'sedco', 1)",
    ],
    ["publishers.publishers_texts_are_short", "23514", set("name = repeat('x', 201)")],
    ["publishers.publishers_slug_is_well_formed", "23514", set("slug = 'Sedco'")],
    ["publishers.publishers_mark_is_drawn", "23514", set("mark = 7")],
    ["publishers.publishers_shown_is_known", "23514", set("shown = 'everywhere'")],
    ["publishers.publishers_page_is_known", "23514", set("page = 'poster'")],
    ["publishers.publishers_lists_are_short", "23514", set("titles = '{}'")],
  ]),
  {
    proves: "publishers: everyone reads shown publishers",
    title: "customers do not read a publisher that is shown nowhere",
    given: ["update public.publishers set shown = 'nowhere' where id = :publisher"],
    as: "visitor",
    sql: "select count(*)::int as n from public.publishers where id = :publisher",
    answer: "none",
  },
  {
    proves: "publishers.stamp_updated_at",
    title: "an edit sets the time of the last change",
    as: "admin",
    sql: save('"note": "New"'),
    afterwards: justStamped("publishers", ":publisher"),
    answer: "yes, true",
  },
  {
    proves: "publishers.record_audit",
    title: "an edit is in the log",
    as: "admin",
    sql: save('"note": "New"'),
    afterwards: audited("publishers", "row_id = :publisher", "update"),
    answer: "yes, 1",
  },
  {
    proves: "publishers.bump_catalogue_version",
    title: "a deletion makes a new version of the catalogue",
    given: ["select setval('private.catalogue_versions', 1000)"],
    as: "admin",
    sql: "delete from public.publishers where id = :publisher",
    afterwards: version,
    answer: "yes, 1001",
  },
];
