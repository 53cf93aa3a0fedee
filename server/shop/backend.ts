import type { Backend } from "../api/backend.ts";
import { connectTo, type DatabaseAddress } from "../database/engine.ts";
import { isResponding } from "../database/watchdog.ts";
import { callOver, readResult } from "../lib/call-database.ts";
import { noteStopping } from "../lib/lock.ts";
import { readSecrets, type Secrets } from "../lib/secrets.ts";
import type { Settings } from "../lib/settings.ts";
import { StartError } from "../lib/start-error.ts";
import { assemble, type Closing } from "./assemble.ts";
import { closeAccountPath, diskPath, fetchOverSocket } from "./control-socket.ts";
import { counterOf, filesOf } from "./machines.ts";
import { openServices, type Services } from "./services.ts";

/** Longer than the database lets any of these calls take. */
const callTimeoutMs = 30_000;

/** The functions that payments, downloads and metrics call with the secret key's rights. */
const callableFunctions = [
  "count_open_work",
  "find_download",
  "open_payment",
  "note_checkout",
  "find_payment",
  "settle_payment",
  "settle_refund",
  "claim_payment_check",
];

/** Rejects as soon as the client has left or the time is over; the statement is being cancelled then. */
function untilAborted(response: Promise<Response>, { signal }: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    response.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/** What the web server uses of it: request in, response out, in the same process. */
function backendOver(
  { api, metrics, noteUnmet }: Services,
  { publishableKey, secretKey }: Secrets,
): Omit<Backend, "closeAccount" | "ready" | "stop"> {
  return {
    kind: "embedded",
    notices: [],
    browserOrigin: null,
    publishableKey,
    fetch: (request, clientIp = null, purpose) =>
      untilAborted(api.handle(request, clientIp, purpose), request),
    refuseUpload: api.refuseUpload,
    findCover: api.findCover,
    readPiece: api.readPiece,
    noteUnmet,
    call: callOver(async (path, body) => {
      if (!callableFunctions.includes(path.slice("/rest/v1/rpc/".length)))
        throw new Error(`${path} is not offered`);
      const headers = { apikey: secretKey, "content-type": "application/json" };
      const signal = AbortSignal.timeout(callTimeoutMs);
      return api.handle(
        new Request(`http://backend${path}`, { method: "POST", headers, body, signal }),
        null,
      );
    }),
    metrics,
  };
}

/**
 * Opens the embedded backend in this process, with everything that is done once.
 * @param log receives lines of our own, free of personal data
 * @param fail called with a line for the log when the process has to start again
 * @throws StartError with one line for the owner
 */
export async function openEmbedded(
  settings: Settings,
  log: (line: string) => void,
  fail: (line: string) => void,
): Promise<Backend> {
  const closings: Closing[] = [];
  const close = async () => {
    for (const each of closings.splice(0).reverse()) await each().catch(() => {});
  };
  try {
    const { services, secrets, ...opened } = await assemble(settings, closings, log, fail);
    return {
      ...backendOver(services, secrets),
      ...opened,
      noteStopping: () => noteStopping(settings.dataDir),
      stop: close,
    };
  } catch (error) {
    await close();
    if (error instanceof StartError) throw error;
    const [reason = "unknown reason"] = String((error as Error).message ?? "").split("\n");
    throw new StartError(`The backend cannot start: ${reason}`);
  }
}

/**
 * For a worker: answers requests over connections of its own to the database that the first process has opened.
 * @throws Error when the folder's keys cannot be read
 */
export async function joinEmbedded(
  settings: Settings,
  database: DatabaseAddress,
  log: (line: string) => void,
): Promise<Backend> {
  const { dataDir, siteUrl, workers } = settings;
  const secrets = await readSecrets(dataDir);
  if (!secrets) throw new StartError(`${dataDir} holds no keys`);
  const engine = connectTo(database);
  const files = filesOf(settings, engine.sql);
  const services = await openServices({
    engine,
    secrets,
    files,
    siteUrl,
    workers,
    log,
    // What follows responses, emails for example, is done by the first process.
    sendEmail: null,
    machines: counterOf(settings, engine.sql),
  });
  return {
    ...backendOver(services, secrets),
    closeAccount: async (userId, staffId) => {
      const body = JSON.stringify({ user_id: userId, by: staffId });
      const request = new Request(`http://backend${closeAccountPath}`, { method: "POST", body });
      await readResult(await fetchOverSocket(dataDir, request));
    },
    // Only the first process writes to the disk for this.
    ready: async () =>
      (await isResponding(engine.sql)) &&
      (await fetchOverSocket(dataDir, new Request(`http://backend${diskPath}`)).then(
        ({ status }) => status !== 503,
        () => true,
      )),
    stop: async () => {
      await services.close();
      await engine.close();
    },
  };
}
