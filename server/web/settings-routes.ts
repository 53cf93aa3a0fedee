import { readdir } from "node:fs/promises";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { type Shop, shopWith } from "#shared/owner/settings.ts";
import type { Backend } from "../api/backend.ts";
import { layOut } from "../emails/layout.ts";
import { compose, sendOnce } from "../emails/mail-server.ts";
import { ownerAddress } from "../emails/read-shop.ts";
import { backupsFolder } from "../lib/backups-folder.ts";
import { notStored, refuse } from "../lib/route-responses.ts";
import type { Settings } from "../lib/settings.ts";
import { accessCheckFailed, sendAsCaller, staffOnly } from "./staff-only.ts";

/** What the environment sets, and whether it does: never a value. */
const variablesOf = (settings: Settings) => [
  {
    name: "SITE_URL",
    what: "The address that customers type",
    isSet: !/\/\/localhost(:|$)/.test(settings.siteUrl),
  },
  { name: "DATABASE_URL", what: "A PostgreSQL database of your own", isSet: settings.databaseUrl !== null },
  { name: "SUPABASE_URL", what: "A hosted project", isSet: settings.hosted !== null },
  {
    name: "SUPABASE_SECRET_KEY",
    what: "The hosted project's secret key",
    isSet: settings.secretKey !== null,
  },
  { name: "SMTP_URL", what: "The mail server, with its password", isSet: settings.smtpUrl !== null },
  { name: "MAIL_FROM", what: "The address that sends the shop's emails", isSet: settings.smtpUrl !== null },
  {
    name: "SHOP_EMAIL",
    what: "Your email for notices, unless it is set here",
    isSet: settings.shopEmail !== null,
  },
  {
    name: "PAYSTACK_SECRET_KEY",
    what: "Paystack's key: customers can pay online",
    isSet: settings.paystack !== null,
  },
  { name: "METRICS_KEY", what: "The key that reads the shop's metrics", isSet: settings.metricsKey !== null },
  {
    name: "TRUSTED_PROXIES",
    what: "Proxies in front of the shop",
    isSet: settings.trustedProxies.length > 0,
  },
];

/** The settings page's requests to the server, for staff with the duty Settings. */
export function settingsRoutes(settings: Settings, backend: Backend): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();

  const send = sendAsCaller(settings, backend);
  const forStaff = staffOnly(send, { key: "settings", name: "Settings" });

  routes.post("/machine", notStored, forStaff, async (c) => {
    const files = await readdir(backupsFolder(settings.dataDir)).catch(() => []);
    return c.json({
      variables: variablesOf(settings),
      hasMailServer: settings.smtpUrl !== null,
      hasBackup: backend.kind === "hosted" ? null : files.length > 0,
    });
  });

  routes.post("/test-email", notStored, forStaff, async (c) => {
    const found = await send(c, "/rest/v1/rpc/list_settings", { method: "POST", body: "{}" });
    if (!found.ok) return refuse(c, 503, accessCheckFailed, "unavailable");
    const shop = shopWith((await found.json()) as Partial<Shop>);
    const to = ownerAddress(shop, settings.shopEmail) ?? "";
    return c.json({ to, ...(await testMailServer(settings, shop, to)) });
  });
  return routes;
}

/** Sends an email to the owner; resolves to the mail server's own words, whether it takes the email or not. */
async function testMailServer({ smtpUrl, mailFrom, siteUrl }: Settings, shop: Shop, to: string) {
  if (!to) return { sent: false, response: "No address is set: enter your email for notices and save it." };
  if (!smtpUrl) return { sent: false, response: "No mail server is set: SMTP_URL and MAIL_FROM are empty." };
  const letter = {
    heading: "Test email",
    blocks: [{ kind: "text", text: "The shop's emails arrive. You don't need to do anything." } as const],
  };
  const email = { to, subject: `${shop.name}: test email`, ...layOut(letter, siteUrl, shop) };
  const raw = await compose({ name: shop.name, address: mailFrom }, email);
  return sendOnce(smtpUrl, { from: mailFrom, to, raw });
}
