import { emailMovedPeople } from "../api/accounts/moved.ts";
import type { CloseAccount } from "../api/backend.ts";
import { canWrite } from "../api/storage/stored-files.ts";
import { databaseDisk } from "../database/disk.ts";
import { type DatabaseAddress, openDatabase } from "../database/engine.ts";
import { refusalOf } from "../database/errors.ts";
import { listMigrations } from "../database/migration-files.ts";
import { applyMigrations, comparePosition } from "../database/migrations.ts";
import type { Sql } from "../database/sql.ts";
import { isResponding, startWatchdog } from "../database/watchdog.ts";
import { deleteUnfinishedEmails, openEmailTransport } from "../emails/email-transport.ts";
import { startShopEmails } from "../emails/shop-emails.ts";
import { readResult } from "../lib/call-database.ts";
import { diskOf, reasonOf, watchDisk } from "../lib/disk-full.ts";
import { refuseFullDisk } from "../lib/disk-space.ts";
import { takeLock } from "../lib/lock.ts";
import { isRule, refusalResponse } from "../lib/refusal.ts";
import type { Secrets } from "../lib/secrets.ts";
import type { Settings } from "../lib/settings.ts";
import { StartError } from "../lib/start-error.ts";
import { anonymiseAccount, anonymiseCaller } from "./anonymise.ts";
import { makeBackup } from "./backup/make.ts";
import { keepBackups, startNightly } from "./backup/nightly.ts";
import { prepareDatabase } from "./bootstrap.ts";
import {
  accountPath,
  anonymisePath,
  backupPath,
  closeAccountPath,
  diskPath,
  listenForCommands,
  movedPath,
  readyPath,
} from "./control-socket.ts";
import { noteFirstAttempt } from "./first-attempt.ts";
import { writeFirstSettings } from "./first-settings.ts";
import { prepareFirstStart } from "./first-start.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { counterOf, type Machines, openMachines } from "./machines.ts";
import { openServices, type Services, shopIn } from "./services.ts";

export type Closing = () => Promise<void>;

/** What the process that does everything once has opened. */
type Assembled = {
  services: Services;
  secrets: Secrets;
  database: DatabaseAddress;
  closeAccount: CloseAccount;
  ready: () => Promise<boolean>;
  leads: () => boolean;
  /** Lines for the owner. */
  notices: string[];
};

/** How often the process that sends emails looks for those about accounts that others have promised. */
const lookEveryMs = 1_000;
/** How often one process looks for tasks from the database, such as the email about a removed second step. */
const databaseTasksIntervalMs = 15_000;

/** A provider takes minutes to put a replica in the place of a server that died: in half seconds. */
const failoverFailures = 600;

/** Keys, covers, migrations, the first start and the settings' first values: what one machine does while the others wait. */
async function prepare(settings: Settings, sql: Sql, machines: Machines) {
  const { files } = machines;
  const secrets = await machines.secrets();
  await machines.adoptFiles();
  const backups = keepBackups(settings.dataDir, (target) => makeBackup({ sql, files, secrets }, target));
  const notices: string[] = [];
  const migrations = await listMigrations();
  const { used, pending } = await comparePosition(sql, migrations);
  if (used && pending.length > 0) {
    const { path } = await backups.make("before-migrating");
    notices.push(`The database is brought up to date; the backup ${path} is from before.`);
  }
  await prepareDatabase(sql);
  await applyMigrations(sql, migrations);
  notices.push(...(await prepareFirstStart(settings, sql, secrets)));
  await writeFirstSettings(sql, settings.paystack !== null);
  return { secrets, backups, notices };
}

/**
 * Opens a data folder: lock, keys, a migrated database, accounts, files and data, what is done once (emails, backups, housekeeping),
 * and a socket for the owner's commands.
 * @param closings receives the functions that release each resource, in the order of acquisition, even if this fails
 * half-way
 * @param log receives lines of our own, free of personal data
 * @param fail ends the process, called when the database fails or stops responding
 * @throws StartError with one line for the owner
 */
export async function assemble(
  settings: Settings,
  closings: Closing[],
  log: (line: string) => void,
  fail: (line: string) => void,
): Promise<Assembled> {
  const { dataDir, siteUrl, workers } = settings;
  if (!(await canWrite(dataDir))) throw new StartError(`The data folder ${dataDir} cannot be written`);
  await refuseFullDisk(dataDir);
  closings.push(await takeLock(dataDir));
  const attempt = await noteFirstAttempt(dataDir);
  closings.push(attempt.undo);
  const engine = await openDatabase(settings, log);
  closings.push(engine.close);
  const { sql } = engine;
  const machines = await openMachines(settings, engine, log);
  closings.push(machines.close);
  await deleteUnfinishedEmails(dataDir, log);
  const emails = openEmailTransport({ ...settings, readShop: shopIn(sql) }, log);
  closings.push(emails.stop);
  const { files } = machines;
  const { secrets, backups, notices } = await machines.alone(() => prepare(settings, sql, machines));
  const { leads, stop: leave } = await machines.lead();
  closings.push(leave);
  const isShared = settings.databaseUrl !== null;
  const services = await openServices({
    engine,
    secrets,
    files,
    siteUrl,
    workers,
    log,
    leads,
    machines: counterOf(settings, sql),
    sendEmail: emails.send,
    lookEveryMs: workers > 1 || isShared ? lookEveryMs : databaseTasksIntervalMs,
  });
  closings.push(services.close);
  const shopEmails = startShopEmails(settings, sql, log, leads);
  closings.push(shopEmails.stop);
  const place = { dataDir, jwtSecret: secrets.jwtSecret, settled: shopEmails.settled };
  const { hasRoom, stop: leaveDisk } = watchDisk(isShared ? databaseDisk(sql) : diskOf(dataDir), log);
  closings.push(leaveDisk);
  const close = (userId: string, staffId?: string) => handleClosing(userId, staffId, sql, place);
  const forOwner = (work: (fields: Fields) => Promise<object>) => (request: Request) =>
    handleOwnerRequest(request, secrets, work);
  await attempt.done();
  closings.push(startNightly(backups, log, leads));
  closings.push(startHousekeeping(sql, files, log, leads));
  const onFailure = () => fail("the database has stopped answering; starting again");
  closings.push(startWatchdog(sql, onFailure, isShared ? failoverFailures : undefined));
  const calls = {
    [readyPath]: async () => new Response(null, { status: (await isResponding(sql)) ? 204 : 503 }),
    [diskPath]: async () => new Response(null, { status: (await hasRoom()) ? 204 : 503 }),
    [backupPath]: forOwner(() => backups.make("backup")),
    [accountPath]: forOwner(services.ownersAccount),
    [movedPath]: forOwner((fields) =>
      emailMovedPeople(sql, { siteUrl, readShop: shopIn(sql) }, emails.sendLater, fields),
    ),
    [anonymisePath]: forOwner(({ user_id, caller }) =>
      typeof caller === "string"
        ? anonymiseCaller(sql, place, caller)
        : anonymiseAccount(sql, place, String(user_id)),
    ),
    [closeAccountPath]: async (request: Request) => {
      const { user_id, by } = (await request.json()) as { user_id: string; by?: string };
      return close(user_id, by);
    },
  };
  // The last one, and so released first: the next start waits until a shop has stopped listening (lock.ts).
  closings.push(await listenForCommands(dataDir, calls, services.api.handle));
  return {
    services,
    secrets,
    ready: async () => (await isResponding(sql)) && (await hasRoom()),
    notices,
    leads,
    database: engine.address,
    closeAccount: async (userId, staffId) => void (await readResult(await close(userId, staffId))),
  };
}

/** The database's refusals are shown to the customer, or to staff. */
async function handleClosing(
  userId: string,
  staffId: string | undefined,
  sql: Sql,
  place: Parameters<typeof anonymiseAccount>[1],
): Promise<Response> {
  try {
    const by = staffId ? "anonymise_customer" : "close_account";
    return Response.json(await anonymiseAccount(sql, place, userId, by, staffId));
  } catch (error) {
    const refusal = refusalOf(error, "service_role");
    if (!refusal) throw error;
    return refusalResponse(refusal);
  }
}

type Fields = Record<string, unknown>;

/**
 * Commands send the secret key. They get the database's own refusals, which are sentences, but only the codes of
 * other failures.
 */
async function handleOwnerRequest(
  request: Request,
  secrets: Secrets,
  work: (fields: Fields) => Promise<object>,
): Promise<Response> {
  if (request.method !== "POST" || request.headers.get("apikey") !== secrets.secretKey) {
    return Response.json({ message: "This is for the shop's owner." }, { status: 403 });
  }
  const fields = (await request.json().catch(() => null)) as Fields | null;
  return work(fields ?? {}).then(
    (done) => Response.json(done),
    (error: NodeJS.ErrnoException) => {
      const message = isRule(error) ? error.message : `It failed (${reasonOf(error)})`;
      return Response.json({ message }, { status: 500 });
    },
  );
}
