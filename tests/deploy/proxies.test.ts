import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import { jpegOfSize } from "#tests/support/jpeg.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { ADMIN, freePort, type ShopServer, START_MS } from "#tests/support/shop-server.ts";
import { program } from "./program.ts";
import {
  ask,
  type Certificate,
  HOST,
  makeCertificate,
  startExampleCaddy,
  startProxy,
} from "./running-proxy.ts";

/** A line is written when its request is over, which on a busy machine takes a while. */
const logged = { timeout: 20_000 };

/* The proxies' examples in deploy/, run by the real proxies in front of a real shop; only ports and certificates differ. */

const deploy = join(import.meta.dirname, "../../deploy");
const nginx = program("nginx");
const caddy = program("caddy");

let shop: ShopServer;
let key: string;
let files: Certificate;

beforeAll(async () => {
  if (!nginx && !caddy) return;
  files = makeCertificate();
  shop = await startPreparedShop("empty", {
    SITE_URL: `https://${HOST}`,
    TRUSTED_PROXIES: "127.0.0.1",
    ACCESS_LOG: "ip",
  });
  key = /<meta name="backend-key" content="([^"]+)"/.exec(await (await fetch(shop.url)).text())?.[1] ?? "";
}, START_MS);
afterAll(async () => {
  await shop?.stop();
  files?.remove();
});

const shopPort = () => new URL(shop.url).port;

async function startNginx(): Promise<{ port: number; stop: () => Promise<void> }> {
  const [port, plainPort] = [await freePort(), await freePort()];
  const example = readFileSync(join(deploy, "nginx.conf"), "utf8")
    .replaceAll(/^ *listen \[::\].*$/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
    .replace("listen 443 ", `listen 127.0.0.1:${port} `)
    .replace("127.0.0.1:3000", `127.0.0.1:${shopPort()}`)
    .replaceAll(`/etc/letsencrypt/live/${HOST}/`, `${files.folder}/`);
  writeFileSync(join(files.folder, "shop.conf"), example);
  const remaining = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${files.folder}/${name};`,
  );
  // As root its workers are another user, who may not write into the test's folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const main = `${user} daemon off; pid ${files.folder}/nginx.pid; error_log stderr; events {}
    http { access_log off; ${remaining.join(" ")} include ${files.folder}/shop.conf; }`;
  writeFileSync(join(files.folder, "nginx.conf"), main);
  const stop = await startProxy(nginx ?? "", ["-c", join(files.folder, "nginx.conf"), "-e", "stderr"], port);
  return { port, stop };
}

const startCaddy = () => startExampleCaddy(caddy ?? "", files, Number(shopPort()));

describe.each([
  { name: "nginx", path: nginx, start: startNginx, netOf: "127.0.1" },
  { name: "Caddy", path: caddy, start: startCaddy, netOf: "127.0.2" },
])("Behind $name", ({ path, start, netOf }) => {
  let proxy: { port: number; stop: () => Promise<void> };
  const [guesser, neighbour] = [`${netOf}.2`, `${netOf}.3`];
  const signIn = (password: string, from: string) =>
    ask(proxy.port, "/auth/v1/token?grant_type=password", {
      method: "POST",
      headers: { apikey: key, "content-type": "application/json" },
      body: JSON.stringify({ email: ADMIN.email, password }),
      from,
    });

  beforeAll(async () => {
    if (path) proxy = await start();
  });
  afterAll(() => proxy?.stop());

  test("a page arrives, over HTTP/2 as well, and browsers are told to use only TLS", {
    skip: !path,
  }, async () => {
    const page = await ask(proxy.port, "/shop");
    expect(page.status).toBe(200);
    expect(page.text).toContain("<html");
    expect(page.headers["strict-transport-security"]).toBe("max-age=63072000");
    const session = connect(`https://127.0.0.1:${proxy.port}`, {
      servername: HOST,
      rejectUnauthorized: false,
    });
    const status = await new Promise((resolve, reject) => {
      session.once("error", reject);
      session
        .request({ ":path": "/healthz", ":authority": HOST })
        .once("response", (headers) => resolve(headers[":status"]));
    });
    session.close();
    expect(status).toBe(200);
  });

  test("neither the outbox nor the metrics can be read, whatever a client claims", {
    skip: !path,
  }, async () => {
    const claims: Record<string, string>[] = [
      {},
      { host: "localhost" },
      { "x-forwarded-for": "127.0.0.1" },
      { forwarded: "for=127.0.0.1" },
    ];
    for (const address of ["/outbox", "/outbox/", "/outbox/x", "/metrics"])
      for (const headers of claims) {
        const response = await ask(proxy.port, address, { headers }).catch(() => null);
        expect(response?.text ?? "", address).not.toMatch(/Outbox<|process_cpu/);
        if (response && !("host" in headers)) expect(response.status, address).toBe(404);
      }
  });

  test("the shop identifies a client by its real address, not by the one it claims", {
    skip: !path,
  }, async () => {
    const from = `${netOf}.9`;
    await ask(proxy.port, `/readyz`, { from, headers: { "x-forwarded-for": "203.0.113.9" } });
    await eventually(() => expect(shop.output()).toContain(`"ip":"${from}"`), logged);
    expect(shop.output()).not.toContain("203.0.113.9");
  });

  test("wrong passwords from one address do not lock out another", {
    skip: !path,
    timeout: 120_000,
  }, async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++)
      statuses.push((await signIn("wrong password", guesser)).status);
    expect(statuses[0]).toBe(400);
    expect(statuses.at(-1)).toBe(429);
    expect((await signIn(ADMIN.password, neighbour)).status).toBe(200);
  });

  test("a cover of 5 MB can be uploaded, and one of 7 MB is refused", {
    skip: !path,
    timeout: 60_000,
  }, async () => {
    const { access_token } = JSON.parse((await signIn(ADMIN.password, neighbour)).text);
    const upload = (bytes: number) => {
      return ask(proxy.port, `/storage/v1/object/book-covers/book-cover-${randomUUID()}.jpg`, {
        method: "POST",
        headers: {
          apikey: key,
          authorization: `Bearer ${access_token}`,
          "content-type": "image/jpeg",
          "content-length": String(bytes),
        },
        body: jpegOfSize(bytes),
      });
    };
    const cover = await upload(5 * 1024 * 1024 - 1024);
    expect(cover.status, cover.text).toBe(200);
    // A proxy may close the connection before it has taken everything in.
    const refused = await upload(7 * 1024 * 1024).catch((error: NodeJS.ErrnoException) => error.code);
    expect(typeof refused === "object" ? refused.status : refused).toSatisfy((response: unknown) =>
      [413, "EPIPE", "ECONNRESET"].includes(response as never),
    );
  });
});

test.skipIf(!caddy)("Caddy accepts its example unchanged", () => {
  const args = ["validate", "--config", join(deploy, "Caddyfile"), "--adapter", "caddyfile"];
  const home = { HOME: files.folder, XDG_DATA_HOME: files.folder, XDG_CONFIG_HOME: files.folder };
  expect(() =>
    execFileSync(caddy ?? "", args, { stdio: "pipe", env: { ...process.env, ...home } }),
  ).not.toThrow();
});
