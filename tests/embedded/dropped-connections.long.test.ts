import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { Connections, isLost } from "#server/database/connections.ts";
import { connectionOptions } from "#server/database/pool.ts";
import { eventually } from "#tests/support/eventually.ts";
import { connectTo, testServer } from "#tests/support/test-server.ts";

/* A server that restarts accepts connections and closes them before they are ready. */

const { access, release } = await testServer();
const server = connectTo(access, "postgres", { max: 1 });

/** What happens to a new connection: it is closed at once, held before it is ready, or passed on. */
let fate: "closed" | "held" | "passed on" = "passed on";
const open = new Set<Socket>();
let accepted = 0;
const acceptedPorts = new Set<number | undefined>();

const restarting = createServer((client) => {
  accepted += 1;
  acceptedPorts.add(client.remotePort);
  open.add(client);
  client.on("error", () => {});
  client.on("close", () => open.delete(client));
  if (fate === "closed") client.end();
  if (fate !== "passed on") return void client.resume();
  const upstream = access.host.startsWith("/")
    ? connect(`${access.host}/.s.PGSQL.${access.port}`)
    : connect(access.port, access.host);
  upstream.on("error", () => client.destroy());
  upstream.pipe(client).pipe(upstream);
});
await new Promise<void>((resolve) => restarting.listen(0, "127.0.0.1", resolve));
const { port } = restarting.address() as { port: number };

let connections: Connections;
beforeEach(() => {
  accepted = 0;
  const options = { ...connectionOptions, ...access, host: "127.0.0.1", port, database: "postgres" };
  connections = Connections.to("postgres://127.0.0.1/postgres", options, 8);
});
afterAll(async () => {
  restarting.close();
  await server.end();
  await release();
});

/** Resolves when the server has accepted whatever was waiting for it, also connections that were given up since. */
async function acceptAll(): Promise<void> {
  const last = connect(port, "127.0.0.1");
  await once(last, "connect");
  await eventually(() => expect(acceptedPorts).toContain(last.localPort), 30_000);
  last.destroy();
}

const select = (ms: number) => connections.use((database) => database.unsafe("select 1"), ms);

test.each(["closed", "held"] as const)(
  "Connections that are dropped while the server leaves them %s are never opened later",
  async (whatHappens) => {
    fate = whatHappens;
    // On a busy machine many are given up before the server has accepted them.
    for (let round = 0; round < 5 || accepted <= 8; round += 1) {
      const works = Array.from({ length: 8 }, (_, n) => select(20 + 7 * n));
      for (const work of works) await expect(work).rejects.toSatisfy(isLost);
    }
    fate = "passed on";
    await acceptAll();
    await eventually(() => expect(open.size).toBe(0), 30_000);
    const before = accepted;
    // Longer than the driver waits before it tries again.
    await pause(1_000);
    expect([accepted - before, open.size]).toEqual([0, 0]);

    await Promise.all(Array.from({ length: 16 }, () => select(30_000)));
    expect(open.size).toBeLessThanOrEqual(8);
    await connections.end();
    await eventually(() => expect(open.size).toBe(0), 30_000);
  },
);
