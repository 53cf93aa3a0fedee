import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { issuerOf } from "#server/api/caller.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { connectTo, makePeople } from "#tests/load/running-shop.ts";
import { type Client, signInMember } from "#tests/support/factories.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { connect } from "#tests/support/shop-client.ts";
import { ADMIN, type ShopServer, START_MS } from "#tests/support/shop-server.ts";
import { type MailServer, openMailServer } from "#tests/support/smtp-server.ts";

/* What the settings page asks the machine: which variables are set, and whether the mail server takes an email. */

const METRICS_KEY = randomUUID();

let mailServer: MailServer & { stop: () => void };
let shop: ShopServer;
let admin: Client;
let adminToken: string;
/** The mail server's response to the next recipients; it accepts them while this is undefined. */
let refusal: string | undefined;

beforeAll(async () => {
  mailServer = await openMailServer({ answer: () => refusal });
  shop = await startPreparedShop("empty", {
    SMTP_URL: mailServer.url,
    MAIL_FROM: "shop@example.com",
    METRICS_KEY,
  });
  ({ client: admin } = await signInMember(await connect(shop, "2001:db8::1"), ADMIN.email, ADMIN.password));
  adminToken = (await admin.auth.getSession()).data.session?.access_token ?? "";
}, START_MS);
afterAll(async () => {
  await shop?.stop();
  mailServer?.stop();
});

async function post(path: string, token = "") {
  const response = await fetch(`${shop.url}/admin/settings/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("a variable that is set is named, with its purpose and without its value", async () => {
  const { status, body } = await post("machine", adminToken);
  expect(status).toBe(200);
  expect(body).toMatchObject({ hasMailServer: true, hasBackup: false });
  expect(body.variables).toContainEqual({ name: "METRICS_KEY", what: expect.any(String), isSet: true });
  expect(body.variables).toContainEqual({
    name: "PAYSTACK_SECRET_KEY",
    what: expect.any(String),
    isSet: false,
  });
  const text = JSON.stringify(body);
  for (const value of [METRICS_KEY, mailServer.url, "shop@example.com"]) expect(text).not.toContain(value);
});

test("a visitor and a customer are told nothing, and no email is sent for them", async () => {
  const sql = await connectTo(shop.dataDir, 1);
  onTestFinished(() => sql.end());
  const secrets = await readSecrets(shop.dataDir);
  const keys = { jwtSecret: secrets?.jwtSecret ?? "", issuer: issuerOf(shop.url) };
  const [customer] = await makePeople(sql, keys, 1);
  for (const path of ["machine", "test-email"]) {
    expect(await post(path)).toMatchObject({ status: 401, body: { message: "Please sign in again." } });
    expect(await post(path, customer?.token)).toMatchObject({
      status: 403,
      body: { message: "You don't have the duty Settings. Ask an admin for it." },
    });
  }
  expect(mailServer.mails).toEqual([]);
});

test("the test email goes to the owner's address, and the mail server's own words come back", async () => {
  expect((await post("test-email", adminToken)).body).toEqual({
    to: "",
    sent: false,
    response: "No address is set: enter your email for notices and save it.",
  });
  const to = "owner@bookshop.example";
  const { error } = await admin.rpc("update_settings", { _values: { ownerEmail: to }, _seen: {} });
  expect(error).toBeNull();
  expect((await post("test-email", adminToken)).body).toEqual({ to, sent: true, response: "250 kept" });
  expect(mailServer.mails.at(-1)).toMatch(/^Subject: Our Bookshop: test email$/m);
  expect(mailServer.mails.at(-1)).toMatch(/^To: owner@bookshop\.example$/m);
  refusal = "550 5.1.1 no such mailbox here";
  expect((await post("test-email", adminToken)).body).toEqual({ to, sent: false, response: refusal });
});
