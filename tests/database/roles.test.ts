import { beforeAll, describe, expect, test } from "vitest";
import { addCustomer, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey, visitor } from "#tests/support/people.ts";

describeDatabase("Roles", (open) => {
  let customer: SignedIn;
  let other: SignedIn;
  let moderator: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    other = await addCustomer(open());
    moderator = await addStaff(open(), "moderator");
    admin = await addStaff(open(), "admin");
  });

  const roleOf = async (caller: SignedIn, person: SignedIn) => {
    const [row] = await open().as(caller, (query) =>
      query("select public.get_user_role(_user_id => $1) as role", [person.id]),
    );
    return row?.role;
  };
  const give = (caller: SignedIn, person: SignedIn, role: string | null) =>
    open().as(caller, (query) =>
      query("insert into public.user_roles (user_id, role) values ($1, $2) returning role", [
        person.id,
        role,
      ]),
    );
  const take = (caller: SignedIn, person: SignedIn) =>
    open().as(caller, (query) =>
      query("delete from public.user_roles where user_id = $1 returning role", [person.id]),
    );

  test("are given only to confirmed accounts, whoever gives them", async () => {
    const stranger = await addCustomer(open());
    await open().query("update auth.users set email_confirmed_at = null where id = $1", [stranger.id]);
    const byKey = (role: string) =>
      open().as(secretKey, (query) =>
        query("insert into public.user_roles (user_id, role) values ($1, $2)", [stranger.id, role]),
      );
    for (const role of ["moderator", "admin"])
      for (const args of [() => give(admin, stranger, role), () => byKey(role)])
        expect(await refusalOf(args())).toMatchObject({
          code: "PT409",
          message: expect.stringMatching(/^This person has not confirmed their email address yet\. /),
          detail: { code: "unconfirmed_account" },
        });
    await give(admin, stranger, "user");
    await open().query("update auth.users set email_confirmed_at = now() where id = $1", [stranger.id]);
    await give(admin, stranger, "moderator");
  });

  test("get_user_role returns the caller's own role, any role to an admin, and otherwise 'user'", async () => {
    expect(await roleOf(customer, customer)).toBe("user");
    expect(await roleOf(moderator, moderator)).toBe("moderator");
    expect(await roleOf(admin, admin)).toBe("admin");
    expect(await roleOf(admin, moderator)).toBe("moderator");
    expect(await roleOf(customer, admin)).toBe("user");
    expect(await roleOf(moderator, admin)).toBe("user");
    const asVisitor = open().as(visitor, (query) => query("select public.get_user_role($1)", [admin.id]));
    expect((await refusalOf(asVisitor)).code).toBe("42501");
  });

  test("customers and moderators give and take no roles, not even their own", async () => {
    for (const person of [customer, moderator]) {
      expect((await refusalOf(give(person, person, "admin"))).detail).toEqual({ code: "admin_only" });
      expect((await refusalOf(give(person, other, "moderator"))).detail).toEqual({ code: "admin_only" });
      expect((await refusalOf(take(person, admin))).detail).toEqual({ code: "admin_only" });
      const update = open().as(person, (query) => query("update public.user_roles set role = 'admin'"));
      expect((await refusalOf(update)).code).toBe("42501");
    }
    expect(await roleOf(admin, customer)).toBe("user");
  });

  test("a single insert replaces a person's role", async () => {
    for (const role of ["moderator", "user", "admin", "admin", "user"]) {
      expect(await give(admin, other, role)).toEqual([{ role }]);
      expect(await roleOf(admin, other)).toBe(role);
    }
    expect(await open().query("select role from public.user_roles where user_id = $1", [other.id])).toEqual([
      { role: "user" },
    ]);
  });

  test("deleting and inserting, as two requests, works too", async () => {
    expect(await take(admin, other)).toEqual([{ role: "user" }]);
    expect(await take(admin, other)).toEqual([]);
    await give(admin, other, "moderator");
    expect(await roleOf(admin, other)).toBe("moderator");
    await take(admin, other);
  });

  test("an unknown role is refused with a message", async () => {
    for (const role of ["owner", "", null]) {
      expect((await refusalOf(give(admin, other, role))).detail).toMatchObject({
        code: "invalid_field",
        field: "role",
      });
    }
  });

  test("the last admin can be neither demoted nor deleted, but given their role again", async () => {
    const demote = give(admin, admin, "user");
    expect(await refusalOf(demote)).toMatchObject({ code: "PT409", detail: { code: "last_admin" } });
    expect((await refusalOf(take(admin, admin))).detail).toEqual({ code: "last_admin" });
    const closeAccount = open().query("delete from auth.users where id = $1", [admin.id]);
    expect((await refusalOf(closeAccount)).detail).toEqual({ code: "last_admin" });
    await give(admin, admin, "admin");
    expect(await roleOf(admin, admin)).toBe("admin");
  });

  test("an admin can step down while there is another, and loses their rights immediately", async () => {
    const second = await addStaff(open(), "admin");
    await give(second, second, "moderator");
    expect((await refusalOf(give(second, second, "admin"))).detail).toEqual({ code: "admin_only" });
    expect(
      await open().as(second, (query) =>
        query("select id from public.user_roles where user_id = $1", [admin.id]),
      ),
    ).toEqual([]);
  });

  test("the embed of roles in profiles stays a list, and each embed is unambiguous", async () => {
    const keys = await open().query(
      `select conrelid::regclass::text as from, count(*)::int as keys from pg_constraint
       where contype = 'f' and confrelid = 'public.profiles'::regclass
         and conrelid = any ('{public.orders,public.reviews,public.user_roles}'::regclass[]) group by 1 order by 1`,
    );
    expect(keys.map(({ keys: number }) => number)).toEqual([1, 1, 1]);
    const unique = await open().query(
      `select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
       where i.indrelid = 'public.user_roles'::regclass and i.indisunique and i.indnatts = 1 and a.attname = 'user_id'`,
    );
    expect(unique).toEqual([]);
  });
});

describeDatabase("Two concurrent admins", (open) => {
  describe("demoting each other", () => {
    test.for([1, 2, 3, 4, 5])("leave one admin (round %i)", async () => {
      const [first, second] = [await addStaff(open(), "admin"), await addStaff(open(), "admin")];
      await open().query(
        "delete from public.user_roles where role = 'admin' and user_id <> all ($1::uuid[])",
        [[first.id, second.id]],
      );
      const demote = (by: SignedIn, whom: SignedIn) =>
        open().as(by, (query) =>
          query("insert into public.user_roles (user_id, role) values ($1, 'user')", [whom.id]),
        );
      const results = await Promise.allSettled([demote(first, second), demote(second, first)]);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await open().query("select role from public.user_roles where role = 'admin'")).toHaveLength(1);
    });
  });

  test("both stepping down leave one admin", async () => {
    const [first, second] = [await addStaff(open(), "admin"), await addStaff(open(), "admin")];
    await open().query("delete from public.user_roles where role = 'admin' and user_id <> all ($1::uuid[])", [
      [first.id, second.id],
    ]);
    const results = await Promise.allSettled(
      [first, second].map((person) =>
        open().as(person, (query) => query("delete from public.user_roles where user_id = $1", [person.id])),
      ),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.map(({ reason }) => JSON.parse(reason.detail).code)).toEqual(["last_admin"]);
  });
});
