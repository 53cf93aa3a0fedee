import { join } from "node:path";
import type { Backend } from "./api/backend.ts";
import { type StoredCover, storedCover } from "./api/storage/stored-cover.ts";
import { ObjectFiles } from "./api/storage/stored-files.ts";
import { createUnmetDemand } from "./api/unmet-demand.ts";
import type { DatabaseAddress } from "./database/engine.ts";
import { closeHostedAccount } from "./hosted/accounts.ts";
import { connectHosted, openHosted } from "./hosted/backend.ts";
import { hostedCalls } from "./hosted/calls.ts";
import { findHostedCovers } from "./hosted/covers.ts";
import { startHostedEmails } from "./hosted/emails.ts";
import { startHostedHousekeeping } from "./hosted/housekeeping.ts";
import { hostedPieces } from "./hosted/pieces.ts";
import { listTermsNotices } from "./hosted/terms.ts";
import { log } from "./lib/log.ts";
import type { Settings } from "./lib/settings.ts";
import { paysOnline } from "./payments/payments.ts";
import { joinEmbedded, openEmbedded } from "./shop/backend.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A size that is requested counts as new once a day (server/hosted/covers.ts). */
const UNSEEN_COVER_MS = 30 * DAY_MS;

const warn = (line: string) => log.warn(line);

/**
 * Opens the backend configured in the settings.
 * @param fail called with a line for the log when the process has to start again
 * @throws Error whose message is one line for the owner: data folder in use or not writable, database unreachable or
 * too old, migrations missing or failing
 */
export async function openBackend(settings: Settings, fail: (line: string) => void): Promise<Backend> {
  if (!settings.hosted) return openEmbedded(settings, warn, fail);
  const backend = await openHosted(settings.hosted);
  const emails = startHostedEmails(settings, warn);
  const covers = hostedCovers(settings, settings.hosted);
  const removeOld = () =>
    covers.files
      .removeOlder(UNSEEN_COVER_MS)
      .catch(({ code = "no code" }) => warn(`sizes of old covers could not be removed (${code})`));
  const cleaning = setInterval(removeOld, DAY_MS).unref();
  void removeOld();
  const { stopCounting, ...withKey } = withSecretKey(settings.hosted.url, settings.secretKey);
  const stopHousekeeping = withKey.call ? startHostedHousekeeping(withKey.call, warn) : async () => {};
  return {
    ...backend,
    ...withKey,
    findCover: covers.find,
    notices: [
      ...backend.notices,
      ...(await listTermsNotices(settings.hosted, paysOnline(settings, withKey))),
      ...emails.notices,
    ],
    stop: async () => {
      clearInterval(cleaning);
      await Promise.all([emails.stop(), stopHousekeeping(), stopCounting()]);
      await backend.stop();
    },
  };
}

/** For a worker: connects to what the first process has opened. */
export async function joinBackend(settings: Settings, database: DatabaseAddress | null): Promise<Backend> {
  const { hosted, secretKey } = settings;
  if (hosted) {
    const { stopCounting, ...withKey } = withSecretKey(hosted.url, secretKey);
    return {
      ...connectHosted(hosted),
      ...withKey,
      findCover: hostedCovers(settings, hosted).find,
      stop: stopCounting,
    };
  }
  if (!database) throw new Error("The first process has no database");
  return joinEmbedded(settings, database, warn);
}

/** The sizes of a hosted project's covers are on this machine: the project would take them only from an admin. */
function hostedCovers({ dataDir }: Settings, hosted: NonNullable<Settings["hosted"]>) {
  const files = new ObjectFiles(join(dataDir, "small-covers"));
  const coverOf = (name: string, read: StoredCover["read"]) =>
    storedCover({ bucket: "book-covers", name }, files, read);
  return { files, find: findHostedCovers(hosted, coverOf) };
}

type WithSecretKey = Pick<Backend, "call" | "closeAccount" | "noteUnmet" | "readPiece"> & {
  stopCounting: () => Promise<void>;
};

function withSecretKey(url: string, secretKey: string | null): WithSecretKey {
  if (!secretKey) return { call: null, closeAccount: null, stopCounting: async () => {} };
  const call = hostedCalls(url, secretKey);
  const unmet = createUnmetDemand({ call, log: warn });
  return {
    call,
    closeAccount: (userId, staffId) => closeHostedAccount(userId, { url, secretKey }, call, staffId),
    noteUnmet: unmet.note,
    readPiece: hostedPieces({ url, secretKey }),
    stopCounting: unmet.stop,
  };
}
