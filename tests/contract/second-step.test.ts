import { expect, it } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import { type Client, dataOf, signInMember } from "#tests/support/factories.ts";
import { appCode, setUpSecondStep } from "#tests/support/second-step.ts";
import { describeContract, newAdmin, newCustomer, type Target } from "./target.ts";

/** The first requests of the back office, and those that affect others: each is refused or returns nothing. */
async function reachOf(client: Client, other: string) {
  const [users, orders, log, settings, role, file] = await Promise.all([
    client.rpc("admin_list_users"),
    client.from("orders").select("id", { count: "exact", head: true }),
    client.from("audit_log").select("id").limit(1),
    client.rpc("update_settings", { _values: { lowStock: 7 }, _seen: {} }),
    client.from("user_roles").insert({ user_id: other, role: "admin" }).select("id"),
    client.storage.from("book-covers").upload(`${crypto.randomUUID()}.jpg`, new Blob(["x"]), {
      contentType: "image/jpeg",
    }),
  ]);
  return {
    users: users.error ? "refused" : "read",
    orders: orders.count === 0 ? "none" : "read",
    log: log.data?.length ? "read" : "none",
    settings: settings.error?.message ?? "changed",
    role: role.error ? "refused" : "given",
    file: file.error ? "refused" : "stored",
  };
}

const nothing = { users: "refused", orders: "none", log: "none", role: "refused", file: "refused" };

async function newAdminWithSecondStep(target: Target) {
  const admin = await newAdmin(target);
  return { ...admin, secret: await setUpSecondStep(admin.client) };
}

const signInAgain = async (target: Target, { email, password }: { email: string; password: string }) =>
  (await signInMember(target.client(), email, password)).client;

const turn = async (client: Client, on: boolean) => {
  const { data } = await client
    .from("shop_settings")
    .select("updated_at")
    .eq("id", "staffSecondStep")
    .maybeSingle();
  return client.rpc("update_settings", {
    _values: { staffSecondStep: on },
    _seen: data ? { staffSecondStep: data.updated_at } : {},
  });
};

describeContract(
  "The second step",
  (target) => {
    it("someone with only an admin's password can't use the back office, whatever they request", async () => {
      const admin = await newAdminWithSecondStep(target());
      const other = await newCustomer(target());
      const thief = await signInAgain(target(), admin);
      expect((await thief.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
        currentLevel: "aal1",
        nextLevel: "aal2",
      });
      expect(await reachOf(thief, other.id)).toMatchObject(nothing);
      expect((await thief.rpc("own_second_step")).data).toBe("code");
      expect((await thief.rpc("remove_second_step", { _user_id: admin.id })).error).not.toBeNull();
      expect((await thief.auth.updateUser({ password: "the thief's own" })).error?.code).toBe(
        "insufficient_aal",
      );
      // The same session, once the code has been entered.
      const { data } = await thief.auth.mfa.listFactors();
      const verified = await thief.auth.mfa.challengeAndVerify({
        factorId: data?.totp[0]?.id ?? "",
        code: appCode(admin.secret),
      });
      expect(verified.error).toBeNull();
      expect(await reachOf(thief, other.id)).toMatchObject({ users: "read", log: "read", role: "given" });
      expect((await thief.rpc("own_second_step")).data).toBeNull();
    });

    it("is required of all staff once an admin with it turns that on, until the secret key turns it off", async () => {
      const [admin, without, customer] = [
        await newAdminWithSecondStep(target()),
        await newAdmin(target()),
        await newCustomer(target()),
      ];
      expect((await turn(without.client, true)).error?.message).toContain(
        "Set up your own second step first",
      );
      try {
        expect((await turn(admin.client, true)).error).toBeNull();
        expect(await reachOf(without.client, customer.id)).toMatchObject(nothing);
        expect((await without.client.rpc("own_second_step")).data).toBe("factor");
        expect((await customer.client.from("profiles").select("id").single()).data?.id).toBe(customer.id);
        await setUpSecondStep(without.client);
        expect((await reachOf(without.client, customer.id)).users).toBe("read");
        const { data } = await without.client.auth.mfa.listFactors();
        expect(
          (await without.client.auth.mfa.unenroll({ factorId: data?.totp[0]?.id ?? "" })).error,
        ).toBeNull();
        // The token still claims the second step, which has been removed.
        expect((await reachOf(without.client, customer.id)).users).toBe("refused");
      } finally {
        expect((await turn(target().owner, false)).error).toBeNull();
      }
      expect((await without.client.rpc("own_second_step")).data).toBeNull();
    });

    it("is removed by another admin: logged, emailed, and the person is signed out everywhere", async () => {
      const [admin, lost] = [await newAdmin(target()), await newAdminWithSecondStep(target())];
      const has = () => admin.client.rpc("people_with_second_step", { _ids: [lost.id, admin.id] });
      expect((await has()).data).toEqual([lost.id]);
      expect(await dataOf(admin.client.rpc("remove_second_step", { _user_id: lost.id }))).toBe(true);
      expect(await dataOf(admin.client.rpc("remove_second_step", { _user_id: lost.id }))).toBe(false);
      expect((await has()).data).toEqual([]);
      expect((await lost.client.auth.refreshSession()).error).not.toBeNull();
      const again = await signInAgain(target(), lost);
      expect((await again.rpc("admin_list_users")).error).toBeNull();
      const { data: log } = await admin.client
        .from("audit_log")
        .select("actor, action")
        .eq("table_name", "second_steps")
        .eq("row_id", lost.id);
      expect(log).toEqual([{ actor: admin.id, action: "delete" }]);
      // The email about the new step may still be on its way when the step is removed.
      await eventually(async () => {
        const { subject } = await target().findMail(lost.email);
        expect(subject).toContain("an admin removed your second step");
      });
    });

    it("accepts a recovery code through supabase-js, but only once", async () => {
      const admin = await newAdminWithSecondStep(target());
      const { data } = await admin.client.auth.mfa.recoveryCodes.generate();
      const [code = ""] = data?.codes ?? [];
      const [first, second] = [await signInAgain(target(), admin), await signInAgain(target(), admin)];
      expect((await first.auth.mfa.recoveryCodes.verify({ code })).error).toBeNull();
      expect((await first.rpc("own_second_step")).data).toBeNull();
      expect((await second.auth.mfa.recoveryCodes.verify({ code })).error?.code).toBe(
        "mfa_verification_failed",
      );
      expect((await first.auth.mfa.recoveryCodes.getStatus()).data).toMatchObject({
        total: 10,
        remaining: 9,
      });
      expect((await first.auth.refreshSession()).error).toBeNull();
      expect((await first.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe("aal2");
    });

    it("lists a person's sessions, and ends one of them from another browser", async () => {
      const person = await newCustomer(target());
      const stranger = await newCustomer(target());
      const there = await signInAgain(target(), person);
      const sessions = await dataOf(person.client.rpc("list_own_sessions"));
      const own = sessions?.filter(({ is_this }) => is_this) ?? [];
      expect(own).toHaveLength(1);
      const other = (await dataOf(there.rpc("list_own_sessions")))?.find(({ is_this }) => is_this)?.id ?? "";
      expect(other).not.toBe(own[0]?.id);
      expect(sessions?.map(({ id }) => id)).toContain(other);
      expect(await dataOf(stranger.client.rpc("end_own_session", { _id: other }))).toBe(false);
      expect(await dataOf(person.client.rpc("end_own_session", { _id: other }))).toBe(true);
      expect((await there.auth.refreshSession()).error).not.toBeNull();
      expect((await person.client.auth.refreshSession()).error).toBeNull();
    });

    it("lists a colleague's sessions for an admin alone, who ends one of them", async () => {
      const admin = await newAdmin(target());
      const person = await newCustomer(target());
      const there = await signInAgain(target(), person);
      const lost = (await dataOf(there.rpc("list_own_sessions")))?.find(({ is_this }) => is_this)?.id ?? "";
      const sessions = await dataOf(admin.client.rpc("list_sessions_of", { _user_id: person.id }));
      expect(sessions?.map(({ id }) => id)).toContain(lost);
      expect(sessions?.some(({ is_this }) => is_this)).toBe(false);
      const ending = { _user_id: person.id, _id: lost };
      for (const refused of [
        await person.client.rpc("list_sessions_of", { _user_id: admin.id }),
        await person.client.rpc("end_session_of", ending),
      ])
        expect(refused.error?.details).toContain("admin_only");
      // Of another person, the id counts for nothing.
      expect(await dataOf(admin.client.rpc("end_session_of", { ...ending, _user_id: admin.id }))).toBe(false);
      expect(await dataOf(admin.client.rpc("end_session_of", ending))).toBe(true);
      expect((await there.auth.refreshSession()).error).not.toBeNull();
      expect((await person.client.auth.refreshSession()).error).toBeNull();
    });
  },
  { hosted: false },
);
