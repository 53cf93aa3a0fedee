import { createHmac, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { identify } from "./caller.ts";

const secrets = {
  jwtSecret: "a secret",
  publishableKey: "sb_publishable_a",
  secretKey: "sb_secret_b",
  issuer: "http://shop.example/auth/v1",
};
const nowMs = 1_700_000_000_000;
const userId = randomUUID();

function token(
  claims: object,
  secret = secrets.jwtSecret,
  head: object = { alg: "HS256", typ: "JWT" },
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = `${part(head)}.${part(claims)}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}

const mine = {
  iss: secrets.issuer,
  aud: "authenticated",
  sub: userId,
  role: "authenticated",
  exp: nowMs / 1000 + 1,
};

function send(headers: Record<string, string>, search = "", keys = secrets, atMs = nowMs) {
  const url = new URL(`http://shop.example/rest/v1/books${search}`);
  const found = identify(new Headers(headers), url, keys, atMs);
  return "caller" in found ? found.caller.role : found.fault.code;
}

const withToken = (value: string, keys = secrets, atMs = nowMs) =>
  send({ apikey: secrets.publishableKey, authorization: `Bearer ${value}` }, "", keys, atMs);

test("The publishable key is a visitor's, the secret key the owner's, and a request without a key is refused", () => {
  expect(send({ apikey: secrets.publishableKey })).toBe("anon");
  expect(send({}, `?apikey=${secrets.publishableKey}`)).toBe("anon");
  expect(send({ apikey: secrets.publishableKey, authorization: `Bearer ${secrets.publishableKey}` })).toBe(
    "anon",
  );
  expect(send({ apikey: secrets.secretKey, authorization: `Bearer ${secrets.secretKey}` })).toBe(
    "service_role",
  );
  expect([send({}), send({ apikey: "sb_publishable_x" }), send({ apikey: "" })]).toEqual(
    Array(3).fill("PGRST301"),
  );
});

test("The secret key as a bearer token beside the public key is refused", () => {
  expect(withToken(secrets.secretKey)).toBe("PGRST301");
});

test("A session's token identifies its customer while it is signed by us, intact and not expired", () => {
  expect(withToken(token(mine))).toBe("authenticated");
  const found = identify(
    new Headers({ apikey: secrets.publishableKey, authorization: `Bearer ${token(mine)}` }),
    new URL("http://shop.example/"),
    secrets,
    nowMs,
  );
  expect(found).toMatchObject({ caller: { userId, claims: mine } });
  expect(withToken(token({ ...mine, exp: nowMs / 1000 }))).toBe("PGRST303");
  expect(withToken(token({ ...mine, exp: "tomorrow" }))).toBe("PGRST303");
  expect(withToken(token(mine, "another secret"))).toBe("PGRST301");
  expect(withToken(`${token(mine)}x`)).toBe("PGRST301");
  expect(withToken(token(mine, secrets.jwtSecret, { alg: "none" }))).toBe("PGRST301");
  expect(withToken("not.a.token")).toBe("PGRST301");
});

test("Even a token signed with our secret is refused for a role above a customer's, or without a user id", () => {
  expect(withToken(token({ ...mine, role: "service_role" }))).toBe("PGRST301");
  expect(withToken(token({ ...mine, role: "postgres" }))).toBe("PGRST301");
  expect(withToken(token({ ...mine, sub: "1; drop table books" }))).toBe("PGRST301");
});

test("checks a token's time, issuer and signature again although it was valid before", () => {
  const value = token(mine);
  expect(withToken(value)).toBe("authenticated");
  const [head, body, signature = ""] = value.split(".");
  const others = [
    withToken(value, secrets, nowMs + 1_000),
    withToken(value, { ...secrets, issuer: "http://other.example/auth/v1" }),
    withToken(value, { ...secrets, jwtSecret: "another secret" }),
    withToken([head, body, `${signature[0] === "A" ? "B" : "A"}${signature.slice(1)}`].join(".")),
    withToken([head, token({ ...mine, sub: randomUUID() }).split(".")[1], signature].join(".")),
  ];
  expect(others).toEqual(["PGRST303", "PGRST303", "PGRST301", "PGRST301", "PGRST301"]);
  expect(withToken(value)).toBe("authenticated");
});

test("still refuses forged tokens after a thousand valid ones", () => {
  for (let n = 0; n <= 1_000; n += 1) expect(withToken(token({ ...mine, jti: n }))).toBe("authenticated");
  expect(withToken(token({ ...mine, jti: 1 }, "another secret"))).toBe("PGRST301");
  expect(withToken(token({ ...mine, jti: 1 }))).toBe("authenticated");
});
