import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import type { Figures } from "./embedded/protocol.ts";
import type { Settings } from "./shared/settings.ts";
import { isFromThisMachine } from "./this-machine.ts";

/* What /metrics shows, in Prometheus' text format: only counts and times, never a path, an address or a name. */

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
  help: "Pages answered from memory (hit) or rendered (miss)",
  labelNames: ["result"] as const,
});

const restarts = new Counter({
  name: "shop_backend_restarts_total",
  help: "Times that the backend's process ended unexpectedly and was started again",
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

const laneRunning = new Gauge({
  name: "shop_lane_running",
  help: "Statements under way, by sender",
  labelNames: ["lane"] as const,
});

const laneWaiting = new Gauge({
  name: "shop_lane_waiting",
  help: "Statements waiting for a connection, by sender",
  labelNames: ["lane"] as const,
});

const laneRefused = new Counter({
  name: "shop_lane_refused_total",
  help: "Statements refused since the backend's start because too many were waiting or they waited too long, by sender",
  labelNames: ["lane"] as const,
});

/** Reports the backend's figures; none when it does not respond. */
function showFigures(figures: Figures | null): void {
  for (const each of [connectionsInUse, connectionsMax, laneRunning, laneWaiting, laneRefused]) each.reset();
  if (!figures) return;
  for (const [pool, { inUse, most }] of Object.entries(figures.connections)) {
    connectionsInUse.set({ pool }, inUse);
    connectionsMax.set({ pool }, most);
  }
  for (const [kind, { running, waiting, refused }] of Object.entries(figures.lanes)) {
    const lane = kind.replace(" ", "_");
    laneRunning.set({ lane }, running);
    laneWaiting.set({ lane }, waiting);
    laneRefused.inc({ lane }, refused);
  }
}

const routes: [string, RegExp][] = [
  ["data", /^\/rest\/v1\//],
  ["accounts", /^\/auth\/v1\//],
  ["storage", /^\/storage\/v1\//],
  ["health", /^\/(healthz|readyz|metrics)$/],
  ["asset", /^\/(assets|pictures|fonts)\/|^\/[^/]+\.\w+$/],
];

/** The kind of a URL: a small fixed set of labels, however many URLs strangers make up. */
const routeOf = (path: string) => routes.find(([, pattern]) => pattern.test(path))?.[0] ?? "page";

export function countRequest(method: string, path: string, status: number, seconds: number): void {
  requests.observe({ route: routeOf(path), status: String(status) }, seconds);
  if (method === "POST" && path === "/rest/v1/orders" && status === 201) orders.inc();
}

export const countPage = (result: "hit" | "miss") => pageCache.inc({ result });

export const countBackendRestart = () => restarts.inc();

export const countWorkerRestart = () => workerRestarts.inc();

type Reading = () => Promise<Figures | null>;
const nothing: Reading = async () => null;

/** Labels every metric with its process: a replaced one counts from 0, which would lower an unlabelled sum. */
export const nameProcess = (name: string) => register.setDefaultLabels({ process: name });

/** This process's metrics, for the process that combines them. */
export async function ownMetrics(readFigures = nothing): Promise<object[]> {
  showFigures(await readFigures());
  return register.getMetricsAsJSON();
}

/** Several processes' metrics as text. */
export const textOf = (all: object[][]): Promise<string> => AggregatorRegistry.aggregate(all).metrics();

/** This process's metrics as text. */
async function ownText(readFigures = nothing): Promise<string> {
  showFigures(await readFigures());
  return register.metrics();
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** With METRICS_KEY, requests with the key may read the figures from anywhere; without it, only this machine may. */
function mayRead(incoming: IncomingMessage, settings: Pick<Settings, "metricsKey" | "siteUrl">): boolean {
  if (!settings.metricsKey) return isFromThisMachine(incoming, settings);
  const given = incoming.headers.authorization ?? "";
  return timingSafeEqual(digest(given), digest(`Bearer ${settings.metricsKey}`));
}

/**
 * The page /metrics; null (the shop's 404) for requests that may not read it.
 * @param readAll reads the metrics of all workers, if there are several
 */
export async function metricsPage(
  incoming: IncomingMessage,
  settings: Pick<Settings, "metricsKey" | "siteUrl">,
  readFigures = nothing,
  readAll?: () => Promise<string>,
): Promise<Response | null> {
  if (!mayRead(incoming, settings)) return null;
  const text = await (readAll ? readAll() : ownText(readFigures));
  return new Response(text, {
    headers: { "Content-Type": register.contentType, "Cache-Control": "no-store" },
  });
}
