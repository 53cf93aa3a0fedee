import { audited, type Case, refusedByConstraint, refusedByForeignKey } from "./case.ts";

const withdraw =
  "select 1 as n from public.set_booklist_status(_id => :booklist, _updated_at => :booklist_version, _status => 'withdrawn')";
const saveLines = (lines: string) =>
  `select 1 as n from public.save_booklist(_id => :booklist, _updated_at => :booklist_version, _school => 'A school',
     _class_name => 'Class 1', _school_year => '2026/2027', _lines => ${lines})`;
const version = "select last_value from private.catalogue_versions";

export const booklistCases: Case[] = [
  ...refusedByConstraint([
    [
      "booklists.booklists_code_is_unique",
      "23505",
      "update booklists set code = (select code from public.booklists where id = :draft) where id = :booklist",
    ],
    [
      "booklists.booklists_code_is_well_formed",
      "23514",
      "update booklists set code = 'OOOOOOOOOO' where id = :booklist",
    ],
    [
      "booklists.booklists_school_is_short",
      "23514",
      "update booklists set school = repeat('x', 201) where id = :booklist",
    ],
    [
      "booklists.booklists_class_name_is_short",
      "23514",
      "update booklists set class_name = repeat('x', 101) where id = :booklist",
    ],
    [
      "booklists.booklists_school_year_is_a_year",
      "23514",
      "update booklists set school_year = '2026/2028' where id = :booklist",
    ],
    ["booklists.booklists_pupils_are_sane", "23514", "update booklists set pupils = 0 where id = :booklist"],
    [
      "booklists.booklists_introduction_is_short",
      "23514",
      "update booklists set introduction = repeat('x', 2001) where id = :booklist",
    ],
    [
      "booklists.booklists_status_is_known",
      "23514",
      "update booklists set status = 'lost' where id = :booklist",
    ],
    [
      "booklist_lines.booklist_lines_position_is_sane",
      "23514",
      "insert into booklist_lines (booklist_id, position, title) values (:booklist, 201, 'Too many')",
    ],
    [
      "booklist_lines.booklist_lines_title_is_short",
      "23514",
      "update booklist_lines set title = repeat('x', 501) where id = :booklist_line",
    ],
    [
      "booklist_lines.booklist_lines_copies_are_sane",
      "23514",
      "update booklist_lines set copies = 100 where id = :booklist_line",
    ],
    [
      "booklist_lines.booklist_lines_note_is_short",
      "23514",
      "update booklist_lines set note = repeat('x', 301) where id = :booklist_line",
    ],
  ]),
  ...refusedByForeignKey([
    [
      "booklist_lines.booklist_lines_booklist_id_fkey",
      "update booklist_lines set booklist_id = gen_random_uuid() where id = :booklist_line",
    ],
  ]),
  {
    proves: "booklists.stamp_updated_at",
    title: "a changed list gets a new version",
    as: "admin",
    sql: withdraw,
    afterwards:
      "select updated_at > :booklist_version::timestamptz from public.booklists where id = :booklist",
    answer: "yes, true",
  },
  {
    proves: "booklists.record_audit",
    title: "withdrawing a list is in the log",
    as: "admin",
    sql: withdraw,
    afterwards: audited("booklists", "row_id = :booklist and after ->> 'status' = 'withdrawn'", "update"),
    answer: "yes, 1",
  },
  {
    proves: "booklist_lines.record_audit",
    title: "a line taken off a list is in the log",
    as: "admin",
    sql: saveLines(`'[{"title": "A pen"}]'`),
    afterwards: audited("booklist_lines", "row_id = :booklist_line", "delete"),
    answer: "yes, 1",
  },
  {
    proves: "booklist_lines.record_audit_of_new",
    title: "a line added to a list is in the log",
    as: "admin",
    sql: saveLines(`'[{"title": "A pen"}]'`),
    afterwards: audited("booklist_lines", "after ->> 'title' = 'A pen'", "insert"),
    answer: "yes, 1",
  },
  {
    proves: "booklists.bump_catalogue_version_if_published",
    title: "withdrawing a list makes a new version of the catalogue",
    given: ["select setval('private.catalogue_versions', 1000)"],
    as: "admin",
    sql: withdraw,
    afterwards: version,
    answer: "yes, 1001",
  },
  // Constraints that are checked at the end of a statement are triggers inside, so these cannot be asked with triggers asleep.
  {
    proves: "booklist_lines.booklist_lines_one_line_a_place",
    title: "two lines cannot have the same position",
    as: "database",
    sql: "insert into public.booklist_lines (booklist_id, position, title) values (:booklist, 1, 'Again')",
    answer: "23505",
  },
  {
    proves: "booklist_lines.booklist_lines_one_line_a_book",
    title: "a book can be on a list only once",
    as: "database",
    sql: "insert into public.booklist_lines (booklist_id, position, book_id, title) values (:booklist, 9, :other_book, 'Again')",
    answer: "23505",
  },
];
