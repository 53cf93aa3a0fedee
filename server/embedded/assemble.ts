import { join } from "node:path";
import { listMigrations } from "../shared/migration-files.ts";
import type { Settings } from "../shared/settings.ts";
import { StartError } from "../shared/start-error.ts";
import { createAccountsApi } from "./accounts/accounts-api.ts";
import { emailMovedPeople } from "./accounts/moved.ts";
import { ownersAccount } from "./accounts/owner.ts";
import { anonymiseAccount, anonymiseCaller } from "./anonymise.ts";
import { type Api, createApi } from "./api.ts";
import { log } from "./backend-log.ts";
import { makeBackup } from "./backup/make.ts";
import { keepBackups, startNightly } from "./backup/nightly.ts";
import { prepareDatabase } from "./bootstrap.ts";
import { refuseFullDisk } from "./disk-space.ts";
import { deleteUnfinishedEmails, openEmailTransport } from "./email-transport.ts";
import { openDatabase } from "./engine.ts";
import { answerRefusal, refusalOf } from "./errors.ts";
import { canWrite, ObjectFiles } from "./files.ts";
import { noteFirstAttempt } from "./first-attempt.ts";
import { prepareFirstStart } from "./first-start.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { listen, type OwnPaths } from "./listen.ts";
import { takeLock } from "./lock.ts";
import { applyMigrations, comparePosition } from "./migrations.ts";
import { writeOwnersLists } from "./owners-lists.ts";
import {
  type Answer,
  accountPath,
  anonymisePath,
  backupPath,
  callPath,
  closeAccountPath,
  figuresPath,
  movedPath,
  readyPath,
  shopCalls,
  uploaderPath,
} from "./protocol.ts";
import { ensureSecrets, type Secrets } from "./secrets.ts";
import { startShopEmails } from "./shop-emails.ts";
import { socketPath } from "./socket-path.ts";
import type { Sql } from "./sql.ts";
import { answersOne, startWatchdog } from "./watchdog.ts";

export type Closing = () => Promise<void>;

type Ready = Extract<Answer, { type: "ready" }>;

/**
 * Assembles the backend over a data folder: lock, keys, a migrated database, accounts, files and data behind one
 * socket, and nightly jobs.
 * @param closings receives the functions that release each resource, in the order of acquisition, even if this fails
 * half-way
 * @param end ends the process, called when the database fails or stops responding
 * @throws StartError with one line for the owner
 */
export async function assemble(
  settings: Settings,
  closings: Closing[],
  end: (code: number, line: string) => void,
): Promise<Ready> {
  if (!(await canWrite(settings.dataDir))) {
    throw new StartError(`The data folder ${settings.dataDir} cannot be written`);
  }
  await refuseFullDisk(settings.dataDir);
  closings.push(await takeLock(settings.dataDir));
  const attempt = await noteFirstAttempt(settings.dataDir);
  closings.push(attempt.undo);
  const secrets = await ensureSecrets(settings.dataDir);
  const engine = await openDatabase(settings, log, () => end(1, "another shop uses the database now"));
  closings.push(engine.close);
  await deleteUnfinishedEmails(settings.dataDir, log);
  const post = openEmailTransport(settings, log);
  closings.push(post.stop);
  const files = new ObjectFiles(join(settings.dataDir, "objects"));
  const backups = keepBackups(settings.dataDir, (target) =>
    makeBackup({ sql: engine.sql, files, secrets }, target),
  );
  const notices: string[] = [];
  const migrations = await listMigrations();
  const { used, pending } = await comparePosition(engine.sql, migrations);
  if (used && pending.length > 0) {
    const { path } = await backups.make("before-migrating");
    notices.push(`The database is brought up to date; the backup ${path} is from before.`);
  }
  await prepareDatabase(engine.sql);
  await applyMigrations(engine.sql, migrations);
  await writeOwnersLists(engine.sql);
  notices.push(...(await prepareFirstStart(settings, engine.sql, secrets)));
  const { sql, connections } = engine;
  const { siteUrl, workers } = settings;
  const accounts = createAccountsApi({ sql, secrets, siteUrl, sendEmail: post.send, log });
  closings.push(accounts.stop);
  const api = await createApi({ sql, connections, secrets, files, accounts: accounts.answer, workers, log });
  closings.push(api.close);
  const shopEmails = startShopEmails(settings, sql, log);
  closings.push(shopEmails.stop);
  const place = { dataDir: settings.dataDir, jwtSecret: secrets.jwtSecret, settled: shopEmails.settled };
  const path = socketPath(settings.dataDir);
  const own: OwnPaths = {
    [readyPath]: async () => new Response(null, { status: (await answersOne(engine.sql)) ? 204 : 503 }),
    [figuresPath]: async () => Response.json(api.figures()),
    [uploaderPath]: api.answerUploader,
    ...Object.fromEntries(
      shopCalls.map((name) => [callPath + name, (request) => answerCall(request, name, api, secrets)]),
    ),
    [backupPath]: (request) => answerOwner(request, secrets, () => backups.make("backup")),
    [accountPath]: (request) =>
      answerOwner(request, secrets, (fields) => ownersAccount(engine.sql, secrets, fields)),
    [movedPath]: (request) =>
      answerOwner(request, secrets, (fields) => emailMovedPeople(sql, siteUrl, post.send, fields)),
    [anonymisePath]: (request) =>
      answerOwner(request, secrets, ({ user_id, caller }) =>
        typeof caller === "string"
          ? anonymiseCaller(sql, place, caller)
          : anonymiseAccount(sql, place, String(user_id)),
      ),
    [closeAccountPath]: (request) => answerClosing(request, sql, place),
  };
  await attempt.done();
  closings.push(startNightly(backups, log));
  closings.push(startHousekeeping(engine.sql, files, log));
  closings.push(
    startWatchdog(engine.sql, () => end(1, "the database has stopped answering; starting again")),
  );
  // The last one, and so released first: the next start waits until a backend has stopped listening (lock.ts).
  closings.push(await listen(path, settings.dataDir, own, api.answer));
  const { publishableKey } = secrets;
  return { type: "ready", socketPath: path, publishableKey, notices };
}

/** Forwards a call of the web process to the data API, with the secret key that the web process does not have. */
async function answerCall(
  request: Request,
  name: string,
  api: Api,
  { secretKey }: Secrets,
): Promise<Response> {
  const call = new Request(`http://backend/rest/v1/rpc/${name}`, {
    method: "POST",
    headers: { apikey: secretKey, "content-type": "application/json" },
    body: await request.text(),
  });
  return api.answer(call, null);
}

/** Only the web process can call this; the database's refusals are shown to the customer. */
async function answerClosing(
  request: Request,
  sql: Sql,
  place: Parameters<typeof anonymiseAccount>[1],
): Promise<Response> {
  const { user_id } = (await request.json()) as { user_id: string };
  try {
    return Response.json(await anonymiseAccount(sql, place, user_id, "close_account"));
  } catch (error) {
    const refusal = refusalOf(error, "service_role");
    if (!refusal) throw error;
    return answerRefusal(refusal);
  }
}

/**
 * Commands send the secret key. They get the database's own refusals, which are sentences, but only the codes of
 * other failures.
 */
async function answerOwner(
  request: Request,
  secrets: Secrets,
  work: (fields: Record<string, unknown>) => Promise<object>,
): Promise<Response> {
  if (request.method !== "POST" || request.headers.get("apikey") !== secrets.secretKey) {
    return Response.json({ message: "This is for the shop's owner." }, { status: 403 });
  }
  const fields = (await request.json().catch(() => null)) as Record<string, unknown> | null;
  return work(fields ?? {}).then(
    (done) => Response.json(done),
    (error: NodeJS.ErrnoException) => {
      const isRefusal = error.code?.startsWith("PT4") === true;
      const message = isRefusal ? error.message : `It failed (${error.code ?? error.name})`;
      return Response.json({ message }, { status: 500 });
    },
  );
}
