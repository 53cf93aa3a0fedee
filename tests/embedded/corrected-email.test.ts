import { beforeAll, expect, test } from "vitest";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

let api: OwnApi;
let admin: string;
beforeAll(async () => {
  api = await openOwnApi();
  admin = await api.newPerson("admin");
  return api.close;
});

const call = async (name: string, as: string, body: object) => {
  const response = await api.ask(`/rest/v1/rpc/${name}`, { method: "POST", as, body });
  const { message = null, details = "{}" } = (await response.json().catch(() => ({}))) ?? {};
  return { status: response.status, message, code: JSON.parse(details ?? "{}").code };
};
const emailsOf = async (id: string) => {
  const [row] = await api.sql.query<{ email: string; email_change: string | null }>(
    "select email, email_change from auth.users where id = $1",
    [id],
  );
  return row;
};
/** What waits to be emailed about this account. */
const tasksOf = async (id: string) =>
  (
    await api.sql.query<{ task: object }>(
      "select task from private_shop.account_tasks where task ->> 'userId' = $1",
      [id],
    )
  ).map(({ task }) => task);

test("keeps the address until the new one is confirmed, and emails once however often it is requested", async () => {
  const person = await api.newPerson();
  const { email = "" } = (await emailsOf(person)) ?? {};
  const request = { _user_id: person, _seen_email: email, _email: " New@School.example " };
  expect((await call("request_email_change", admin, request)).status).toBeLessThan(300);
  expect((await call("request_email_change", admin, request)).status).toBeLessThan(300);
  expect(await emailsOf(person)).toEqual({ email, email_change: "new@school.example" });
  expect(await tasksOf(person)).toEqual([
    { kind: "change-email", userId: person, email: "new@school.example", redirectTo: null },
  ]);

  await api.sql.query(
    "insert into private_shop.email_links (token_hash, kind, user_id, email, created_at) values ('x', 'email_change', $1, 'new@school.example', now())",
    [person],
  );
  expect((await call("withdraw_email_change", admin, { _user_id: person })).status).toBeLessThan(300);
  expect(await emailsOf(person)).toEqual({ email, email_change: null });
  expect(await api.sql.query("select from private_shop.email_links where user_id = $1", [person])).toEqual(
    [],
  );
  const log = await api.sql.query(
    "select actor, before ->> 'new_email' as was, after ->> 'new_email' as is from public.audit_log where row_id = $1 order by id",
    [person],
  );
  expect(log).toEqual([
    { actor: admin, was: null, is: "new@school.example" },
    { actor: admin, was: "new@school.example", is: null },
  ]);
});

test("ends a change that staff have asked for when its account gets a duty or a role", async () => {
  for (const grant of [
    (person: string) =>
      api.sql.query("insert into public.user_roles (user_id, role) values ($1, 'moderator')", [person]),
    (person: string) => call("change_duties", admin, { _user_id: person, _give: ["orders"] }),
  ]) {
    const person = await api.newPerson();
    const email = (await emailsOf(person))?.email;
    await call("request_email_change", admin, {
      ...{ _user_id: person, _seen_email: email, _email: `next-${person}@school.example` },
    });
    expect((await emailsOf(person))?.email_change).not.toBeNull();
    await grant(person);
    expect(await emailsOf(person)).toEqual({ email, email_change: null });
  }
});

test("refuses a taken or invalid email, and a request from an outdated page", async () => {
  const [person, other] = [await api.newPerson(), await api.newPerson()];
  const seen = (await emailsOf(person))?.email;
  const taken = (await emailsOf(other))?.email;
  const attempt = (email: string | undefined, by = admin, from = seen) =>
    call("request_email_change", by, { _user_id: person, _seen_email: from, _email: email });
  expect(await attempt(taken?.toUpperCase())).toMatchObject({ status: 409, code: "email_taken" });
  expect(await attempt("nobody")).toMatchObject({ status: 400, code: "invalid_field" });
  expect(await attempt(seen)).toMatchObject({ status: 400, message: "This is already their email address." });
  expect(await attempt("a@school.example", admin, "old@school.example")).toMatchObject({
    status: 409,
    code: "person_changed",
  });
  expect(await attempt("a@school.example", person)).toMatchObject({ status: 403, code: "duty_missing" });
  expect(await emailsOf(person)).toEqual({ email: seen, email_change: null });
});

test("leaves staff's addresses to admins", async () => {
  const [clerk, colleague] = [await api.newPerson(), await api.newPerson()];
  await api.sql.query(
    "insert into public.staff_duties (user_id, duty) values ($1, 'people'), ($2, 'stock')",
    [clerk, colleague],
  );
  const request = {
    _user_id: colleague,
    _seen_email: (await emailsOf(colleague))?.email,
    _email: "thief@school.example",
  };
  expect(await call("request_email_change", clerk, request)).toMatchObject({ code: "admin_only" });
  expect(await call("withdraw_email_change", clerk, { _user_id: colleague })).toMatchObject({
    code: "admin_only",
  });
});
