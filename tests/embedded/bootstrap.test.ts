import { afterAll, expect, test } from "vitest";
import type { Sql } from "#server/database/sql.ts";
import { prepareDatabase } from "#server/shop/bootstrap.ts";
import { openSql } from "#tests/support/test-server.ts";

const { sql, close } = await openSql();
afterAll(close);

/** A server that has the role anon, and nothing else of the shop's. */
function emptyServer(exec: Sql["exec"]): Sql {
  const query = async (text: string) => (text.includes("pg_roles") ? [{ rolname: "anon" }] : []);
  const server: Sql = { query: query as Sql["query"], exec, transaction: (work) => work(server) };
  return server;
}

test("A prepared database gives requests' roles a hosted project's rights, and shows no file without a policy", async () => {
  await prepareDatabase(sql);
  const rights = await sql.query(`
    select role, bool_and(has_schema_privilege(role, name, 'usage')) as uses,
      bool_and(has_table_privilege(role, 'storage.objects', 'select, insert, update, delete')) as files,
      has_function_privilege(role, 'auth.uid()', 'execute') as calls, pg_has_role(role, 'member') as taken
    from unnest(array['anon', 'authenticated', 'service_role']) as role,
      unnest(array['public', 'extensions', 'auth', 'storage']) as name
    group by role order by role`);
  const all = { uses: true, files: true, calls: true, taken: true };
  expect(rights).toEqual(["anon", "authenticated", "service_role"].map((role) => ({ role, ...all })));
  const open = "select relname from pg_class where relnamespace = 'storage'::regnamespace and relkind = 'r'";
  expect(await sql.query(`${open} and not relrowsecurity`)).toEqual([]);
});

test("A database is prepared again only by a version whose accounts and files differ", async () => {
  await prepareDatabase(sql);
  const refused = () => Promise.reject(new Error("prepared again"));
  await prepareDatabase({ ...sql, transaction: refused });
  await sql.exec("update private_shop.library set version = 'earlier'; drop function auth.uid");
  await prepareDatabase(sql);
  await sql.query("select auth.uid()");
  expect(await sql.query("select from private_shop.library")).toHaveLength(2);
});

test("Only the roles that a server lacks are created", async () => {
  const scripts: string[] = [];
  await prepareDatabase(emptyServer(async (text) => void scripts.push(text)));
  expect(scripts.flatMap((text) => /create role .*(?=;)/.exec(text) ?? [])).toEqual([
    "create role authenticated nologin",
    "create role service_role nologin bypassrls",
  ]);
});

test("A database user that may not create what the shop needs gets a one-line error", async () => {
  const denied = async () => {
    throw new Error("permission denied to create role\nHINT: ask");
  };
  await expect(prepareDatabase(emptyServer(denied))).rejects.toThrow(
    /^The database's user may not make what the shop needs: permission denied to create role$/,
  );
});
