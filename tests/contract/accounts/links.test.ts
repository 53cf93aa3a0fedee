import { expect, test } from "vitest";
import { newAccount, openAccounts, password, siteUrl } from "#tests/support/accounts.ts";

const email = "ama@example.com";
const pathOf = (link: string) => link.slice(siteUrl.length);

test("A program can fetch a link any number of times without using it up", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password });
  const link = pathOf(await accounts.linkTo(email));
  for (const method of ["HEAD", "GET", "GET"]) {
    const response = await accounts.ask(link, { method });
    expect([response.status, response.headers.get("location")]).toEqual([200, null]);
  }
  const page = await (await accounts.ask(link)).text();
  expect(page).toContain(`<form method="post" action="${link.replaceAll("&", "&amp;")}">`);
  expect(page).not.toContain("<script");
  expect((await accounts.follow(siteUrl + link)).fragment.get("access_token")).toBeTruthy();
  expect((await accounts.ask(link)).headers.get("location")).toContain("error_code=otp_expired");
});

test("The page of a link runs no script, sends its form only to the shop, and reveals its URL to no other site", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password });
  const link = pathOf(await accounts.linkTo(email));
  const { headers } = await accounts.ask(link);
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect([headers.get("referrer-policy"), headers.get("cache-control")]).toEqual(["no-referrer", "no-store"]);
});

test("Another site's form cannot follow a link for its visitors", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password });
  const link = pathOf(await accounts.linkTo(email));
  const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site" };
  expect((await accounts.ask(link, { method: "POST", headers })).status).toBe(403);
  expect((await accounts.follow(siteUrl + link)).fragment.get("access_token")).toBeTruthy();
});

test("A link of one kind does not count as another, and two concurrent clicks use it once", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password });
  const link = await accounts.linkTo(email);
  const bent = link.replace("type=signup", "type=recovery");
  expect((await accounts.follow(bent)).fragment.get("error_code")).toBe("otp_expired");
  const both = await Promise.all([accounts.follow(link), accounts.follow(link)]);
  expect(both.filter(({ fragment }) => fragment.has("access_token"))).toHaveLength(1);
});

test("A new address has to be confirmed; the old one is notified, and counts until then", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const newEmail = "ama.mensah@example.com";
  const changed = await accounts.send("user", { email: newEmail }, { method: "PUT", token });
  expect([changed.status, changed.body.email, changed.body.new_email]).toEqual([200, email, newEmail]);
  const link = await accounts.linkTo(newEmail);
  const notice = accounts.emails.findLast(({ to }) => to === email);
  expect(notice?.subject).toContain("your email address is being changed");
  expect(notice?.text + (notice?.html ?? "")).not.toContain("/auth/v1/verify");
  expect((await accounts.send("user", undefined, { token })).body.email).toBe(email);
  const { fragment } = await accounts.follow(link);
  expect(fragment.get("type")).toBe("email_change");
  expect((await accounts.send("user", undefined, { token })).body.email).toBe(newEmail);
  const signIn = (who: string) => accounts.send("token?grant_type=password", { email: who, password });
  expect([(await signIn(email)).status, (await signIn(newEmail)).status]).toEqual([400, 200]);
});

test("Someone else's address gets the same response as a free one, gets no email, and is not taken over", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  await newAccount(accounts, "kofi@example.com");
  const sent = accounts.emails.length;
  const responses = [];
  for (const newEmail of ["kofi@example.com", "free@example.com"]) {
    accounts.state.now += 60_000;
    const { status, body } = await accounts.send("user", { email: newEmail }, { method: "PUT", token });
    responses.push([status, Object.keys(body), body.email, body.new_email === newEmail]);
    await accounts.settle();
  }
  expect(responses[0]).toEqual(responses[1]);
  expect(accounts.emails.slice(sent).map(({ to }) => to)).toEqual([email, email, "free@example.com"]);
});

test("An unconfirmed sign-up does not block a change to its address, and is deleted by it", async () => {
  const accounts = await openAccounts();
  const { id, token } = await newAccount(accounts, email);
  const newEmail = "ama.mensah@example.com";
  await accounts.send("signup", { email: newEmail, password: "a squatter's" });
  const squatters = await accounts.linkTo(newEmail);
  await accounts.send("user", { email: newEmail }, { method: "PUT", token });
  const link = await accounts.linkTo(newEmail);
  expect(link).toContain("type=email_change");
  expect((await accounts.follow(link)).fragment.get("type")).toBe("email_change");
  expect((await accounts.follow(squatters)).fragment.get("error_code")).toBe("otp_expired");
  expect(await accounts.sql.query("select id, email from auth.users")).toEqual([{ id, email: newEmail }]);
});

test("A change to an address that someone else has confirmed since the link was sent is refused", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const newEmail = "kofi@example.com";
  await accounts.send("user", { email: newEmail }, { method: "PUT", token });
  const link = await accounts.linkTo(newEmail);
  await newAccount(accounts, newEmail);
  expect((await accounts.follow(link)).fragment.get("error_code")).toBe("otp_expired");
  expect((await accounts.send("user", undefined, { token })).body.email).toBe(email);
});

test("A new password cancels a change of address", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  await accounts.send("user", { email: "thief@example.com" }, { method: "PUT", token });
  const link = await accounts.linkTo("thief@example.com");
  await accounts.send("user", { password: "a new password" }, { method: "PUT", token });
  expect((await accounts.follow(link)).fragment.get("error_code")).toBe("otp_expired");
});

test("A change of address sends one email a minute and six an hour, whatever addresses are given", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const sent = accounts.emails.length;
  for (let n = 0; n < 30; n += 1) {
    await accounts.send("user", { email: `a${n}@example.com` }, { method: "PUT", token });
    await accounts.settle(); // Otherwise the next address could take this one's place before its email is written.
    if (n % 2) accounts.state.now += 60_000;
  }
  expect(accounts.emails.length - sent).toBe(12); // A notice and a link for each of six.
});

test("Values in an email's HTML are escaped", async () => {
  const accounts = await openAccounts();
  const redirect = encodeURIComponent(`${siteUrl}/shop?a=1&b="><script>`);
  await accounts.send(`signup?redirect_to=${redirect}`, {
    email,
    password,
    data: { full_name: "<b>Ama</b>" },
  });
  await accounts.settle();
  const html = accounts.emails.at(-1)?.html ?? "";
  expect(html).toContain("&amp;type=signup");
  expect(html).not.toMatch(/[?&](?:type|redirect_to)=|<script|<b>/);
});
