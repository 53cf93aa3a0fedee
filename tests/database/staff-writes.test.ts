import { expect, test } from "vitest";
import { buckets, publicFunctions, tables } from "#tests/rights/matrix.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { readStaffWrites } from "#tests/support/staff-writes.ts";

describeDatabase("What staff can write", (open) => {
  test("every function and table that staff can write has a row in docs/staff-writes.md, and no other has", async () => {
    const volatile = await open().query(
      "select proname as name from pg_proc where pronamespace = 'public'::regnamespace and provolatile = 'v'",
    );
    const names = new Set(volatile.map(({ name }) => String(name)));
    const isOfStaff = ({ answers, needed }: (typeof publicFunctions)[number]) =>
      needed.length > 0 || answers.admin !== answers.stranger;
    const functions = publicFunctions.filter(isOfStaff).map(({ call }) => call.replace(/\(.*/s, ""));
    const rows = tables.flatMap(({ name, rights }) =>
      rights
        .filter(({ operation, needed }) => operation !== "select" && needed.length > 0)
        .map(({ operation }) => `${operation} ${name}`),
    );
    const writes = [
      ...functions.filter((name) => names.has(name)),
      ...rows,
      "insert user_roles",
      ...buckets.map(({ id }) => `insert ${id}`),
    ];
    const inTable = new Set(readStaffWrites().map(({ call }) => call));
    expect(inTable).toEqual(new Set(writes));
  });
});
