import { isIP } from "node:net";
import { resolve } from "node:path";
import { splitHosts } from "./database-url.ts";
import { plainEmail } from "./email-address.ts";

/** Everything the owner can set, read once at start from the environment (see .env.example). */
export type Settings = {
  port: number;
  host: string;
  /** Origin of the shop as customers type it, without a trailing slash. */
  siteUrl: string;
  /** Absolute path of the folder that holds the embedded backend's data. */
  dataDir: string;
  databaseUrl: string | null;
  hosted: { url: string; publishableKey: string } | null;
  /** The hosted project's secret key: with it the shop sends its emails about orders, and takes payments. */
  secretKey: string | null;
  /** With Paystack's secret key customers can pay online. */
  paystack: { secretKey: string; url: string } | null;
  smtpUrl: string | null;
  mailFrom: string;
  /** Receives the owner's emails, and customers' replies, unless an admin has set another address in the back office. */
  shopEmail: string | null;
  demo: boolean;
  /** Whether browsers may store pages for use offline. */
  offlinePages: boolean;
  /** IP addresses whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  adminEmail: string | null;
  adminPassword: string | null;
  /** Logs a line per request; "ip" adds the client's address. */
  accessLog: "off" | "on" | "ip";
  /** Requests with this key may read /metrics from anywhere. */
  metricsKey: string | null;
  /** Web processes that share the port and the backend. */
  workers: number;
};

/** Where the environment holds secrets. */
export const secretSettings = [
  ...[
    "DATABASE_URL",
    "SUPABASE_SECRET_KEY",
    "PAYSTACK_SECRET_KEY",
    "SMTP_URL",
    "ADMIN_PASSWORD",
    "METRICS_KEY",
  ],
];

/** A setting that cannot be used; the message is one line and names the variable. */
class SettingsError extends Error {
  override name = "SettingsError";
}

function wrongForm(name: string, protocols: string[]): SettingsError {
  const forms = protocols.map((protocol) => `${protocol}//…`).join(" or ");
  return new SettingsError(`${name} must be an address of the form ${forms}`);
}

function url(name: string, text: string, protocols: string[]): URL {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (!parsed || !protocols.includes(parsed.protocol)) throw wrongForm(name, protocols);
  return parsed;
}

function readPort(text: string | undefined): number {
  if (!text) return 3000;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65535) {
    throw new SettingsError("PORT must be a number from 0 to 65535");
  }
  return port;
}

function readWorkers(text: string | undefined): number {
  if (!text) return 1;
  if (!/^[1-9]\d?$/.test(text) || Number(text) > 64)
    throw new SettingsError("WORKERS (or --workers) must be a number from 1 to 64");
  return Number(text);
}

function readSiteUrl(text: string | undefined, port: number): string {
  if (!text) return `http://localhost:${port}`;
  const site = url("SITE_URL", text, ["http:", "https:"]);
  if (site.pathname !== "/" || site.search || site.hash || site.username) {
    throw new SettingsError("SITE_URL must be only an origin, such as https://shop.example");
  }
  return site.origin;
}

function checkMail({ SMTP_URL: smtpUrl, MAIL_FROM: mailFrom }: NodeJS.ProcessEnv): void {
  const protocols = ["smtp:", "smtps:"];
  if (smtpUrl && !url("SMTP_URL", smtpUrl, protocols).hostname) throw wrongForm("SMTP_URL", protocols);
  if (smtpUrl && !mailFrom) throw new SettingsError("MAIL_FROM is missing: SMTP_URL is set");
  // Its name is the shop's, and it may be of a host without a dot, as its default is.
  if (mailFrom && !/^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/.test(mailFrom))
    throw new SettingsError("MAIL_FROM must be only an email address, such as no-reply@shop.example");
}

/** A publishable key may reach the browser; a secret one must never. */
function isSecretKey(key: string): boolean {
  if (key.startsWith("sb_secret_")) return true;
  try {
    const claims = JSON.parse(Buffer.from(key.split(".")[1] ?? "", "base64url").toString("utf8"));
    return claims?.role === "service_role";
  } catch {
    return false;
  }
}

function readSecretKey(key: string | undefined): string | null {
  if (key && !isSecretKey(key))
    throw new SettingsError(
      "SUPABASE_SECRET_KEY must be the project's secret key, sb_secret_… or its service_role key",
    );
  return key || null;
}

function readHosted(env: NodeJS.ProcessEnv): Settings["hosted"] {
  const { SUPABASE_URL: address, SUPABASE_PUBLISHABLE_KEY: publishableKey } = env;
  if (!address && !publishableKey) return null;
  if (!address)
    throw new SettingsError("SUPABASE_URL is missing: SUPABASE_PUBLISHABLE_KEY is set without it");
  if (!publishableKey) {
    throw new SettingsError("SUPABASE_PUBLISHABLE_KEY is missing: SUPABASE_URL is set without it");
  }
  if (isSecretKey(publishableKey)) {
    throw new SettingsError("SUPABASE_PUBLISHABLE_KEY holds a secret key, which browsers would see");
  }
  return { url: url("SUPABASE_URL", address, ["http:", "https:"]).origin, publishableKey };
}

function readFlag(name: string, text: string | undefined, otherwise: boolean): boolean {
  if (!text) return otherwise;
  if (text !== "0" && text !== "1") throw new SettingsError(`${name} must be 0 or 1`);
  return text === "1";
}

function readAccessLog(text: string | undefined): Settings["accessLog"] {
  if (text === "ip") return "ip";
  if (text && text !== "0" && text !== "1") throw new SettingsError("ACCESS_LOG must be 0, 1 or ip");
  return text === "1" ? "on" : "off";
}

function readMetricsKey(text: string | undefined): string | null {
  if (text && !/^[\x21-\x7e]{16,}$/.test(text)) {
    throw new SettingsError("METRICS_KEY must have at least 16 characters, none of them a space");
  }
  return text || null;
}

function readProxies(text: string | undefined): string[] {
  const entries = (text ?? "").split(",").map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    if (isIP(entry) === 0)
      throw new SettingsError(`TRUSTED_PROXIES holds "${entry}", which is not an IP address`);
    return entry;
  });
}

function readAdmin(env: NodeJS.ProcessEnv): { adminEmail: string | null; adminPassword: string | null } {
  const adminEmail = env.ADMIN_EMAIL ? plainEmail(env.ADMIN_EMAIL) : null;
  const adminPassword = env.ADMIN_PASSWORD || null;
  if (env.ADMIN_EMAIL && !adminEmail) {
    throw new SettingsError("ADMIN_EMAIL must be an email address such as owner@shop.example");
  }
  if (adminPassword && !adminEmail) throw new SettingsError("ADMIN_EMAIL is missing: ADMIN_PASSWORD is set");
  if (adminPassword && (adminPassword.length < 6 || Buffer.byteLength(adminPassword) > 72)) {
    throw new SettingsError("ADMIN_PASSWORD must have 6 to 72 characters (bytes)");
  }
  return { adminEmail, adminPassword };
}

/** Another URL for the service is for tests: only on this machine, so that no setting can send the key elsewhere. */
function readPaystack({ PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_URL: address }: NodeJS.ProcessEnv) {
  if (!secretKey) return null;
  if (!/^sk_(test|live)_[A-Za-z0-9]{8,}$/.test(secretKey)) {
    throw new SettingsError("PAYSTACK_SECRET_KEY must be Paystack's secret key, sk_live_… or sk_test_…");
  }
  if (!address) return { secretKey, url: "https://api.paystack.co" };
  const { origin, hostname } = url("PAYSTACK_URL", address, ["http:"]);
  if (hostname !== "127.0.0.1") throw new SettingsError("PAYSTACK_URL is for tests: http://127.0.0.1:…");
  return { secretKey, url: origin };
}

function readShopEmail(text: string | undefined): string | null {
  const email = text ? plainEmail(text) : null;
  if (text && !email)
    throw new SettingsError("SHOP_EMAIL must be an email address such as orders@shop.example");
  return email;
}

/**
 * Reads and checks all settings.
 * @throws SettingsError with one line that names the wrong variable
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = readPort(env.PORT);
  const siteUrl = readSiteUrl(env.SITE_URL, port);
  for (const server of env.DATABASE_URL ? splitHosts(env.DATABASE_URL) : [])
    url("DATABASE_URL", server, ["postgres:", "postgresql:"]);
  checkMail(env);
  return {
    port,
    host: env.HOST || "127.0.0.1",
    siteUrl,
    dataDir: resolve(env.DATA_DIR || "./data"),
    databaseUrl: env.DATABASE_URL || null,
    hosted: readHosted(env),
    secretKey: readSecretKey(env.SUPABASE_SECRET_KEY),
    paystack: readPaystack(env),
    smtpUrl: env.SMTP_URL || null,
    shopEmail: readShopEmail(env.SHOP_EMAIL),
    mailFrom: env.MAIL_FROM || `no-reply@${new URL(siteUrl).hostname}`,
    demo: readFlag("SHOP_DEMO", env.SHOP_DEMO, true),
    offlinePages: readFlag("OFFLINE_PAGES", env.OFFLINE_PAGES, true),
    trustedProxies: readProxies(env.TRUSTED_PROXIES),
    accessLog: readAccessLog(env.ACCESS_LOG),
    metricsKey: readMetricsKey(env.METRICS_KEY),
    workers: readWorkers(env.WORKERS),
    ...readAdmin(env),
  };
}
