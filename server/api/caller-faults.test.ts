import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { bearerOf, identify } from "./caller.ts";

const secrets = {
  jwtSecret: "a secret",
  publishableKey: "sb_publishable_a",
  secretKey: "sb_secret_b",
  issuer: "http://shop.example/auth/v1",
};
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const sign = (head: unknown, claims: unknown) => {
  const body = `${part(head)}.${part(claims)}`;
  return `${body}.${createHmac("sha256", secrets.jwtSecret).update(body).digest("base64url")}`;
};
const claims = {
  iss: secrets.issuer,
  aud: "authenticated",
  sub: "11111111-1111-4111-8111-111111111111",
  role: "authenticated",
  exp: 2_000,
};
const good = sign({ alg: "HS256" }, claims);

function send(token: string | null, key: string | null = secrets.publishableKey, nowMs = 1_000_000) {
  const headers = new Headers(token === null ? {} : { authorization: `Bearer ${token}` });
  if (key !== null) headers.set("apikey", key);
  return identify(headers, new URL("http://shop.example/rest/v1/books"), secrets, nowMs);
}

test.each([
  ["no key", null, null, "PGRST301", "No API key found in request"],
  ["another key", null, "sb_other", "PGRST301", "Invalid API key"],
  ["two parts", "a.b", undefined, "PGRST301", "The session's token cannot be read."],
  ["four parts", `${good}.x`, undefined, "PGRST301", "The session's token cannot be read."],
  [
    "a head that is no object",
    sign("HS256", claims),
    undefined,
    "PGRST301",
    "The session's token cannot be read.",
  ],
  ["a head that is null", sign(null, claims), undefined, "PGRST301", "The session's token cannot be read."],
  [
    "another signature",
    `${good.slice(0, -2)}xx`,
    undefined,
    "PGRST301",
    "The session's token is not from this shop.",
  ],
  [
    "a session that is over",
    sign({ alg: "HS256" }, { ...claims, exp: 1_000 }),
    undefined,
    "PGRST303",
    "JWT expired",
  ],
  ["claims that are null", sign({ alg: "HS256" }, null), undefined, "PGRST303", "JWT expired"],
  [
    ...(["another role", sign({ alg: "HS256" }, { ...claims, role: "service_role" }), undefined] as const),
    ...(["PGRST301", "The session's token is not a customer's."] as const),
  ],
  [
    ...(["a list of ids", sign({ alg: "HS256" }, { ...claims, sub: [claims.sub] }), undefined] as const),
    ...(["PGRST301", "The session's token is not a customer's."] as const),
  ],
] as const)("No caller is identified by %s", (_, token, key, code, message) => {
  expect(send(token, key)).toEqual({ fault: { code, message } });
});

test.each([
  ["another issuer", { iss: "http://other.example/auth/v1" }, "JWT from another issuer"],
  ["no issuer", { iss: undefined }, "JWT from another issuer"],
  ["another audience", { aud: "anon" }, "JWT not in audience"],
  ["no audience", { aud: undefined }, "JWT not in audience"],
  ["a start in the future", { nbf: 1_001 }, "JWT not yet valid"],
  ["a start that is no time", { nbf: "now" }, "JWT not yet valid"],
])("A token with %s is refused", (_, changed, message) => {
  const token = sign({ alg: "HS256" }, { ...claims, ...changed });
  expect(send(token)).toEqual({ fault: { code: "PGRST303", message } });
});

test("A token is valid from the second of its start", () => {
  expect(send(sign({ alg: "HS256" }, { ...claims, nbf: 1_000 }))).toHaveProperty("caller");
});

test.each([[["exp"]], [["b64"]], [[]], [null]])("A token with the critical header %j is refused", (crit) => {
  const token = sign({ alg: "HS256", crit, b64: false }, claims);
  expect(send(token)).toEqual({
    fault: { code: "PGRST301", message: "The session's token cannot be read." },
  });
});

test("A visitor, the owner and a customer are identified", () => {
  expect(send(good)).toEqual({ caller: { role: "authenticated", userId: claims.sub, claims } });
  expect(send(null)).toEqual({ caller: { role: "anon", userId: null, claims: { role: "anon" } } });
  expect(send(secrets.secretKey, secrets.secretKey)).toMatchObject({
    caller: { claims: { role: "service_role" } },
  });
});

test.each([
  ["Bearer a", "a"],
  ["bearer   a", "a"],
  ["Bearer a b", "a b"],
  ["Bearera", undefined],
  ["X Bearer a", undefined],
  ["", undefined],
])("The header %j carries %j", (authorization, token) => {
  expect(bearerOf(new Headers({ authorization }))).toBe(token);
});
