import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { expect, onTestFinished, test } from "vitest";
import type { Backend } from "#server/api/backend.ts";
import { outboxKey } from "#server/lib/outbox-key.ts";
import { readSettings } from "#server/lib/settings.ts";
import { createSite } from "#server/web/site.ts";
import { freePort } from "#tests/support/shop-server.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";

const nginx = "/usr/sbin/nginx";
const problem = existsSync(nginx) ? null : `there is no ${nginx}`;
sayWhatIsSkipped("the outbox behind nginx", problem);

/** The shop's site with its outbox; pages and backend are not asked here. */
async function startSite(siteUrl: string) {
  const dataDir = await mkdtemp(join(tmpdir(), "shop-nginx-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const settings = readSettings({ DATA_DIR: dataDir, SITE_URL: siteUrl });
  const backend = { kind: "embedded", notices: [], browserOrigin: null } as unknown as Backend;
  const pages = async () => new Response("the shop's 404", { status: 404 });
  const server = createServer(getRequestListener(createSite({ settings, backend, pages }).fetch));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, dataDir, key: await outboxKey(dataDir) };
}

/** nginx in front of it, as people write it: bare, with the host passed on, and with a host that looks local. */
async function startNginx(upstream: number, dataDir: string): Promise<number[]> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const headers = ["", "proxy_set_header Host $host;", "proxy_set_header Host localhost:3000;"];
  const servers = ports.map(
    (port, n) =>
      `server { listen 127.0.0.1:${port}; location / { ${headers[n]} proxy_pass http://127.0.0.1:${upstream}; } }`,
  );
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${dataDir}/${name};`,
  );
  await writeFile(
    join(dataDir, "nginx.conf"),
    `daemon off; pid ${dataDir}/nginx.pid; error_log stderr; events {} http { access_log off; ${paths.join(" ")} ${servers.join(" ")} }`,
  );
  const child = spawn(nginx, ["-p", dataDir, "-e", "stderr", "-c", join(dataDir, "nginx.conf")], {
    stdio: "ignore",
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
  });
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${ports[0]}/`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 10_000 },
    )
    .toBe(404);
  return ports;
}

test.skipIf(problem)(
  `Through nginx the outbox needs its key, and SITE_URL to be this machine${problem ? ` (skipped: ${problem})` : ""}`,
  async () => {
    for (const [siteUrl, withKey] of [
      ["http://localhost:3000", 200],
      ["https://shop.example", 404],
    ] as const) {
      const { port, dataDir, key } = await startSite(siteUrl);
      for (const proxy of await startNginx(port, dataDir)) {
        const get = async (path: string, headers = {}) =>
          (await fetch(`http://127.0.0.1:${proxy}${path}`, { headers })).status;
        expect(await get("/outbox")).toBe(404);
        expect(await get("/outbox", { "x-forwarded-for": "127.0.0.1", host: "localhost" })).toBe(404);
        expect(await get("/outbox?key=guess")).toBe(404);
        expect(await get(`/outbox?key=${key}`)).toBe(withKey);
      }
    }
  },
);
