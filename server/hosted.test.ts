import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listMigrations } from "./embedded/migrations.ts";
import { openHosted } from "./hosted.ts";

/** A project that answers the question for its migrations in one way. */
async function startProject(answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    if (request.url === "/rest/v1/rpc/list_applied_migrations") answer(response);
    else response.end(JSON.stringify({ url: request.url, key: request.headers.apikey }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, publishableKey: "sb_publishable_key" };
}

const versions = (await listMigrations()).map(({ version }) => version);
const has = (applied: string[]) => (response: ServerResponse) => response.end(JSON.stringify(applied));
const says = (status: number) => (response: ServerResponse) => response.writeHead(status).end("{}");

test("A project with all migrations is opened and reached by path alone", async () => {
  const project = await startProject(has([...versions, "29990101000000"]));
  const backend = await openHosted(project);
  expect([backend.kind, backend.browserUrl]).toEqual(["hosted", project.url]);
  const headers = { apikey: "sb_publishable_key" };
  const answer = await backend.fetch(new Request("http://anywhere/rest/v1/books?limit=1", { headers }));
  expect(await answer.json()).toEqual({ url: "/rest/v1/books?limit=1", key: "sb_publishable_key" });
  expect(await backend.ready()).toBe(true);
});

test("A project that lacks migrations is refused in one line that names the first and says what to do", async () => {
  const project = await startProject(has(versions.slice(0, 2)));
  await expect(openHosted(project)).rejects.toThrow(
    new RegExp(
      `^The hosted project lacks ${versions.length - 2} of the shop's migrations, first ${versions[2]}_\\w+: run "npm run migrate"$`,
    ),
  );
});

test("A project that knows nothing of the shop lacks them all", async () => {
  await expect(openHosted(await startProject(says(404)))).rejects.toThrow(
    `The hosted project lacks ${versions.length} of`,
  );
});

test("A wrong key, and an address that is no project, are told apart", async () => {
  await expect(openHosted(await startProject(says(401)))).rejects.toThrow(
    "SUPABASE_PUBLISHABLE_KEY is not a key of SUPABASE_URL",
  );
  await expect(openHosted(await startProject(says(502)))).rejects.toThrow(
    "SUPABASE_URL answers 502: is this a Supabase project?",
  );
});

test("An address where nobody answers is told in one line", async () => {
  const nobody = { url: "http://127.0.0.1:1", publishableKey: "sb_publishable_key" };
  await expect(openHosted(nobody)).rejects.toThrow(/^SUPABASE_URL cannot be reached \(.+\)$/);
});

test("A project that falls silent keeps nobody waiting for long, and is not ready", async () => {
  let silent = false;
  const project = await startProject((response) => {
    if (!silent) has(versions)(response);
  });
  const backend = await openHosted(project, 300);
  silent = true;
  const path = "http://anywhere/rest/v1/rpc/list_applied_migrations";
  const started = performance.now();
  await expect(backend.fetch(new Request(path))).rejects.toThrow(/timeout/);
  expect(performance.now() - started).toBeLessThan(5_000);
  silent = false;
  expect((await backend.fetch(new Request(path))).status).toBe(200);
});
