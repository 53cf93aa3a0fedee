import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { searchCall } from "#tests/support/book-search.ts";
import { type Database, migrate, openDatabase } from "#tests/support/database.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { partsOf, readMigrations } from "#tests/support/schema.ts";

/*
 * A hosted project's migrations run as a role that is not a superuser and owns neither auth nor storage. It may use their
 * tables as the grants below say; policies on storage.objects are allowed to it by the host, which this test
 * imitates by membership in the storage owner's role, during the files that have them.
 */
describeDatabase("A hosted project", () => {
  const suffix = randomUUID().slice(0, 8);
  const owner = `adwene_project_${suffix}`;
  const storageOwner = `adwene_storage_${suffix}`;
  const authOwner = `adwene_auth_${suffix}`;
  let database: Database;

  beforeAll(async () => {
    database = await openDatabase({ migrate: false });
    const [{ name } = { name: "" }] = await database.query<{ name: string }>(
      "select current_database() as name",
    );
    await database.run(`
      create role ${owner} nologin bypassrls createrole createdb;
      create role ${storageOwner} nologin;
      create role ${authOwner} nologin;
      grant create on database ${name} to ${owner};
      grant all on schema public to ${owner} with grant option;
      grant usage, create on schema extensions to ${owner};
      alter schema auth owner to ${authOwner};
      alter table auth.users owner to ${authOwner};
      alter schema storage owner to ${storageOwner};
      alter table storage.buckets owner to ${storageOwner};
      alter table storage.objects owner to ${storageOwner};
      grant usage on schema auth, storage to ${owner};
      grant all on all tables in schema auth, storage to ${owner};
      grant execute on all functions in schema auth, storage to ${owner};`);
  });
  afterAll(async () => {
    await database.run(`
      drop schema private cascade; drop schema public cascade; drop schema extensions cascade;
      drop owned by ${owner}; drop schema auth cascade; drop schema storage cascade;
      drop owned by ${storageOwner}, ${authOwner}; drop role ${owner}, ${storageOwner}, ${authOwner};`);
    await database.close();
  });

  test("accepts all migrations from a role that is not a superuser and owns neither auth nor storage", async () => {
    for (const { path, text } of readMigrations().flatMap(partsOf)) {
      const policies = /policy [^;]* on storage\.objects/.test(text);
      if (policies) await database.run(`grant ${storageOwner} to ${owner}`);
      const applied = database.run(
        `set local role ${owner}; set local check_function_bodies = off;\n${text}`,
      );
      await expect(applied, path).resolves.toBeUndefined();
      if (policies) await database.run(`revoke ${storageOwner} from ${owner}`);
    }
    const owners = await database.query(
      "select distinct relowner::regrole::text as owner from pg_class where relnamespace = 'public'::regnamespace",
    );
    expect(owners).toEqual([{ owner }]);
  });

  test("has the same rights whether or not the project grants everything to everyone by default, as older ones do", async () => {
    const plain = await openDatabase();
    const generous = await openDatabase({ migrate: false });
    try {
      await generous.run(`
        alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
        alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
        alter default privileges in schema public grant all on functions to anon, authenticated, service_role;`);
      await migrate(generous);
      const rightsIn = (open: Database) =>
        open.query(
          `select name, role, privilege from (
             select c.relname::text as name, a.* from pg_class c cross join lateral aclexplode(c.relacl) a
              where c.relnamespace = 'public'::regnamespace
             union all
             select c.relname || '.' || t.attname, a.* from pg_attribute t join pg_class c on c.oid = t.attrelid
              cross join lateral aclexplode(t.attacl) a where c.relnamespace = 'public'::regnamespace
             union all
             select p.oid::regprocedure::text, a.* from pg_proc p cross join lateral aclexplode(p.proacl) a
              where p.pronamespace = 'public'::regnamespace
           ) as given (name, grantor, grantee, privilege, grantable)
           cross join lateral (select given.grantee::regrole::text as role) as named
           where role in ('anon', 'authenticated', 'service_role') order by 1, 2, 3`,
        );
      const expected = await rightsIn(plain);
      expect(expected.length).toBeGreaterThan(100);
      expect(await rightsIn(generous)).toEqual(expected);
    } finally {
      await Promise.all([plain.close(), generous.close()]);
    }
  });

  test("A hosted project works: sign-up, role, book, cart, order, cancelling, rating, import", async () => {
    const [customer, admin] = [randomUUID(), randomUUID()];
    const as = (id: string) => ({ role: "authenticated" as const, id });
    await database.run(`
      set role ${authOwner};
      insert into auth.users (id, email, email_confirmed_at)
        values ('${customer}', 'customer@shop.test', now()), ('${admin}', 'admin@shop.test', now());
      reset role;`);
    await database.as({ role: "service_role" }, (query) =>
      query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [admin]),
    );
    const [book] = await database.as(as(admin), (query) =>
      query<{ id: string }>(
        "insert into public.books (title, price, stock_quantity) values ('Sold', 10, 3) returning id",
      ),
    );
    const orderId = await database.as(as(customer), async (query) => {
      await query("select public.add_to_cart($1, 2)", [book?.id]);
      const [order] = await query(
        "insert into public.orders (user_id, total_amount) values ($1, 20) returning id",
        [customer],
      );
      return order?.id;
    });
    const stock = () =>
      database.as({ role: "anon" }, (query) =>
        query(`select stock_quantity from ${searchCall("search_books")}`, [{ q: "sold" }]),
      );
    expect(await stock()).toEqual([{ stock_quantity: 1 }]);
    await database.as(as(customer), (query) =>
      query("update public.orders set status = 'cancelled' where id = $1", [orderId]),
    );
    expect(await stock()).toEqual([{ stock_quantity: 3 }]);
    await database.as(as(admin), async (query) => {
      await query("delete from public.orders where id = $1", [orderId]);
      await query("select public.restore_order($1)", [orderId]);
      const [imported] = await query("select public.create_book_import(_default_price => 5) as id");
      await query("select public.stage_book_import_rows($1, $2::jsonb)", [
        imported?.id,
        [{ line: 2, title: "Imported" }],
      ]);
      expect(await query("select added from public.apply_book_import($1)", [imported?.id])).toEqual([
        { added: 1 },
      ]);
      expect(await query("select total_orders from public.dashboard_stats()")).toEqual([{ total_orders: 1 }]);
      await query("insert into storage.objects (bucket_id, name) values ('book-covers', 'a.jpg')");
    });
  });
});
