import { chmod, chown, mkdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { LockedFile } from "../../lib/kernel-lock.ts";
import { fallbackSocketFolder, isTooLong, makePrivateFolder } from "../../lib/socket-path.ts";
import { findAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { databasePaths, databaseUser, prepareFolder } from "./folder.ts";
import { endLeftovers, findSurvivor, type Survivor } from "./leftovers.ts";
import { hasSocket, type Listening, type Parameters } from "./parameters.ts";
import { type Server, startServer } from "./server.ts";

/** How to reach the embedded database. */
export type Access = { host: string; port: number; user: string; password: string; database: string };

const socketPort = 5432;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** In the database's own folder, or elsewhere if that path is too long for a socket. */
async function findAddress(dataDir: string, folder: string): Promise<Listening> {
  if (process.platform === "win32") return { port: await freePort() };
  const inside = join(folder, `.s.PGSQL.${socketPort}`);
  return {
    socketFolder: isTooLong(inside) ? join(fallbackSocketFolder(dataDir), "database") : folder,
    port: socketPort,
  };
}

/** A user who may not list the data folder must still be able to traverse it. */
async function letPass(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) await chmod(folder, (mode & 0o777) | 0o011);
}

type Starting = [
  dataDir: string,
  connect: (access: Access) => { responds: () => Promise<boolean> },
  log: (line: string) => void,
  parameters?: Parameters,
];

/**
 * Creates the embedded database if needed, starts its server, or goes on with one that the process before this one has left, and
 * keeps it running. The data folder's lock must be held.
 * @param connect prepares connections; its `responds` checks whether the server is ready
 * @param parameters settings of a test's own
 * @throws StartError in one line
 */
export async function startEmbedded(...args: Starting): Promise<Server> {
  const survivor = await findSurvivor(args[0]);
  if (survivor) return startFrom(survivor, ...args);
  const lock = await endLeftovers(args[0]);
  return startFrom(lock, ...args).finally(lock.close);
}

async function startFrom(
  from: LockedFile | Survivor,
  ...[dataDir, connect, log, parameters = {}]: Starting
): Promise<Server> {
  const paths = databasePaths(dataDir);
  const binaries = await findBinaries(paths.libraries);
  if (process.getuid?.() === 0) await letPass(dataDir);
  const account = await findAccount([dataDir, dirname(binaries.postgres)]);
  const { password, isWhole } = await prepareFolder(paths, { binaries, account, dataDir });
  const address = await findAddress(dataDir, paths.folder);
  if (hasSocket(address) && address.socketFolder !== paths.folder) {
    await makePrivateFolder(dirname(address.socketFolder));
    await mkdir(address.socketFolder, { recursive: true, mode: 0o700 });
    if (account) {
      await letPass(dirname(address.socketFolder));
      await chown(address.socketFolder, account.uid, account.gid);
    }
  }
  const { responds } = connect({
    host: hasSocket(address) ? address.socketFolder : "127.0.0.1",
    port: address.port,
    user: databaseUser,
    password,
    database: "postgres",
  });
  const plan = { binaries, account, dataDir, address, responds, log, parameters, folder: paths.folder };
  const server = await startServer(plan, from);
  await isWhole();
  return server;
}
