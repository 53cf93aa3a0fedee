import { expect, test } from "vitest";
import type { Database } from "#tests/support/database.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";

/** What PostgreSQL's own checks say about the functions, which were not checked when they were created. */
async function findFaults(open: Database): Promise<string[]> {
  const functions = await open.query<{ oid: number; name: string; validator: string }>(
    `select p.oid::int as oid, p.oid::regprocedure::text as name, l.lanvalidator::regproc::text as validator
       from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`,
  );
  expect(functions.length).toBeGreaterThan(300);
  const faults: string[] = [];
  for (const { oid, name, validator } of functions)
    await open
      .query(`select ${validator}($1::int::oid)`, [oid])
      .catch((error: Error) => faults.push(`${name}: ${error.message}`));
  return faults;
}

describeOnOwnServerToo("Functions, which may name what a later file creates", (open) => {
  test("all functions have valid bodies once every schema file has run", async () => {
    expect(await findFaults(open())).toEqual([]);
    await open().transaction(async (query) => {
      await query("set local check_function_bodies = off");
      await query(
        "create function private.faulty() returns int language sql as $$ select n from private.nowhere $$",
      );
    });
    expect(await findFaults(open())).toEqual([expect.stringContaining("private.nowhere")]);
  });
});
