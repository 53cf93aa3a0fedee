import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { boundedBody } from "./bounded-body.ts";
import { otherSessions } from "./other-sessions.ts";
import { plainAccounts, plainFiles, plainQuestions } from "./plain-questions.ts";
import { plainUpload } from "./plain-upload.ts";
import { mailAgain, repeatedSignUp } from "./repeated-signup.ts";
import { safeHeaders } from "./safe-headers.ts";
import { servedPaths } from "./served-paths.ts";
import { json, stage } from "./try-gap.ts";
import { untouchedLinks } from "./untouched-links.ts";
import { validBearer } from "./valid-bearer.ts";

test("Only the calls of the shop are served: no configuration, no accounts without a confirmed mail", async () => {
  const { send } = stage();
  const statusOf = async (path: string) => (await send(servedPaths, path)).status;
  for (const path of ["/rest/v1/books", "/auth/v1/signup", "/storage/v1/object/public/a/b.jpg"]) {
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  }
  const closed = [
    "/_system/config",
    "/auth/v1/otp",
    "/auth/v1/magiclink",
    "/auth/v1/authorize",
    "/rest/v12",
    "/storage/v1/object/sign/book-covers/a.jpg",
    "/",
  ];
  for (const path of closed) expect([path, await statusOf(path)]).toEqual([path, 404]);
});

test("A look at a mail's link with HEAD never reaches the library", async () => {
  const { send, state } = stage();
  expect((await send(untouchedLinks, "/auth/v1/verify?token=x", { method: "HEAD" })).status).toBe(200);
  expect(state.passed).toHaveLength(0);
  await send(untouchedLinks, "/auth/v1/verify?token=x");
  expect(state.passed).toHaveLength(1);
});

test("A body is passed on whole up to its limit and refused above it, with or without a stated length", async () => {
  const { send, state } = stage();
  const text = JSON.stringify({ description: "x".repeat(100_000) });
  expect((await send(boundedBody, "/rest/v1/books", { method: "POST", body: text })).status).toBe(200);
  expect(await state.passed[0]?.text()).toBe(text);
  const streamed = new Blob(["x".repeat(140_000)]).stream();
  const unstated = { method: "POST", body: streamed, duplex: "half" } as RequestInit;
  expect((await send(boundedBody, "/rest/v1/books", unstated)).status).toBe(413);
  const stated = { method: "POST", body: "x", headers: { "content-length": "9999999" } };
  expect((await send(boundedBody, "/rest/v1/books", stated)).status).toBe(413);
});

test("Rows times columns are bounded, however small the rows: PGlite loses its place at 32,768 values", async () => {
  const { send } = stage();
  const rows = (count: number) => ({ method: "POST", body: JSON.stringify(Array(count).fill({ a: 1 })) });
  expect((await send(boundedBody, "/rest/v1/books?columns=a,b", rows(10_000))).status).toBe(200);
  expect((await send(boundedBody, "/rest/v1/books?columns=a,b,c", rows(10_000))).status).toBe(413);
});

test("A form with a nameless file becomes a plain upload with type and caching time", async () => {
  const { send, state } = stage();
  const form = new FormData();
  form.append("cacheControl", "3600");
  form.append("", new Blob(["cover"], { type: "image/jpeg" }), "blob");
  await send(plainUpload, "/storage/v1/object/book-covers/a.jpg", { method: "POST", body: form });
  const [plain] = state.passed;
  expect(plain?.headers.get("content-type")).toBe("image/jpeg");
  expect(plain?.headers.get("cache-control")).toBe("max-age=3600");
  expect(await plain?.text()).toBe("cover");
});

test("A broken form, or one without a file, is the asker's mistake", async () => {
  const { send, state } = stage();
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  for (const body of ["no form", '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n']) {
    const form = { method: "POST", headers, body };
    expect((await send(plainUpload, "/storage/v1/object/book-covers/a.jpg", form)).status).toBe(400);
  }
  expect(state.passed).toEqual([]);
});

function token(claims: object, secret = "a secret"): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}

test("A token passes when it is ours and not expired; anything else is refused, not taken for a visitor's", async () => {
  const { send, state } = stage();
  const seconds = state.now / 1000;
  const statusOf = async (value: string) => {
    const headers = { authorization: `Bearer ${value}` };
    const answer = await send(validBearer, "/rest/v1/books", { headers });
    return answer.ok ? "passed" : ((await answer.json()) as { code: string }).code;
  };
  expect(await statusOf(token({ exp: seconds + 1 }))).toBe("passed");
  expect(await statusOf("sb_publishable_key")).toBe("passed");
  expect(await statusOf(token({ exp: seconds }))).toBe("PGRST303");
  expect(await statusOf(token({ exp: seconds + 1 }, "another secret"))).toBe("PGRST301");
  expect(await statusOf("not.a.token")).toBe("PGRST301");
  const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.`;
  expect(await statusOf(none)).toBe("PGRST301");
});

const tooOften = () => Response.json({ msg: "only after 59 seconds" }, { status: 429 });
const typed = { email: "Ama@example.com", password: "secret1", data: { full_name: "Ama" } };

test("A second sign-up of a customer looks like a new one, tells nothing of the account, and sends nothing", async () => {
  const { send, state } = stage({ answer: tooOften, rows: () => [{ id: "the-real-id", confirmed: true }] });
  const answer = await send(repeatedSignUp, "/auth/v1/signup", json(typed));
  expect(answer.status).toBe(200);
  const body = await answer.text();
  expect(JSON.parse(body)).toMatchObject({ email: "ama@example.com", role: "authenticated" });
  expect(body).not.toContain("the-real-id");
  expect(state.mails).toEqual([]);
});

test("A second sign-up of an unconfirmed address sends a new link and looks the same", async () => {
  const { send, state } = stage({ answer: tooOften, rows: () => [{ id: "an-id", confirmed: false }] });
  const answer = await send(repeatedSignUp, "/auth/v1/signup", json(typed));
  expect(answer.status).toBe(200);
  expect(state.mails).toEqual([
    { email: "ama@example.com", tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  const update = state.statements.find(({ text }) => text.startsWith("update auth.users"));
  expect(update?.values).toEqual([state.mails[0]?.tokenHash, "an-id"]);
});

test("A sign-up that the library refuses for another reason keeps its answer", async () => {
  const { send } = stage({ answer: () => Response.json({ msg: "weak" }, { status: 422 }) });
  expect((await send(repeatedSignUp, "/auth/v1/signup", json(typed))).status).toBe(422);
});

test("Asking for the mail again answers the same for everybody and writes to the unconfirmed alone", async () => {
  const answers: unknown[] = [];
  for (const rows of [[], [{ id: "a", confirmed: true }], [{ id: "b", confirmed: false }]]) {
    const { send, state } = stage({ rows: () => rows });
    const fields = { type: "signup", email: "ama@example.com" };
    const answer = await send(mailAgain, "/auth/v1/resend", json(fields));
    answers.push([answer.status, await answer.text(), state.mails.length]);
  }
  expect(answers).toEqual([
    [200, "{}", 0],
    [200, "{}", 0],
    [200, "{}", 1],
  ]);
});

test("A new password ends the account's other sessions, another change ends none", async () => {
  const { send, state } = stage({ answer: () => Response.json({ id: "ama" }) });
  const headers = { authorization: `Bearer ${token({ session_id: "this-one" })}` };
  const change = (fields: object) =>
    send(otherSessions, "/auth/v1/user", { method: "PUT", headers, body: JSON.stringify(fields) });
  await change({ data: { full_name: "Ama" } });
  expect(state.statements).toEqual([]);
  await change({ password: "a new one" });
  expect(state.statements.map(({ values }) => values)).toEqual([["ama", "this-one"]]);
});

test("Files cannot act as pages of the shop, and no other site is invited", async () => {
  const { send } = stage({
    answer: () => new Response("<script>", { headers: { "access-control-allow-origin": "*" } }),
  });
  const { headers } = await send(safeHeaders, "/storage/v1/object/public/book-covers/a.html");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("access-control-allow-origin")).toBeNull();
});

test("What the library's own code stumbles over is the asker's mistake; a failure of the database stays one", async () => {
  const failing = (message: string) =>
    stage({ answer: () => Response.json({ code: "SUP", message }, { status: 500 }) });
  for (const message of [
    "TypeError: t.endsWith is not a function",
    "RangeError: Maximum call stack size exceeded",
    "Error: Missing closing quote at position 9",
  ]) {
    const answer = await failing(message).send(plainQuestions, "/rest/v1/books?id=constructor");
    expect([answer.status, await answer.text()]).toEqual([400, expect.not.stringContaining("rror:")]);
  }
  const lost = await failing("Error: the database is gone").send(plainQuestions, "/rest/v1/books");
  expect(lost.status).toBe(500);
});

test("A NUL never reaches the database, but a text that only spells one does", async () => {
  const { send, state } = stage();
  expect((await send(plainQuestions, "/rest/v1/books?%00=eq.1")).status).toBe(400);
  expect((await send(plainQuestions, "/rest/v1/books", json({ "a\0": 1 }))).status).toBe(400);
  expect(state.passed).toEqual([]);
  expect((await send(plainQuestions, "/rest/v1/books", json({ title: "\\u0000" }))).status).toBe(200);
});

test("Accounts are told texts, and files are asked about in buckets that exist", async () => {
  const { send, state } = stage({ rows: () => [] });
  for (const fields of [{ email: {} }, { refresh_token: [] }, { email: "a@b.example", data: "x" }, [], null])
    expect((await send(plainAccounts, "/auth/v1/recover", json(fields))).status).toBe(400);
  for (const path of ["object/list/none", "object/none/a.jpg", "bucket/none", "object/%00/a", "object/%ff/a"])
    expect((await send(plainFiles, `/storage/v1/${path}`, json({}))).status).toBe(400);
  expect(state.passed).toEqual([]);
  expect((await send(plainAccounts, "/auth/v1/signup", json(typed))).status).toBe(200);
});
