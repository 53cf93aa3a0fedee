import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readSettings, SettingsError } from "./settings.ts";

test("Without any variable the shop runs on this machine alone, with demo books", () => {
  expect(readSettings({})).toEqual({
    port: 3000,
    host: "127.0.0.1",
    siteUrl: "http://localhost:3000",
    dataDir: resolve("./data"),
    databaseUrl: null,
    hosted: null,
    smtpUrl: null,
    mailFrom: "no-reply@localhost",
    demo: true,
    trustedProxies: [],
    adminEmail: null,
    adminPassword: null,
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
    SMTP_URL: "smtps://user:secret@mail.example",
    MAIL_FROM: "shop@shop.example",
    SHOP_DEMO: "0",
    TRUSTED_PROXIES: "127.0.0.1, ::1",
    ADMIN_EMAIL: "owner@shop.example",
    ADMIN_PASSWORD: "a long password",
  });
  expect(settings).toEqual({
    port: 8080,
    host: "0.0.0.0",
    siteUrl: "https://shop.example",
    dataDir: "/srv/shop",
    databaseUrl: "postgresql://shop@localhost/shop",
    hosted: { url: "https://project.supabase.co", publishableKey: "sb_publishable_key" },
    smtpUrl: "smtps://user:secret@mail.example",
    mailFrom: "shop@shop.example",
    demo: false,
    trustedProxies: ["127.0.0.1", "::1"],
    adminEmail: "owner@shop.example",
    adminPassword: "a long password",
  });
});

const serviceRole = `e30.${Buffer.from('{"role":"service_role"}').toString("base64url")}.x`;

test.each([
  ["PORT", { PORT: "abc" }],
  ["PORT", { PORT: "70000" }],
  ["SITE_URL", { SITE_URL: "shop.example" }],
  ["SITE_URL", { SITE_URL: "https://shop.example/books" }],
  ["DATABASE_URL", { DATABASE_URL: "mysql://localhost" }],
  ["SUPABASE_PUBLISHABLE_KEY", { SUPABASE_URL: "https://project.supabase.co" }],
  ["SUPABASE_URL", { SUPABASE_PUBLISHABLE_KEY: "sb_publishable_key" }],
  [
    "SUPABASE_PUBLISHABLE_KEY",
    { SUPABASE_URL: "https://p.example", SUPABASE_PUBLISHABLE_KEY: "sb_secret_key" },
  ],
  ["SUPABASE_PUBLISHABLE_KEY", { SUPABASE_URL: "https://p.example", SUPABASE_PUBLISHABLE_KEY: serviceRole }],
  ["SMTP_URL", { SMTP_URL: "mail.example", MAIL_FROM: "a@b.example" }],
  ["MAIL_FROM", { SMTP_URL: "smtp://mail.example" }],
  ["SHOP_DEMO", { SHOP_DEMO: "no" }],
  ["TRUSTED_PROXIES", { TRUSTED_PROXIES: "proxy.example" }],
  ["ADMIN_EMAIL", { ADMIN_EMAIL: "owner" }],
  ["ADMIN_EMAIL", { ADMIN_PASSWORD: "a long password" }],
  ["ADMIN_PASSWORD", { ADMIN_EMAIL: "owner@shop.example", ADMIN_PASSWORD: "short" }],
])("A wrong setting is refused in one line that names %s", (name, env) => {
  let message = "";
  try {
    readSettings(env);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    message = (error as Error).message;
  }
  expect(message).toContain(name);
  expect(message).not.toContain("\n");
});
