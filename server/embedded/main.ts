import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { openPost } from "../mail.ts";
import type { Settings } from "../settings.ts";
import { anonymiseAccount } from "./anonymise.ts";
import { makeBackup } from "./backup/make.ts";
import { keepBackups, startNightly } from "./backup/nightly.ts";
import { prepareDatabase } from "./bootstrap.ts";
import { refuseFullDisk } from "./disk-space.ts";
import { openPglite, openPostgres } from "./engine.ts";
import { canWrite, ObjectFiles } from "./files.ts";
import { prepareFirstStart } from "./first-start.ts";
import { readFields } from "./gaps/gap.ts";
import { createHandler } from "./handler.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { createLibrary, sendConfirmation } from "./library.ts";
import { takeLock } from "./lock.ts";
import { applyMigrations, listMigrations } from "./migrations.ts";
import {
  type Answer,
  anonymisePath,
  backupPath,
  type OpenMessage,
  peerHeader,
  readyPath,
  uploaderPath,
} from "./protocol.ts";
import { quietConsole, tell } from "./quiet.ts";
import { checkRights } from "./rights.ts";
import { ensureSecrets, type Secrets } from "./secrets.ts";
import { ensureSocketFolder, socketPath } from "./socket-path.ts";
import { StartError } from "./start-error.ts";
import { answerUploader } from "./uploader.ts";
import { answersOne, startWatchdog } from "./watchdog.ts";

/*
 * The embedded backend's own process: it gets the settings from the web process, opens the database, and serves
 * HTTP on a Unix socket until the web process says stop, or is gone.
 */

quietConsole();

type Closing = () => Promise<void>;

async function open(settings: Settings, closings: Closing[]): Promise<Answer> {
  if (!(await canWrite(settings.dataDir))) {
    throw new StartError(`The data folder ${settings.dataDir} cannot be written`);
  }
  await refuseFullDisk(settings.dataDir);
  closings.push(await takeLock(settings.dataDir));
  const secrets = await ensureSecrets(settings.dataDir);
  const engine = await (settings.databaseUrl
    ? openPostgres(settings.databaseUrl)
    : openPglite(settings.dataDir, endAtOnce));
  closings.push(engine.close);
  const post = openPost(settings, tell);
  closings.push(post.stop);
  await prepareDatabase(engine.sql);
  const files = new ObjectFiles(join(settings.dataDir, "objects"));
  const app = createLibrary({ engine, secrets, siteUrl: settings.siteUrl, files, send: post.send });
  await app.init();
  const { changed } = await applyMigrations(engine.sql, await listMigrations());
  const notices = changed.map(
    (name) => `The migration ${name} has changed since it was applied to this database.`,
  );
  await checkRights(app, engine.sql, secrets.publishableKey);
  notices.push(...(await prepareFirstStart(settings, engine.sql, app, secrets)));
  const handle = createHandler(app, {
    sql: engine.sql,
    secrets,
    files,
    sendConfirmation: (email, tokenHash) => sendConfirmation(app, email, tokenHash),
    now: Date.now,
  });
  const path = socketPath(settings.dataDir);
  const backups = keepBackups(settings.dataDir, (target) =>
    makeBackup({ sql: engine.sql, files, secrets }, target),
  );
  const own: OwnPaths = {
    [readyPath]: async () => new Response(null, { status: (await answersOne(engine.sql)) ? 204 : 503 }),
    [uploaderPath]: (request) => answerUploader(request, engine.sql, secrets),
    [backupPath]: (request) => answerOwner(request, secrets, backups.make),
    [anonymisePath]: (request) =>
      answerOwner(request, secrets, ({ user_id }) =>
        anonymiseAccount(engine.sql, settings.dataDir, String(user_id)),
      ),
  };
  closings.push(await listen(path, settings, own, handle));
  closings.push(startNightly(backups, tell));
  closings.push(startHousekeeping(engine.sql, tell));
  closings.push(
    startWatchdog(engine.sql, () => end(1, "the database has stopped answering; starting again")),
  );
  const { publishableKey } = secrets;
  return { type: "ready", socketPath: path, publishableKey, notices, madeDatabase: engine.made };
}

/** For the web process and the owner's commands alone: nothing of it can be reached from outside. */
type OwnPaths = Record<string, (request: Request) => Promise<Response>>;

/** Commands carry the secret key; what goes wrong is told by its code alone. */
async function answerOwner(
  request: Request,
  secrets: Secrets,
  work: (fields: Record<string, unknown>) => Promise<object>,
): Promise<Response> {
  if (request.method !== "POST" || request.headers.get("apikey") !== secrets.secretKey) {
    return Response.json({ message: "This is for the shop's owner." }, { status: 403 });
  }
  return work(await readFields(request)).then(
    (done) => Response.json(done),
    (error: NodeJS.ErrnoException) =>
      Response.json({ message: `It failed (${error.code ?? error.name})` }, { status: 500 }),
  );
}

async function listen(
  path: string,
  settings: Settings,
  own: OwnPaths,
  answer: (request: Request, peer: string) => Promise<Response>,
): Promise<Closing> {
  await ensureSocketFolder(path, settings.dataDir);
  if (process.platform !== "win32") await rm(path, { force: true });
  const listener = getRequestListener(
    async (request) => {
      const ownAnswer = own[new URL(request.url).pathname];
      if (ownAnswer) return ownAnswer(request);
      return answer(request, request.headers.get(peerHeader) ?? "unknown");
    },
    { overrideGlobalObjects: false },
  );
  const server: Server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: 32 * 1024 }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const mask = process.umask(0o177); // Only the owner may connect.
    server.listen(path, resolve);
    process.umask(mask);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
}

/** Without a word to the database, which would never answer: what it confirmed is on the disk. */
function endAtOnce(): void {
  tell("the database can no longer write (is the disk full?); starting again");
  process.exit(1);
}

const closings: Closing[] = [];
let ending: Promise<void> | null = null;

/** Gives back everything in reverse order; requests that are under way are answered first. */
function end(code: number, line?: string): Promise<void> {
  ending ??= (async () => {
    if (line) tell(line);
    setTimeout(() => process.exit(code || 1), 10_000).unref();
    for (const close of closings.reverse()) await close().catch(() => {});
    process.exit(code);
  })();
  return ending;
}

process.on("disconnect", () => void end(0)); // The web process stopped us, or is gone.
process.on("SIGTERM", () => {}); // A signal to the whole group: the web process stops first, then says so.
process.on("SIGINT", () => {});
process.once("message", async (message: OpenMessage) => {
  try {
    process.send?.(await open(message.settings, closings));
  } catch (error) {
    const reason =
      error instanceof StartError
        ? error.message
        : `The backend cannot start: ${(error as Error).message?.split("\n")[0] ?? "unknown reason"}`;
    process.send?.({ type: "failed", reason } satisfies Answer, () => void end(1));
  }
});
process.on("uncaughtException", (error) => void end(1, `unexpected ${error.name}; starting again`));
