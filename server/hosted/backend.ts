import type { Backend } from "../api/backend.ts";
import { listMigrations } from "../database/migration-files.ts";
import type { Settings } from "../lib/settings.ts";
import { StartError } from "../lib/start-error.ts";

type Hosted = NonNullable<Settings["hosted"]>;

const timeoutMs = 15_000;
/** How long a visitor waits for a page when the project does not respond, before the page says so. */
const pageTimeoutMs = 10_000;

/** The migrations that the project reports; none if it lacks the function that lists them. */
async function listApplied(hosted: Hosted): Promise<string[]> {
  const response = await fetch(new URL("/rest/v1/rpc/list_applied_migrations", hosted.url), {
    method: "POST",
    headers: { apikey: hosted.publishableKey, "content-type": "application/json" },
    body: "{}",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error & { cause?: { code?: string } }) => {
    throw new StartError(`SUPABASE_URL cannot be reached (${error.cause?.code ?? error.name})`);
  });
  if (response.status === 404) return [];
  if (response.status === 401) throw new StartError("SUPABASE_PUBLISHABLE_KEY is not a key of SUPABASE_URL");
  if (!response.ok)
    throw new StartError(`SUPABASE_URL answers ${response.status}: is this a Supabase project?`);
  return (await response.json()) as string[];
}

/** Refuses a project that lacks a migration: otherwise some page would fail later for a customer. */
async function checkMigrations(hosted: Hosted): Promise<void> {
  const applied = new Set(await listApplied(hosted));
  const missing = (await listMigrations()).filter(({ version }) => !applied.has(version));
  const [first] = missing;
  if (!first) return;
  throw new StartError(
    `The hosted project lacks ${missing.length} of the shop's migrations, first ${first.version}_${first.name}: run "npm run migrate"`,
  );
}

/**
 * What the owner has to change in the project's settings. The shop treats an account's email as proven: its owner may
 * have orders by phone anonymised. Only a project that sends a link to it can prove that.
 */
async function listNotices(hosted: Hosted): Promise<string[]> {
  const settings = await fetch(new URL("/auth/v1/settings", hosted.url), {
    headers: { apikey: hosted.publishableKey },
    signal: AbortSignal.timeout(timeoutMs),
  })
    .then((response) => response.json())
    .catch(() => null);
  if (settings?.mailer_autoconfirm !== true) return [];
  return [
    'The hosted project takes any email address without confirming it: turn "Confirm email" on, under Authentication in its dashboard',
  ];
}

/**
 * Checks that the project fits, then connects to it.
 * @throws StartError with one line: unreachable, wrong key, migrations missing
 */
export async function openHosted(hosted: Hosted, fetchTimeoutMs = pageTimeoutMs): Promise<Backend> {
  await checkMigrations(hosted);
  return { ...connectHosted(hosted, fetchTimeoutMs), notices: await listNotices(hosted) };
}

/**
 * Names the visitor for whom a page is rendered: another shop's backend counts their requests if it trusts this
 * process (TRUSTED_PROXIES).
 */
function forVisitor(request: Request, clientIp: string | null): Request {
  if (clientIp) request.headers.set("x-forwarded-for", clientIp);
  return request;
}

/** A hosted project, reached over the network with the public key. */
export function connectHosted(hosted: Hosted, fetchTimeoutMs = pageTimeoutMs): Backend {
  const address = (path: string) => new URL(path, hosted.url);
  return {
    kind: "hosted",
    notices: [],
    browserOrigin: hosted.url,
    publishableKey: hosted.publishableKey,
    call: null,
    closeAccount: null,
    fetch: (request, clientIp = null) => {
      const { pathname, search } = new URL(request.url);
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(fetchTimeoutMs)]);
      return fetch(forVisitor(new Request(address(pathname + search), request), clientIp), { signal });
    },
    ready: async () => {
      const response = await fetch(address("/rest/v1/rpc/list_applied_migrations"), {
        method: "HEAD",
        headers: { apikey: hosted.publishableKey },
        signal: AbortSignal.timeout(5_000),
      }).catch(() => null);
      return response?.ok ?? false;
    },
    stop: async () => {},
  };
}
