import { expect, it } from "vitest";
import type { Client } from "#tests/support/factories.ts";
import { followLink } from "#tests/support/outbox.ts";
import { describeContract, memoryStorage, newCustomer, newEmail, password, type Target } from "./target.ts";

/* What the pages of /auth rely on. Emails are read from the outbox, so these run only on the embedded backend. */

const here = { hosted: false };

async function signUp(target: Target, client: Client, email = newEmail()) {
  const emailRedirectTo = `${target.siteUrl}/shop`;
  const options = { emailRedirectTo, data: { full_name: "Esi Owusu", phone: "+233201234567" } };
  return { email, ...(await client.auth.signUp({ email, password, options })) };
}

/** Follows a mail's link as a browser does: the session comes in the fragment of the page where it lands. */
async function follow(target: Target, link: string | undefined) {
  const response = await followLink(link, target.fetch);
  const landing = new URL(response.headers.get("location") ?? "");
  return {
    status: response.status,
    page: landing.origin + landing.pathname,
    fragment: new URLSearchParams(landing.hash.slice(1)),
  };
}

describeContract(
  "Opening an account",
  (target) => {
    it("sends a link that lands on /shop with a session, on any device", async () => {
      const { email } = await signUp(target(), target().client());
      const mail = await target().findMail(email);
      expect(mail.subject).toBe("Adwene Books: confirm your email address");
      const { status, page, fragment } = await follow(target(), mail.links[0]);
      expect([status, page]).toEqual([303, `${target().siteUrl}/shop`]);
      const session = {
        access_token: fragment.get("access_token") ?? "",
        refresh_token: fragment.get("refresh_token") ?? "",
      };
      const elsewhere = target().client();
      const { data } = await elsewhere.auth.setSession(session);
      expect(data.user?.email).toBe(email);
      const profile = await elsewhere.from("profiles").select("full_name, email, phone").single();
      expect(profile.data).toEqual({ full_name: "Esi Owusu", email, phone: "+233 20 123 4567" });
    });

    it("uses up a link once, and not when a program fetches it", async () => {
      const { email } = await signUp(target(), target().client());
      const [link] = (await target().findMail(email)).links;
      for (const method of ["HEAD", "GET", "GET"]) {
        const glance = await target().fetch(link ?? "", { method });
        expect([glance.status, glance.headers.get("location")]).toEqual([200, null]);
      }
      expect((await follow(target(), link)).fragment.get("access_token")).toBeTruthy();
      const again = await follow(target(), link);
      expect(again.page).toBe(`${target().siteUrl}/shop`);
      expect(again.fragment.get("error_code")).toBe("otp_expired");
    });

    it("never leads from an email to another site", async () => {
      const email = newEmail();
      const options = { emailRedirectTo: "https://evil.example/shop" };
      await target().client().auth.signUp({ email, password, options });
      const [link = ""] = (await target().findMail(email)).links;
      expect((await follow(target(), link)).page).toBe(`${target().siteUrl}/shop`);
      const bent = new URL(link);
      bent.searchParams.set("redirect_to", "https://evil.example/");
      expect((await follow(target(), bent.href)).page).toBe(`${target().siteUrl}/`);
    });

    it("refuses a sign-in before the address is confirmed, and says why only to someone who knows the password", async () => {
      const client = target().client();
      const { email } = await signUp(target(), client);
      const { error } = await client.auth.signInWithPassword({ email, password });
      expect([error?.code, error?.message]).toEqual(["email_not_confirmed", "Email not confirmed"]);
      const stranger = await client.auth.signInWithPassword({ email, password: "a guess" });
      expect(stranger.error?.code).toBe("invalid_credentials");
    });

    it("refuses a password of five characters and an invalid address", async () => {
      const client = target().client();
      const short = await client.auth.signUp({ email: newEmail(), password: "five5" });
      expect([short.error?.code, short.error?.message]).toEqual([
        "weak_password",
        "Password should be at least 6 characters.",
      ]);
      const wrong = await client.auth.signUp({ email: "nobody", password });
      expect(wrong.error?.message).toBe("Unable to validate email address: invalid format");
    });

    it("responds to a customer's address as to a new one, and sends them nothing", async () => {
      const customer = await newCustomer(target());
      const before = await target().countMails(customer.email);
      const existing = await signUp(target(), target().client(), customer.email.toUpperCase());
      const unknown = await signUp(target(), target().client());
      expect(existing.error).toBeNull();
      expect(Object.keys(existing.data.user ?? {}).sort()).toEqual(
        Object.keys(unknown.data.user ?? {}).sort(),
      );
      expect(existing.data.user?.id).not.toBe(customer.id);
      expect(unknown.error).toBeNull();
      await target().findMail(unknown.email); // Emails are written in order.
      expect(await target().countMails(customer.email)).toBe(before);
    });
  },
  here,
);

describeContract(
  "A session",
  (target) => {
    it("is stored and survives a reload", async () => {
      const storage = memoryStorage();
      const { email } = await newCustomer(target());
      await target().client(storage).auth.signInWithPassword({ email, password });
      const { data } = await target().client(storage).auth.getSession();
      expect(data.session?.user.email).toBe(email);
    });

    it("is refreshed with a new token, and listeners are notified", async () => {
      const { client } = await newCustomer(target());
      const before = (await client.auth.getSession()).data.session;
      const heard: string[] = [];
      const { data } = client.auth.onAuthStateChange((event) => void heard.push(event));
      const { data: refreshed, error } = await client.auth.refreshSession();
      data.subscription.unsubscribe();
      expect(error).toBeNull();
      expect(refreshed.session?.refresh_token).not.toBe(before?.refresh_token);
      expect(refreshed.session?.expires_in).toBe(3600);
      expect(heard).toContain("TOKEN_REFRESHED");
    });

    it("cannot be refreshed after signing out", async () => {
      const { client } = await newCustomer(target());
      const session = (await client.auth.getSession()).data.session;
      await client.auth.signOut();
      const { error } = await target()
        .client()
        .auth.refreshSession({
          refresh_token: session?.refresh_token ?? "",
        });
      expect(error?.code).toBe("refresh_token_not_found");
    });

    it("is refused with the same message for a wrong password as for an unknown address", async () => {
      const { email } = await newCustomer(target());
      const client = target().client();
      const wrong = await client.auth.signInWithPassword({ email, password: "something else" });
      const unknown = await client.auth.signInWithPassword({ email: newEmail(), password });
      for (const { error } of [wrong, unknown]) {
        expect([error?.code, error?.message]).toEqual(["invalid_credentials", "Invalid login credentials"]);
      }
    });
  },
  here,
);

describeContract(
  "A forgotten password",
  (target) => {
    it("is replaced through an email whose link lands on /auth/reset and is marked as a recovery", async () => {
      const { email, client: earlier } = await newCustomer(target());
      const client = target().client();
      const redirectTo = `${target().siteUrl}/auth/reset`;
      expect((await client.auth.resetPasswordForEmail(email, { redirectTo })).error).toBeNull();
      const mail = await target().findMail(email, 1);
      expect(mail.subject).toBe("Adwene Books: choose a new password");
      const { page, fragment } = await follow(target(), mail.links[0]);
      expect([page, fragment.get("type")]).toEqual([redirectTo, "recovery"]);
      await client.auth.setSession({
        access_token: fragment.get("access_token") ?? "",
        refresh_token: fragment.get("refresh_token") ?? "",
      });
      const changed = await client.auth.updateUser({ password: "another password" });
      expect(changed.error).toBeNull();
      const old = await target().client().auth.signInWithPassword({ email, password });
      expect(old.error?.code).toBe("invalid_credentials");
      const fresh = await target().client().auth.signInWithPassword({ email, password: "another password" });
      expect(fresh.error).toBeNull();
      // Whoever was signed in with the old password is signed in no longer.
      expect((await earlier.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
      expect((await client.auth.refreshSession()).error).toBeNull();
    });

    it("responds to an unknown address as to a known one, and sends nothing", async () => {
      const email = newEmail();
      const { error } = await target().client().auth.resetPasswordForEmail(email);
      expect(error).toBeNull();
      const later = await signUp(target(), target().client());
      await target().findMail(later.email); // Emails are written in order.
      expect(await target().countMails(email)).toBe(0);
    });

    it("is emailed once a minute, whether the address is known or not", async () => {
      const { email } = await newCustomer(target());
      for (const address of [email, newEmail()]) {
        const { auth } = target().client();
        expect((await auth.resetPasswordForEmail(address)).error).toBeNull();
        const { error } = await auth.resetPasswordForEmail(address);
        expect([error?.status, error?.code]).toEqual([429, "over_email_send_rate_limit"]);
        expect(error?.message).toMatch(
          /^For security purposes, you can only request this after \d+ seconds\.$/,
        );
      }
    });
  },
  here,
);
