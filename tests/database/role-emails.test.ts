import { beforeEach, expect, test } from "vitest";
import { addCustomer, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { callAsServer } from "#tests/support/payments.ts";
import type { SignedIn } from "#tests/support/people.ts";

describeDatabase("A changed role", (open) => {
  let admin: SignedIn;
  let second: SignedIn;
  let person: SignedIn;
  beforeEach(async () => {
    admin = await addStaff(open(), "admin");
    second = await addStaff(open(), "admin");
    person = await addCustomer(open());
    await open().query("delete from public.outgoing_emails");
  });

  const give = (by: SignedIn, role: string, to = person) =>
    open().as(by, (query) =>
      query("insert into public.user_roles (user_id, role) values ($1, $2)", [to.id, role]),
    );
  /** "kind reader", of the three people of a test alone. */
  const queued = async () => {
    const names = new Map([
      [admin.id, "admin"],
      [second.id, "second"],
      [person.id, "person"],
    ]);
    const rows = await open().query<{ kind: string; event: string }>(
      "select kind, event from public.outgoing_emails where kind in ('role_changed', 'own_role_changed') order by kind",
    );
    return rows
      .flatMap(({ kind, event }) => {
        const reader = names.get(event.split(":")[1] ?? "");
        return reader ? [`${kind} ${reader}`] : [];
      })
      .sort();
  };
  const logged = async () =>
    (
      await open().query(
        `select concat_ws(' ', action, before ->> 'role', after ->> 'role') as entry from public.audit_log
          where table_name = 'user_roles' and coalesce(after, before) ->> 'user_id' = $1 order by id`,
        [person.id],
      )
    ).map(({ entry }) => entry);

  test("emails the person and every other admin, and is one entry of the log", async () => {
    await give(admin, "moderator");
    expect(await queued()).toEqual(["own_role_changed person", "role_changed admin", "role_changed second"]);
    await open().query("delete from public.outgoing_emails");
    await give(admin, "admin");
    await give(admin, "admin");
    await give(admin, "user");
    expect(await queued()).toEqual([
      ...Array(2).fill("own_role_changed person"),
      ...Array(2).fill("role_changed admin"),
      ...Array(2).fill("role_changed second"),
    ]);
    expect(await logged()).toEqual([
      "insert moderator",
      "update moderator admin",
      "update admin admin",
      "update admin user",
    ]);
  });

  test("emails when it is taken away without another", async () => {
    await give(admin, "moderator");
    await open().query("delete from public.outgoing_emails");
    await open().as(admin, (query) => query("delete from public.user_roles where user_id = $1", [person.id]));
    expect(await queued()).toEqual(["own_role_changed person", "role_changed admin", "role_changed second"]);
    expect(await logged()).toEqual(["insert moderator", "delete moderator"]);
  });

  test("emails admins who change their own role too, in case someone else uses their account", async () => {
    await give(second, "user", admin);
    expect(await queued()).toEqual(["own_role_changed admin", "role_changed second"]);
  });

  test("emails nobody who is no admin any more", async () => {
    await give(admin, "user", second);
    await open().query("delete from public.outgoing_emails");
    await give(admin, "moderator");
    expect(await queued()).toEqual(["own_role_changed person", "role_changed admin"]);
    await give(second, "admin", second).catch(() => {});
    await open().query("delete from public.outgoing_emails where kind = 'own_role_changed'");
    const third = await addStaff(open(), "admin");
    await open().query("delete from public.outgoing_emails where event not like '%' || $1", [admin.id]);
    await give(third, "user", admin);
    await open().query(
      "delete from public.outgoing_emails where kind = 'own_role_changed' or event not like '%' || $1",
      [admin.id],
    );
    expect(await callAsServer(open(), "claim_email()")).toBeNull();
  });

  test("emails no address that can't exist", async () => {
    await open().query("update public.profiles set email = 'admin@shop.invalid' where id = $1", [second.id]);
    await give(admin, "moderator");
    expect(await queued()).toEqual(["own_role_changed person", "role_changed admin"]);
  });

  test("says who changed it from what to what, and nothing once the account is closed", async () => {
    await give(admin, "moderator");
    await open().query("delete from public.outgoing_emails where kind = 'role_changed'");
    const claimed = await callAsServer<{ role: object }>(open(), "claim_email()");
    expect(claimed).toMatchObject({
      kind: "own_role_changed",
      audience: "customer",
      order: null,
      role: {
        email: `${person.id}@shop.test`,
        of_email: `${person.id}@shop.test`,
        former: "user",
        role: "moderator",
      },
    });
    await open().query("delete from public.outgoing_emails");
    await give(admin, "user");
    await open().query("delete from auth.users where id = $1", [person.id]);
    expect(await callAsServer(open(), "claim_email()")).toBeNull();
  });
});
