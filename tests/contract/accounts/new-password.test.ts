import bcrypt from "bcrypt";
import { expect, test } from "vitest";
import { setPassword } from "#server/api/accounts/set-password.ts";
import { type Accounts, newAccount, openAccounts, password } from "#tests/support/accounts.ts";
import { eventually } from "#tests/support/eventually.ts";

const email = "ama@example.com";
const thief = "thief@example.com";

const signIn = (accounts: Accounts, word: string) =>
  accounts.send("token?grant_type=password", { email, password: word });

/** Sends requests, and gives the account a new password while they wait for the account's row. */
async function overtake<Answer>(accounts: Accounts, id: string, requests: () => Promise<Answer>[]) {
  const responses = await accounts.sql.transaction(async (sql) => {
    await sql.query("select from auth.users where id = $1::text::uuid for update", [id]);
    const sent = requests();
    await eventually(
      async () => {
        const [row] = await accounts.sql.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(row?.waiting).toBe(sent.length);
      },
      { timeout: 20_000, interval: 20 },
    );
    await setPassword(sql, id, "the owner's new one");
    return sent;
  });
  return Promise.all(responses);
}

test("The owner's new password cancels a change of address, and its links no longer count", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  await accounts.send("user", { email: thief }, { method: "PUT", token });
  const link = await accounts.linkTo(thief);
  const { password: chosen } = await accounts.ownersAccount({ email, new_password: true });
  expect((await accounts.follow(link)).fragment.get("error_code")).toBe("otp_expired");
  expect((await accounts.send("user", undefined, { token })).status).toBe(403);
  expect((await signIn(accounts, chosen ?? "")).body.user.new_email).toBeUndefined();
});

test("No email is sent for a change of address that the owner's new password overtook", async () => {
  const accounts = await openAccounts();
  const { id } = await newAccount(accounts, email);
  await accounts.sql.query("update auth.users set email_change = $1", [thief]);
  const task = { kind: "change-email", userId: id, email: thief, redirectTo: null };
  // Due only after the owner's new password, so that no earlier run of the tasks sends it.
  await accounts.sql.query(
    `insert into private_shop.account_tasks (task, due_at)
     values ($1::text::jsonb, clock_timestamp() + interval '1 hour')`,
    [JSON.stringify(task)],
  );
  await accounts.ownersAccount({ email, new_password: true });
  await accounts.sql.query("update private_shop.account_tasks set due_at = clock_timestamp()");
  expect(await accounts.linkTo(thief)).toBe("");
});

test("The owner's new password invalidates a link for another password", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email);
  await accounts.send("recover", { email });
  const link = await accounts.linkTo(email);
  await accounts.ownersAccount({ email, new_password: true });
  expect((await accounts.follow(link)).fragment.get("error_code")).toBe("otp_expired");
});

test("A new password cancels a change of address whose email has not been sent yet", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const put = (body: unknown) => accounts.send("user", body, { method: "PUT", token });
  await accounts.sql.query("update auth.users set email_change = $1 where email = $2", [thief, email]);
  const { body } = await put({ password: "a new password" });
  expect(body.new_email).toBeUndefined();
  expect((await put({ password: "a newer password", email: "new@example.com" })).body.new_email).toBe(
    "new@example.com",
  );
});

test("Sign-ins with the old password that a new one overtakes get no session", async () => {
  const accounts = await openAccounts();
  const { id } = await newAccount(accounts, email);
  const responses = await overtake(accounts, id, () => [
    signIn(accounts, password),
    signIn(accounts, password),
  ]);
  expect(responses.map(({ body }) => body.error_code)).toEqual(Array(2).fill("invalid_credentials"));
  expect(await accounts.sql.query("select from auth.sessions")).toEqual([]);
});

test("Changes to an account that a new password overtakes are refused, as is their session", async () => {
  const accounts = await openAccounts();
  const { id, token } = await newAccount(accounts, email);
  const changes = [{ password: "the thief's" }, { email: thief }, { data: { full_name: "Thief" } }];
  const responses = await overtake(accounts, id, () =>
    changes.map((change) => accounts.send("user", change, { method: "PUT", token })),
  );
  expect(responses.map(({ status, body }) => [status, body.error_code])).toEqual(
    Array(3).fill([403, "session_not_found"]),
  );
  await accounts.settle();
  expect(accounts.emails.filter(({ to }) => to === thief)).toEqual([]);
  expect(
    await accounts.sql.query(
      `select encrypted_password as hash, email_change as moves, raw_user_meta_data ->> 'full_name' as name
       from auth.users`,
    ),
  ).toEqual([{ hash: "the owner's new one", moves: null, name: null }]);
});

test("A link that a new password overtakes opens nothing", async () => {
  const accounts = await openAccounts();
  const { id } = await newAccount(accounts, email);
  await accounts.send("recover", { email });
  const link = await accounts.linkTo(email);
  const [followed] = await overtake(accounts, id, () => [accounts.follow(link)]);
  expect(followed?.fragment.get("error_code")).toBe("otp_expired");
});

test("Two changes of an account's details that overlap are both kept", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const fields = Array.from({ length: 8 }, (_, n) => `field_${n}`);
  await Promise.all(
    fields.map((field) => accounts.send("user", { data: { [field]: 1 } }, { method: "PUT", token })),
  );
  const { body } = await accounts.send("user", undefined, { token });
  expect(Object.keys(body.user_metadata)).toEqual(expect.arrayContaining(fields));
});

const subjectsTo = (accounts: Accounts, who = email) =>
  accounts.emails.filter(({ to }) => to === who).map(({ subject }) => subject);
const changed = "Adwene Books: your password was changed";

test("Every change of a password sends the account's owner an email, and a sign-up doesn't", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  await accounts.settle();
  expect(subjectsTo(accounts)).toEqual(["Adwene Books: confirm your email address"]);
  accounts.emails.length = 0;
  const put = (change: object, as: string) => accounts.send("user", change, { method: "PUT", token: as });
  await put({ data: { full_name: "Ama" } }, token);
  expect((await put({ password }, token)).status).toBe(422);
  await accounts.settle();
  expect(subjectsTo(accounts)).toEqual([]);
  expect((await put({ password: "chosen in My Account" }, token)).status).toBe(200);
  await accounts.settle();
  expect(subjectsTo(accounts)).toEqual([changed]);
  await accounts.send("recover", { email });
  const { fragment } = await accounts.follow(await accounts.linkTo(email));
  expect((await put({ password: "chosen by recovery" }, fragment.get("access_token") ?? "")).status).toBe(
    200,
  );
  await accounts.settle();
  expect(subjectsTo(accounts)).toEqual([changed, "Adwene Books: choose a new password", changed]);
  await accounts.ownersAccount({ email, new_password: true });
  await accounts.settle();
  expect(subjectsTo(accounts).slice(3)).toEqual([changed]);
});

test("The notice of a new password goes to the current address if the address is changed at the same time", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  await accounts.send("user", { password: "a thief's", email: thief }, { method: "PUT", token });
  await accounts.settle();
  expect(subjectsTo(accounts)).toContain(changed);
  expect(subjectsTo(accounts, thief)).not.toContain(changed);
});

test("The first password of an account that two people signed up for sends no notice of a change", async () => {
  const accounts = await openAccounts();
  for (const word of [password, "someone else's password"])
    await accounts.send("signup", { email, password: word });
  const { fragment } = await accounts.follow(await accounts.linkTo(email));
  const token = fragment.get("access_token") ?? "";
  expect((await accounts.send("user", { password: "chosen" }, { method: "PUT", token })).status).toBe(200);
  await accounts.settle();
  expect(subjectsTo(accounts)).not.toContain(changed);
});

test("No notice is sent for a change that failed, or to an address that can't exist", async () => {
  const accounts = await openAccounts();
  const { id } = await newAccount(accounts, email);
  await accounts.sql
    .transaction(async (sql) => {
      await setPassword(sql, id, "a hash");
      throw new Error("undone");
    })
    .catch(() => {});
  await accounts.sql.query("update auth.users set email = 'admin@shop.invalid'");
  await accounts.sql.transaction((sql) => setPassword(sql, id, "a hash"));
  await accounts.settle();
  expect(accounts.emails.map(({ subject }) => subject)).not.toContain(changed);
});

/** One password from two keyboards: with é as one character, and as e with an accent. */
const [composed, decomposed] = ["Kofi's café 1".normalize("NFC"), "Kofi's café 1".normalize("NFD")];

test("accepts a password with é from any keyboard, whichever one it was chosen with", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password: decomposed });
  const { fragment } = await accounts.follow(await accounts.linkTo(email));
  const token = fragment.get("access_token") ?? "";
  for (const typed of [composed, decomposed]) expect((await signIn(accounts, typed)).status).toBe(200);
  const change = (word: string) => accounts.send("user", { password: word }, { method: "PUT", token });
  expect((await change(composed)).body.error_code).toBe("same_password");
  expect((await change(`2 ${decomposed}`)).status).toBe(200);
  for (const typed of [composed, decomposed]) expect((await signIn(accounts, `2 ${typed}`)).status).toBe(200);
});

test("still accepts a password that an earlier version hashed as typed, decomposed", async () => {
  const accounts = await openAccounts();
  const { id } = await newAccount(accounts, email);
  await accounts.sql.query("update auth.users set encrypted_password = $2 where id = $1::text::uuid", [
    id,
    bcrypt.hashSync(decomposed, 4),
  ]);
  expect((await signIn(accounts, decomposed)).status).toBe(200);
  expect((await signIn(accounts, `${decomposed}2`)).body.error_code).toBe("invalid_credentials");
});
