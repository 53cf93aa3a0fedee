import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listMigrations } from "../database/migration-files.ts";
import { openHosted } from "./backend.ts";

/** A project that answers the question for its migrations in one way. */
async function startProject(answer: (response: ServerResponse) => void, settings = "{}") {
  const server = createServer((request, response) => {
    if (request.url === "/rest/v1/rpc/list_applied_migrations") answer(response);
    else if (request.url === "/auth/v1/settings") response.end(settings);
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

test("A project with all migrations is opened and reached only by path", async () => {
  const project = await startProject(has([...versions, "29990101000000"]));
  const backend = await openHosted(project);
  expect([backend.kind, backend.browserOrigin]).toEqual(["hosted", project.url]);
  const headers = { apikey: "sb_publishable_key" };
  const answer = await backend.fetch(new Request("http://anywhere/rest/v1/books?limit=1", { headers }));
  expect(await answer.json()).toEqual({ url: "/rest/v1/books?limit=1", key: "sb_publishable_key" });
  expect(await backend.ready()).toBe(true);
});

test.each([
  ["confirms addresses", '{"mailer_autoconfirm":false}', []],
  [
    "does not confirm addresses",
    '{"mailer_autoconfirm":true}',
    [
      'The hosted project takes any email address without confirming it: turn "Confirm email" on, under Authentication in its dashboard',
    ],
  ],
  ["has nothing to say about addresses", "not JSON", []],
])("A project that %s is opened, with a notice if its owner has to act", async (_, settings, notices) => {
  const project = await startProject(has(versions), settings);
  expect((await openHosted(project)).notices).toEqual(notices);
});

test("A project that lacks migrations is refused in one line that names the first and says what to do", async () => {
  const project = await startProject(has([]));
  await expect(openHosted(project)).rejects.toThrow(
    new RegExp(
      `^The hosted project lacks ${versions.length} of the shop's migrations, first ${versions[0]}_\\w+: run "npm run migrate"$`,
    ),
  );
});

test("A project that has nothing of the shop lacks all migrations", async () => {
  await expect(openHosted(await startProject(says(404)))).rejects.toThrow(
    `The hosted project lacks ${versions.length} of`,
  );
});

test("A wrong key and a URL that is not a project have different messages", async () => {
  await expect(openHosted(await startProject(says(401)))).rejects.toThrow(
    "SUPABASE_PUBLISHABLE_KEY is not a key of SUPABASE_URL",
  );
  await expect(openHosted(await startProject(says(502)))).rejects.toThrow(
    "SUPABASE_URL answers 502: is this a Supabase project?",
  );
});

test("A URL where nothing responds is reported in one line", async () => {
  const nobody = { url: "http://127.0.0.1:1", publishableKey: "sb_publishable_key" };
  await expect(openHosted(nobody)).rejects.toThrow(/^SUPABASE_URL cannot be reached \(.+\)$/);
});

test("When a project stops responding, visitors do not wait long, and it is not ready", async () => {
  let silent = false;
  const project = await startProject((response) => {
    if (!silent) has(versions)(response);
  });
  const backend = await openHosted(project, 1_000);
  silent = true;
  const path = "http://anywhere/rest/v1/rpc/list_applied_migrations";
  await expect(backend.fetch(new Request(path))).rejects.toThrow(/timeout/);
  silent = false;
  expect((await backend.fetch(new Request(path))).status).toBe(200);
});

test("A project's migrations are read with the public key, and its readiness by headers only", async () => {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    const { apikey, "content-type": kind } = request.headers;
    let body = "";
    for await (const piece of request) body += piece;
    asked.push([request.method, request.url, apikey, kind, body]);
    response.end(JSON.stringify(versions));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const backend = await openHosted({ url, publishableKey: "sb_publishable_key" });
  expect(await backend.ready()).toBe(true);
  const path = "/rest/v1/rpc/list_applied_migrations";
  expect(asked).toEqual([
    ["POST", path, "sb_publishable_key", "application/json", "{}"],
    ["GET", "/auth/v1/settings", "sb_publishable_key", undefined, ""],
    ["HEAD", path, "sb_publishable_key", undefined, ""],
  ]);
  expect([backend.notices, backend.publishableKey]).toEqual([[], "sb_publishable_key"]);
  await expect(backend.stop()).resolves.toBeUndefined();
});

test("A project that fails, or cannot be reached, is not ready", async () => {
  let status = 200;
  const project = await startProject((response) => {
    if (status === 0) response.destroy();
    else response.writeHead(status).end(JSON.stringify(versions));
  });
  const backend = await openHosted(project);
  for (const [next, isReady] of [
    [200, true],
    [503, false],
    [0, false],
  ] as const) {
    status = next;
    expect(await backend.ready()).toBe(isReady);
  }
});

test("A refused connection is named by the system's code", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  await expect(openHosted({ url, publishableKey: "sb_publishable_key" })).rejects.toThrow(
    /^SUPABASE_URL cannot be reached \(ECONNREFUSED\)$/,
  );
});

test("A visitor who leaves aborts the request to the project, and a write arrives with its body", async () => {
  let isSilent = false;
  const bodies: string[] = [];
  const project = await startProject(async (response) => {
    if (isSilent) return;
    for await (const piece of response.req) bodies.push(`${response.req.method} ${piece}`);
    has(versions)(response);
  });
  const backend = await openHosted(project);
  const url = "http://anywhere/rest/v1/rpc/list_applied_migrations";
  await backend.fetch(new Request(url, { method: "PATCH", body: "a book" }));
  expect(bodies).toEqual(["POST {}", "PATCH a book"]);
  isSilent = true;
  const leaving = new AbortController();
  const asked = backend.fetch(new Request(url, { signal: leaving.signal }));
  leaving.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
});
