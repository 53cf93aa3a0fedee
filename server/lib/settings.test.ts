import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

test("Without any variable the shop is reachable only from this machine, with demo books", () => {
  expect(readSettings({})).toEqual({
    port: 3000,
    host: "127.0.0.1",
    siteUrl: "http://localhost:3000",
    dataDir: resolve("./data"),
    databaseUrl: null,
    hosted: null,
    secretKey: null,
    paystack: null,
    smtpUrl: null,
    mailFrom: "no-reply@localhost",
    shopEmail: null,
    demo: true,
    offlinePages: true,
    trustedProxies: [],
    adminEmail: null,
    adminPassword: null,
    accessLog: "off",
    metricsKey: null,
    workers: 1,
  });
});

test("Every variable is read", () => {
  const settings = readSettings({
    PORT: "8080",
    HOST: "0.0.0.0",
    SITE_URL: "https://shop.example/",
    DATA_DIR: "/srv/shop",
    DATABASE_URL: "postgresql://shop@localhost/shop",
    SUPABASE_URL: "https://project.supabase.co/",
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_key",
    SUPABASE_SECRET_KEY: "sb_secret_key",
    PAYSTACK_SECRET_KEY: "sk_live_0123456789",
    SMTP_URL: "smtps://user:secret@mail.example",
    MAIL_FROM: "shop@shop.example",
    SHOP_EMAIL: "Orders@Shop.example",
    SHOP_DEMO: "0",
    OFFLINE_PAGES: "0",
    TRUSTED_PROXIES: "127.0.0.1, ::1",
    ADMIN_EMAIL: "owner@shop.example",
    ADMIN_PASSWORD: "a long password",
    ACCESS_LOG: "ip",
    METRICS_KEY: "0123456789abcdef",
    WORKERS: "4",
  });
  expect(settings).toEqual({
    port: 8080,
    host: "0.0.0.0",
    siteUrl: "https://shop.example",
    dataDir: "/srv/shop",
    databaseUrl: "postgresql://shop@localhost/shop",
    hosted: { url: "https://project.supabase.co", publishableKey: "sb_publishable_key" },
    secretKey: "sb_secret_key",
    paystack: { secretKey: "sk_live_0123456789", url: "https://api.paystack.co" },
    smtpUrl: "smtps://user:secret@mail.example",
    mailFrom: "shop@shop.example",
    shopEmail: "orders@shop.example",
    demo: false,
    offlinePages: false,
    trustedProxies: ["127.0.0.1", "::1"],
    adminEmail: "owner@shop.example",
    adminPassword: "a long password",
    accessLog: "ip",
    metricsKey: "0123456789abcdef",
    workers: 4,
  });
});

const serviceRole = `e30.${Buffer.from('{"role":"service_role"}').toString("base64url")}.x`;

const anonKey = `e30.${Buffer.from('{"role":"anon"}').toString("base64url")}.x`;

const notAnAddress = "MAIL_FROM must be only an email address, such as no-reply@shop.example";
const httpOnly = "must be an address of the form http://… or https://…";
const onlyAnOrigin = "SITE_URL must be only an origin, such as https://shop.example";
const passwordLength = "ADMIN_PASSWORD must have 6 to 72 characters (bytes)";
const metricsLength = "METRICS_KEY must have at least 16 characters, none of them a space";
const workersRange = "WORKERS (or --workers) must be a number from 1 to 64";
const noSecret = "SUPABASE_PUBLISHABLE_KEY holds a secret key, which browsers would see";
const project = { SUPABASE_URL: "https://p.example" };
const notPaystack = "PAYSTACK_SECRET_KEY must be Paystack's secret key, sk_live_… or sk_test_…";
const paystack = { PAYSTACK_SECRET_KEY: "sk_test_0123456789" };
const owner = { ADMIN_EMAIL: "owner@shop.example" };

test.each<[message: string, env: NodeJS.ProcessEnv]>([
  ["PORT must be a number from 0 to 65535", { PORT: "abc" }],
  ["PORT must be a number from 0 to 65535", { PORT: "65536" }],
  ["PORT must be a number from 0 to 65535", { PORT: "0x10" }],
  ["PORT must be a number from 0 to 65535", { PORT: "000080" }],
  [`SITE_URL ${httpOnly}`, { SITE_URL: "shop.example" }],
  [`SITE_URL ${httpOnly}`, { SITE_URL: "ftp://shop.example" }],
  [onlyAnOrigin, { SITE_URL: "https://shop.example/books" }],
  [onlyAnOrigin, { SITE_URL: "https://shop.example/?a" }],
  [onlyAnOrigin, { SITE_URL: "https://shop.example/#a" }],
  [onlyAnOrigin, { SITE_URL: "https://ama@shop.example/" }],
  ["SHOP_EMAIL must be an email address such as orders@shop.example", { SHOP_EMAIL: "orders" }],
  [
    "DATABASE_URL must be an address of the form postgres://… or postgresql://…",
    { DATABASE_URL: "mysql://localhost" },
  ],
  ["SUPABASE_PUBLISHABLE_KEY is missing: SUPABASE_URL is set without it", project],
  [
    "SUPABASE_URL is missing: SUPABASE_PUBLISHABLE_KEY is set without it",
    { SUPABASE_PUBLISHABLE_KEY: "sb_publishable_key" },
  ],
  [noSecret, { ...project, SUPABASE_PUBLISHABLE_KEY: "sb_secret_key" }],
  [noSecret, { ...project, SUPABASE_PUBLISHABLE_KEY: serviceRole }],
  [`SUPABASE_URL ${httpOnly}`, { SUPABASE_URL: "p.example", SUPABASE_PUBLISHABLE_KEY: "sb_publishable_key" }],
  [
    "SMTP_URL must be an address of the form smtp://… or smtps://…",
    { SMTP_URL: "mail.example", MAIL_FROM: "a@b.example" },
  ],
  ["MAIL_FROM is missing: SMTP_URL is set", { SMTP_URL: "smtp://mail.example" }],
  ...["a b@c d", "Shop <a@b.example", "Shop <a@b.example>", "a@b.example, c@d.example", "@", "a@"].map(
    (text): [string, NodeJS.ProcessEnv] => [notAnAddress, { MAIL_FROM: text }],
  ),
  ...["smtp://", "smtps://user:password@", "smtp://:25"].map((text): [string, NodeJS.ProcessEnv] => [
    "SMTP_URL must be an address of the form smtp://… or smtps://…",
    { SMTP_URL: text, MAIL_FROM: "a@b.example" },
  ]),
  ...["abc", "sb_publishable_key", anonKey].map((text): [string, NodeJS.ProcessEnv] => [
    "SUPABASE_SECRET_KEY must be the project's secret key, sb_secret_… or its service_role key",
    { SUPABASE_SECRET_KEY: text },
  ]),
  [notAnAddress, { MAIL_FROM: "shop" }],
  [notAnAddress, { MAIL_FROM: "a@b@c" }],
  [notAnAddress, { MAIL_FROM: "a@b\nc" }],
  [notAnAddress, { MAIL_FROM: "a\nb@c" }],
  [notPaystack, { PAYSTACK_SECRET_KEY: "pk_live_0123456789" }],
  [notPaystack, { PAYSTACK_SECRET_KEY: "sk_live_" }],
  ["PAYSTACK_URL is for tests: http://127.0.0.1:…", { ...paystack, PAYSTACK_URL: "http://evil.example" }],
  [
    "PAYSTACK_URL must be an address of the form http://…",
    { ...paystack, PAYSTACK_URL: "https://api.paystack.co" },
  ],
  ["OFFLINE_PAGES must be 0 or 1", { OFFLINE_PAGES: "off" }],
  ["SHOP_DEMO must be 0 or 1", { SHOP_DEMO: "no" }],
  ['TRUSTED_PROXIES holds "proxy.example", which is not an IP address', { TRUSTED_PROXIES: "proxy.example" }],
  ["ADMIN_EMAIL must be an email address such as owner@shop.example", { ADMIN_EMAIL: "owner" }],
  ["ADMIN_EMAIL is missing: ADMIN_PASSWORD is set", { ADMIN_PASSWORD: "a long password" }],
  ["ACCESS_LOG must be 0, 1 or ip", { ACCESS_LOG: "yes" }],
  ...["0", "65", "-1", "1.5", "two", "true", "02", " 2"].map((WORKERS): [string, NodeJS.ProcessEnv] => [
    workersRange,
    { WORKERS },
  ]),
  [metricsLength, { METRICS_KEY: "0123456789abcde" }],
  [metricsLength, { METRICS_KEY: "0123456789abcdef g" }],
  [metricsLength, { METRICS_KEY: " 0123456789abcdef" }],
  [passwordLength, { ...owner, ADMIN_PASSWORD: "short" }],
  [passwordLength, { ...owner, ADMIN_PASSWORD: "é".repeat(37) }],
])("A wrong setting is refused in one line: %s (%j)", (message, env) => {
  expect(() => readSettings(env)).toThrow(expect.objectContaining({ name: "SettingsError", message }));
});

test("Values just within the limits are allowed", () => {
  for (const [name, text] of [
    ["PORT", "65535"],
    ["METRICS_KEY", "0123456789abcdef"],
    ["WORKERS", "64"],
    ["SITE_URL", "http://shop.example"],
    ["DATABASE_URL", "postgres://localhost"],
    ["SHOP_DEMO", ""],
    ["MAIL_FROM", "shop@shop.example"],
    ["MAIL_FROM", "shop@localhost"],
    ["SUPABASE_SECRET_KEY", "sb_secret_key"],
    ["SUPABASE_SECRET_KEY", serviceRole],
  ] as const)
    expect(() => readSettings({ [name]: text }), name).not.toThrow();
  for (const password of ["sixsix", "é".repeat(36)])
    expect(readSettings({ ...owner, ADMIN_PASSWORD: password }).adminPassword).toBe(password);
  expect(readSettings({ SMTP_URL: "smtp://mail.example", MAIL_FROM: "a@b" }).smtpUrl).toBe(
    "smtp://mail.example",
  );
  expect(
    readSettings({ SUPABASE_URL: "http://p.example", SUPABASE_PUBLISHABLE_KEY: "e30.e30.x" }).hosted,
  ).toEqual({
    url: "http://p.example",
    publishableKey: "e30.e30.x",
  });
});

test("The words of a setting have their documented meaning", () => {
  expect([readSettings({ SHOP_DEMO: "1" }).demo, readSettings({ SHOP_DEMO: "0" }).demo]).toEqual([
    true,
    false,
  ]);
  const logs = ["", "0", "1", "ip"].map((text) => readSettings({ ACCESS_LOG: text }).accessLog);
  expect(logs).toEqual(["off", "off", "on", "ip"]);
  expect(readSettings({ PORT: "81" }).siteUrl).toBe("http://localhost:81");
  expect(readSettings({ SITE_URL: "https://shop.example:444" })).toMatchObject({
    siteUrl: "https://shop.example:444",
    mailFrom: "no-reply@shop.example",
  });
  expect(readSettings({ TRUSTED_PROXIES: " ,10.0.0.1,, " }).trustedProxies).toEqual(["10.0.0.1"]);
});
