import type { Settings } from "../lib/settings.ts";
import { StartError } from "../lib/start-error.ts";
import { Connections, type Via } from "./connections.ts";
import { connectionOptions, ownerConnections, statementLimits } from "./pool.ts";
import { type Access, startEmbedded } from "./postgres/embedded.ts";
import { connectionsSql, type Sql } from "./sql.ts";

/** An open database: the operations that our own code uses, and the connections behind them. */
export type Engine = {
  connections: Connections;
  sql: Sql;
  address: DatabaseAddress;
  close: () => Promise<void>;
};

/**
 * How another process of the shop reaches its database: DATABASE_URL, or the embedded server and its password.
 */
export type DatabaseAddress = { url: string; access: Partial<Access>; via?: Via };

type DatabaseSettings = Pick<Settings, "dataDir" | "databaseUrl"> & Partial<Pick<Settings, "workers">>;

/** Enough for every process of the shop: the first one, and each worker. Some are left for whoever looks into the database. */
const maxConnections = (workers: number) =>
  40 + (workers > 1 ? workers * (statementLimits(workers).running + ownerConnections) : 0);

/** Why the server cannot be reached, for the owner. */
function explain(error: { code?: string; message?: string }): string {
  switch (error.code) {
    case "ECONNREFUSED":
      return "no server answers there";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "the host does not exist";
    case "CONNECT_TIMEOUT":
      return "it does not answer";
    case "28P01":
    case "28000":
      return "the user or password is wrong";
    case "3D000":
      return "the database does not exist";
    default:
      return error.code ?? error.message ?? "unknown reason";
  }
}

/** Lasts on a connection to the server itself, and on none that a pooler lends. */
const directMark = "shop.direct";

/** Connects to a database that another process of the shop has opened, as soon as there is work. */
export function connectTo(address: DatabaseAddress): Engine {
  const { url, access, via } = address;
  const connection = {
    ...connectionOptions.connection,
    ...(via === "direct" ? { [directMark]: "yes" } : {}),
  };
  const options = { ...connectionOptions, ...access, connection };
  const connections = Connections.to(url, options, ownerConnections, via);
  return { connections, sql: connectionsSql(connections), address, close: () => connections.end() };
}

/** A pooler such as PgBouncer refuses or forgets what a connection is opened with. */
const isRefusedByPooler = ({ code, message = "" }: { code?: string; message?: string }) =>
  code === "08P01" && message.includes("startup parameter");

/**
 * Reads the server's version, and whether a pooler is in between: then nothing that protects the rows may depend on how a connection was
 * opened, such as the role of a visitor's.
 */
async function look({ sql }: Engine): Promise<{ version: number; isPooled: boolean }> {
  try {
    const [server] = await sql.query<{ version: number; is_pooled?: boolean }>(
      `select current_setting('server_version_num')::int as version,
              current_setting('${directMark}', true) is distinct from 'yes' as is_pooled`,
    );
    return { version: server?.version ?? 0, isPooled: server?.is_pooled === true };
  } catch (error) {
    if (isRefusedByPooler(error as { code?: string })) return { version: 0, isPooled: true };
    throw error;
  }
}

/**
 * Opens the database of a PostgreSQL server.
 * @throws StartError when it cannot be reached or is older than version 15
 */
export async function openServer(databaseUrl: string): Promise<Engine> {
  let engine = connectTo({ url: databaseUrl, access: {}, via: "direct" });
  try {
    let { version, isPooled } = await look(engine);
    if (isPooled) {
      await engine.close();
      engine = connectTo({ url: databaseUrl, access: {}, via: "pooler" });
      ({ version } = await look(engine));
    }
    if (version < 150_000) {
      throw new StartError(
        `The database of DATABASE_URL is PostgreSQL ${Math.floor(version / 10_000)}: 15 or newer is needed`,
      );
    }
    return engine;
  } catch (error) {
    await engine.close();
    if (error instanceof StartError) throw error;
    throw new StartError(
      `The database of DATABASE_URL cannot be used: ${explain(error as { code?: string })}`,
    );
  }
}

/** Opens the database that lives in the data folder, with a server of its own. The folder's lock must be held. */
async function openEmbedded(dataDir: string, workers: number, log: (line: string) => void): Promise<Engine> {
  let engine: Engine | null = null;
  const server = await startEmbedded(
    dataDir,
    (access) => {
      const opened = connectTo({ url: `postgres://localhost/${access.database}`, access });
      engine = opened;
      return {
        responds: () =>
          opened.sql.query("select 1").then(
            () => true,
            () => false,
          ),
      };
    },
    log,
    { max_connections: String(maxConnections(workers)) },
  ).catch(async (error) => {
    await engine?.close();
    throw error;
  });
  const opened = engine as Engine | null;
  if (!opened) throw new Error("The database was started without a connection");
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await server.stop();
    },
  };
}

/**
 * Opens the shop's database: the one of DATABASE_URL, which other machines may use too, or the embedded one in the data folder, whose
 * lock must be held.
 * @throws StartError with one line for the owner
 */
export const openDatabase = (
  { dataDir, databaseUrl, workers = 1 }: DatabaseSettings,
  log: (line: string) => void,
): Promise<Engine> => (databaseUrl ? openServer(databaseUrl) : openEmbedded(dataDir, workers, log));
