import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { confirmPage } from "#server/api/accounts/confirm-page.ts";
import {
  escapeHtml,
  writeChangeNotice,
  writeLinkEmail,
  writePasswordNotice,
} from "#server/api/accounts/emails.ts";
import { dataOf, isForm, readBody, textOf } from "#server/api/accounts/fields.ts";
import {
  accountsRefusalResponse,
  describeWait,
  invalid,
  invalidCredentials,
  tooManyAttempts,
  tooManyEmails,
} from "#server/api/accounts/refusals.ts";
import { Refusal } from "#server/lib/refusal.ts";

const siteUrl = "http://shop.example";
const from = { siteUrl, readShop: async () => ({ name: "Adwene Books" }) };

const refusal = (work: () => unknown): Pick<Refusal, "status" | "code" | "message"> => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, code: error.code, message: error.message };
    throw error;
  }
  throw new Error("Nothing was refused");
};

test.each([
  [1, "1 second"],
  [1_000, "1 second"],
  [1_001, "2 seconds"],
  [89_000, "89 seconds"],
  [89_001, "2 minutes"],
  [120_000, "2 minutes"],
  [120_001, "3 minutes"],
])("A wait of %i ms is worded as %s", (ms, words) => {
  expect(describeWait(ms)).toBe(words);
});

test("A refusal has the hosted accounts API's form", async () => {
  const answer = accountsRefusalResponse(tooManyAttempts(1_500));
  expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
    429,
    "2",
    {
      code: 429,
      error_code: "over_request_rate_limit",
      msg: "Too many attempts. Please try again in 2 seconds.",
    },
  ]);
  expect(tooManyEmails(60_000)).toMatchObject({
    name: "Refusal",
    status: 429,
    code: "over_email_send_rate_limit",
    headers: { "retry-after": "60" },
    message: "For security purposes, you can only request this after 60 seconds.",
  });
  expect(invalid("No.")).toMatchObject({
    status: 400,
    code: "validation_failed",
    message: "No.",
    headers: {},
  });
  expect(invalidCredentials()).toMatchObject({
    status: 400,
    code: "invalid_credentials",
    message: "Invalid login credentials",
  });
});

test.each([
  [
    "signup",
    "Confirm your email address",
    "One press confirms your address and signs you in.",
    "Confirm and sign in",
  ],
  [
    ...(["contested", "Confirm your email address"] as const),
    "This address was used to sign up more than once, with different passwords. Confirm it, then choose the password for your account.",
    "Confirm and choose a password",
  ],
  ["recovery", "Choose a new password", "Continue to choose a new password for your account.", "Continue"],
  [
    ...(["email_change", "Confirm your new email address"] as const),
    ...(["One press moves your account to this email address.", "Confirm the change"] as const),
  ],
] as const)("The page of a link says what its button does: %s", async (kind, title, text, button) => {
  const answer = confirmPage(kind, new URL(`${siteUrl}/auth/v1/verify?token=a&type="b"`), "Adwene Books");
  const page = await answer.text();
  for (const [name, value] of [
    ["content-type", "text/html; charset=utf-8"],
    ["cache-control", "no-store"],
    ["referrer-policy", "no-referrer"],
  ] as const)
    expect(answer.headers.get(name)).toBe(value);
  for (const part of [
    `<title>${title} · Adwene Books</title>`,
    `<h1>${title}</h1>\n<p>${text}</p>`,
    '<p class="shop">Adwene Books</p>',
    `<form method="post" action="/auth/v1/verify?token=a&amp;type=%22b%22"><button type="submit">${button}</button></form>`,
    '<meta name="robots" content="noindex">',
  ])
    expect(page).toContain(part);
  const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(answer.headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}';`);
  expect(style).toContain("min-height: 48px");
});

test.each([
  ["signup", null, "confirm your email address", "/shop"],
  ["recovery", null, "choose a new password", "/auth/reset"],
  ["email_change", null, "confirm your new email address", "/"],
  ["signup", `${siteUrl}/books?a=b`, "confirm your email address", "/books?a=b"],
] as const)("The email of a %s link asks for %s", async (kind, redirectTo, subject, path) => {
  const email = await writeLinkEmail(from, { kind, to: "ama@example.com", token: "t&k", redirectTo });
  const link = new URL("/auth/v1/verify", siteUrl);
  link.search = new URLSearchParams({ token: "t&k", type: kind, redirect_to: siteUrl + path }).toString();
  expect([email.to, email.subject]).toEqual(["ama@example.com", `Adwene Books: ${subject}`]);
  expect(email.text).toContain(link.href);
  expect(email.html).toContain(escapeHtml(link.href));
  expect(email.text + email.html).not.toContain("{{");
});

test("Every account email has the shop's name and a link to it in its text and its HTML", async () => {
  const to = "ama@example.com";
  const link = { to, token: "t", redirectTo: null } as const;
  const emails = await Promise.all([
    ...(["signup", "recovery", "email_change"] as const).map((kind) =>
      writeLinkEmail(from, { ...link, kind }),
    ),
    writeLinkEmail(from, { ...link, kind: "recovery", template: "moved" }),
    writeChangeNotice(from, to),
    writePasswordNotice(from, to),
  ]);
  for (const { text, html } of emails) {
    expect(text).toMatch(/^Adwene Books\n\n/);
    expect(html).toContain(
      `<a href="${siteUrl}" style="color: #565c52; text-decoration: none">Adwene Books</a>`,
    );
    expect(html).not.toContain("<!-- shop -->");
  }
});

test("The sign-up email says that the button on the linked page signs in, not the link itself", async () => {
  const link = { kind: "signup", to: "ama@example.com", token: "t", redirectTo: null } as const;
  const { text, html } = await writeLinkEmail(from, link);
  expect(text).toContain("open this link and click the button on its page, which also signs you in");
  expect(text + html).not.toContain("link signs you in");
});

test("The notice of a new password names the account and says what to do if someone else changed it", async () => {
  const notice = await writePasswordNotice(from, "ama@example.com");
  expect([notice.to, notice.subject]).toEqual(["ama@example.com", "Adwene Books: your password was changed"]);
  for (const part of [notice.text, notice.html]) {
    expect(part).toContain("ama@example.com");
    expect(part).toContain("If it wasn't you, choose a new password now");
    expect(part).toContain("reply to this email");
    expect(part).not.toContain("{{");
  }
});

test("People whose account moved get an explanation, and the current address gets a notice of a change", async () => {
  const link = { kind: "recovery", to: "ama@example.com", token: "t", redirectTo: null } as const;
  const moved = await writeLinkEmail(from, { ...link, template: "moved" });
  expect(moved.subject).toBe("Adwene Books: we have moved, please choose a new password");
  expect(moved.text).not.toBe((await writeLinkEmail(from, link)).text);
  const notice = await writeChangeNotice(from, "ama@example.com");
  expect(notice.subject).toBe("Adwene Books: your email address is being changed");
  expect(notice.to).toBe("ama@example.com");
  for (const text of [notice.text, notice.html]) expect(text).not.toContain("{{");
  expect(escapeHtml(`<a href="b">&</a>'`)).toBe("&lt;a href=&quot;b&quot;&gt;&amp;&lt;/a&gt;'");
});

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request(siteUrl, { method: "POST", body, headers });

test("A body's fields are read, and an empty one or a form has none", async () => {
  expect(await readBody(post('{"a": 1}'))).toEqual({ a: 1 });
  expect(await readBody(post(" \n"))).toEqual({});
  expect(await readBody(new Request(siteUrl))).toEqual({});
  const form = post("a=b", { "content-type": "application/x-www-form-urlencoded; charset=utf-8" });
  expect([isForm(form), await readBody(form)]).toEqual([true, {}]);
  expect(isForm(post("a", { "content-type": "text/application/x-www-form-urlencoded" }))).toBe(false);
  expect(isForm(new Request(siteUrl))).toBe(false);
  const most = `{"a":"${"x".repeat(16 * 1024 - 8)}"}`;
  expect(Object.keys(await readBody(post(most)))).toEqual(["a"]);
});

test.each([
  ["{", 400, "bad_json", "The body is not valid JSON, or nested too deep."],
  ["[]", 400, "bad_json", "The body must be a JSON object."],
  ["null", 400, "bad_json", "The body must be a JSON object."],
  ["1", 400, "bad_json", "The body must be a JSON object."],
  ['{"a":"\\u0000"}', 400, "validation_failed", "A field contains an invalid character."],
  ['{"a":"\\ud800"}', 400, "validation_failed", "A field contains an invalid character."],
  [`{"a":"${"x".repeat(16 * 1024 - 7)}"}`, 413, "request_too_large", "The request is too large."],
])("A body of %j is refused", async (body, status, code, message) => {
  await expect(readBody(post(body))).rejects.toMatchObject({ status, code, message });
  const pieces = new Response(body).body;
  const streamed = new Request(siteUrl, { method: "POST", body: pieces, duplex: "half" } as RequestInit);
  await expect(readBody(streamed)).rejects.toMatchObject({ status, code, message });
});

test("A stated length is refused before anything is read", async () => {
  const body = new ReadableStream(
    { pull: () => Promise.reject(new Error("was read")) },
    { highWaterMark: 0 },
  );
  const stated = new Request(siteUrl, {
    method: "POST",
    body,
    duplex: "half",
    headers: { "content-length": "16385" },
  } as RequestInit);
  await expect(readBody(stated)).rejects.toMatchObject({ status: 413 });
});

test("A field is text, the details an object of bounded size", () => {
  expect([textOf({ a: "b" }, "a"), textOf({ a: null }, "a"), textOf({}, "toString")]).toEqual([
    "b",
    undefined,
    undefined,
  ]);
  expect(refusal(() => textOf({ email: 1 }, "email")).message).toBe("email must be a string.");
  expect([dataOf({ data: { a: 1 } }), dataOf({ data: null }), dataOf({})]).toEqual([
    { a: 1 },
    undefined,
    undefined,
  ]);
  expect(dataOf(Object.create({ data: 1 }))).toBeUndefined();
  for (const data of [1, [], "a"])
    expect(refusal(() => dataOf({ data })).message).toBe("data must be an object.");
  const sized = (bytes: number) => ({ data: { a: "é".repeat(bytes / 2 - 4) } });
  expect(dataOf(sized(4096))).toBeDefined();
  expect(refusal(() => dataOf(sized(4098)))).toEqual({
    status: 400,
    code: "validation_failed",
    message: "data is too large.",
  });
});
