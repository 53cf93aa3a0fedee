import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import type { ApiMetrics } from "../api/api.ts";
import type { LimitMetrics } from "../lib/concurrency-limit.ts";
import type { Settings } from "../lib/settings.ts";
import { isFromThisMachine } from "../lib/this-machine.ts";
import type { ShopState } from "./shop-state.ts";

/* What /metrics shows, in Prometheus' text format: only counts and times, never a path, an address or a name. */

type LimitCounts = LimitMetrics["page"];

collectDefaultMetrics();

const requests = new Histogram({
  name: "shop_http_request_duration_seconds",
  help: "Time until a response was sent, by kind of address and status",
  labelNames: ["route", "status"] as const,
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
});

const orders = new Counter({ name: "shop_orders_placed_total", help: "Orders placed since the start" });

const pageCache = new Counter({
  name: "shop_page_cache_total",
  help: "Pages served from memory (hit) or rendered (miss)",
  labelNames: ["result"] as const,
});

const restarts = new Counter({
  name: "shop_restarts_total",
  help: "Times that the shop's process ended unexpectedly, or stopped responding, and was started again",
});

const workerRestarts = new Counter({
  name: "shop_worker_restarts_total",
  help: "Times that a worker ended unexpectedly and was replaced",
});

const connectionsInUse = new Gauge({
  name: "shop_database_connections_in_use",
  help: "Connections to the database in use, for requests or for the shop's own work",
  labelNames: ["pool"] as const,
});

const connectionsMax = new Gauge({
  name: "shop_database_connections_max",
  help: "Maximum number of connections to the database",
  labelNames: ["pool"] as const,
});

const statementsRunning = new Gauge({
  name: "shop_statements_running",
  help: "Statements under way, by client",
  labelNames: ["client"] as const,
});

const statementsWaiting = new Gauge({
  name: "shop_statements_waiting",
  help: "Statements waiting for a connection, by client",
  labelNames: ["client"] as const,
});

const statementsRefused = new Counter({
  name: "shop_statements_refused_total",
  help: "Statements refused since the start, by client: after waiting 10 seconds (timeout), or at once for lack of memory (full)",
  labelNames: ["client", "reason"] as const,
});

let readRenderings: (() => LimitCounts) | null = null;

/** Adds the number of pages being rendered or waiting to be. */
export const showRenderings = (read: () => LimitCounts) => {
  readRenderings = read;
};

new Gauge({
  name: "shop_renderings_running",
  help: "Pages being rendered",
  collect() {
    this.set(readRenderings?.().running ?? 0);
  },
});

new Gauge({
  name: "shop_renderings_waiting",
  help: "Pages waiting to be rendered",
  collect() {
    this.set(readRenderings?.().waiting ?? 0);
  },
});

new Counter({
  name: "shop_renderings_refused_total",
  help: "Pages refused since the start: after waiting 10 seconds (timeout), or at once for lack of memory (full)",
  labelNames: ["reason"] as const,
  collect() {
    this.reset();
    const { timedOut = 0, full = 0 } = readRenderings?.() ?? {};
    this.inc({ reason: "timeout" }, timedOut);
    this.inc({ reason: "full" }, full);
  },
});

type TurnCounts = { waiting: number; refused: number };
let readTurns: (() => TurnCounts) | null = null;

/** Adds the requests that wait for their client's turn. */
export const showLoopTurns = (read: () => TurnCounts) => {
  readTurns = read;
};

new Gauge({
  name: "shop_requests_waiting",
  help: "Requests waiting for their client's turn",
  collect() {
    this.set(readTurns?.().waiting ?? 0);
  },
});

new Counter({
  name: "shop_requests_refused_total",
  help: "Requests refused since the start after waiting 10 seconds for their client's turn",
  collect() {
    this.reset();
    this.inc(readTurns?.().refused ?? 0);
  },
});

const passwordHashes = new Counter({
  name: "shop_password_hashes_total",
  help: "Passwords hashed since the start (finished), refused after 10 seconds, or dropped because the client had disconnected",
  labelNames: ["result"] as const,
});

const passwordHashesWaiting = new Gauge({
  name: "shop_password_hashes_waiting",
  help: "Sign-ins and sign-ups that wait for a thread to hash their password",
});

/** The embedded backend's metrics. */
const backendMetrics = [
  connectionsInUse,
  connectionsMax,
  statementsRunning,
  statementsWaiting,
  statementsRefused,
  passwordHashes,
  passwordHashesWaiting,
];

/** Reports the embedded backend's metrics, if there is one. */
function setBackendMetrics(metrics: ApiMetrics | undefined): void {
  for (const each of backendMetrics) each.reset();
  if (!metrics) return;
  for (const [pool, { inUse, most }] of Object.entries(metrics.connections)) {
    connectionsInUse.set({ pool }, inUse);
    connectionsMax.set({ pool }, most);
  }
  for (const [kind, { running, waiting, timedOut, full }] of Object.entries(metrics.limits)) {
    const client = kind.replace(" ", "_");
    statementsRunning.set({ client }, running);
    statementsWaiting.set({ client }, waiting);
    statementsRefused.inc({ client, reason: "timeout" }, timedOut);
    statementsRefused.inc({ client, reason: "full" }, full);
  }
  const { waiting, finished, refused, dropped } = metrics.passwords;
  passwordHashesWaiting.set(waiting);
  for (const [result, count] of Object.entries({ finished, refused, dropped }))
    passwordHashes.inc({ result }, count);
}

const gauge = (name: string, help: string) => new Gauge({ name, help });

const shopGauges = {
  emailsWaiting: gauge("shop_emails_waiting", "Emails that wait to be sent"),
  emailWaits: gauge("shop_email_oldest_seconds", "Time since the oldest waiting email was written"),
  emailsUnsent: gauge(
    "shop_emails_unsent",
    "Emails that could not be sent in the last 7 days and that nobody has sent again",
  ),
  paymentsToDecide: gauge("shop_payments_to_decide", "Payments on which staff have to decide"),
  backupAt: gauge("shop_last_backup_timestamp_seconds", "When the newest backup in the data folder was made"),
  freeBytes: gauge("shop_disk_free_bytes", "Free space on the disk of the data folder"),
};

/** A request for the metrics must not wait for a database that doesn't respond. */
let stateTimeoutMs = 1_500;
let readState: (() => Promise<ShopState>) | null = null;

/** Adds what concerns the shop as a whole, in the one process that reports it. */
export const showShopState = (read: () => Promise<ShopState>, timeoutMs = stateTimeoutMs) => {
  readState = read;
  stateTimeoutMs = timeoutMs;
};

async function setShopState(): Promise<void> {
  const state = await Promise.race([
    readState?.().catch(() => null) ?? null,
    sleep(stateTimeoutMs, null, { ref: false }),
  ]);
  const { work, ...figures } = state ?? {};
  const known: Partial<Record<string, number | null>> = { ...work, ...figures };
  for (const [name, each] of Object.entries(shopGauges)) {
    const value = known[name] ?? null;
    // A figure that isn't known is left out: 0 would be a statement.
    if (value === null) each.remove();
    else each.set(value);
  }
}

const routes: [string, RegExp][] = [
  ["data", /^\/rest\/v1\//],
  ["accounts", /^\/auth\/v1\//],
  ["storage", /^\/(storage\/v1|covers)\//],
  ["download", /^\/downloads\//],
  ["health", /^\/(healthz|readyz|metrics)$/],
  ["asset", /^\/(assets|pictures|fonts)\/|^\/[^/]+\.\w+$/],
];

/** The kind of a URL: a small fixed set of labels, however many URLs strangers make up. */
const routeOf = (path: string) => routes.find(([, pattern]) => pattern.test(path))?.[0] ?? "page";

/** Decoded as the site and the data API do; unchanged if it is malformed. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** @param encodedPath as in the request's URL */
export function countRequest(method: string, encodedPath: string, status: number, seconds: number): void {
  const path = decodePath(encodedPath);
  requests.observe({ route: routeOf(path), status: String(status) }, seconds);
  if (method === "POST" && path === "/rest/v1/orders" && status === 201) orders.inc();
}

export const countPage = (result: "hit" | "miss") => pageCache.inc({ result });

/** @param times since `npm start` */
export const countRestarts = (times: number) => restarts.inc(times);

export const countWorkerRestart = () => workerRestarts.inc();

type ReadMetrics = () => ApiMetrics;

/** Labels every metric with its process: a replaced one counts from 0, which would lower an unlabelled sum. */
export const nameProcess = (name: string) => register.setDefaultLabels({ process: name });

/** This process's metrics, for the process that combines them. */
export async function ownMetrics(readMetrics?: ReadMetrics): Promise<object[]> {
  setBackendMetrics(readMetrics?.());
  await setShopState();
  return register.getMetricsAsJSON();
}

/** Several processes' metrics as text. */
export const textOf = (all: object[][]): Promise<string> => AggregatorRegistry.aggregate(all).metrics();

/** This process's metrics as text. */
async function ownText(readMetrics?: ReadMetrics): Promise<string> {
  setBackendMetrics(readMetrics?.());
  await setShopState();
  return register.metrics();
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** With METRICS_KEY, requests with the key may read the metrics from anywhere; without it, only this machine may. */
function mayRead(incoming: IncomingMessage, settings: Pick<Settings, "metricsKey" | "siteUrl">): boolean {
  if (!settings.metricsKey) return isFromThisMachine(incoming, settings);
  const authorization = incoming.headers.authorization ?? "";
  return timingSafeEqual(digest(authorization), digest(`Bearer ${settings.metricsKey}`));
}

/**
 * The page /metrics; null (the shop's 404) for requests that may not read it.
 * @param readAll reads the metrics of all workers, if there are several
 */
export async function metricsPage(
  incoming: IncomingMessage,
  settings: Pick<Settings, "metricsKey" | "siteUrl">,
  readMetrics?: ReadMetrics,
  readAll?: () => Promise<string>,
): Promise<Response | null> {
  if (!mayRead(incoming, settings)) return null;
  const text = await (readAll ? readAll() : ownText(readMetrics));
  return new Response(text, {
    headers: { "Content-Type": register.contentType, "Cache-Control": "no-store" },
  });
}
