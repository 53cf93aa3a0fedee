import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { createPgliteConnection } from "@supabase/lite/pglite";
import { createPostgresConnection } from "@supabase/lite/postgres";
import { prepareDatabaseFolder } from "./database-folder.ts";
import { watchForPanic } from "./panic.ts";
import { pgliteSql, postgresSql, type Sql } from "./sql.ts";
import { StartError } from "./start-error.ts";

/** An open database, as the library wants it (`connection`) and as our own code does (`sql`). */
export type Engine = {
  connection:
    | Awaited<ReturnType<typeof createPgliteConnection>>
    | ReturnType<typeof createPostgresConnection>;
  sql: Sql;
  close: () => Promise<void>;
  /** Whether opening it made it. */
  made: boolean;
};

/** Hosted projects find extensions without naming their schema; so does the embedded backend. */
const searchPath = "public,extensions";

/** timestamptz as the hosted data API writes it: `2026-01-31T08:30:00+00:00`. */
function toIso(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00");
}

/**
 * PGlite's own settings, changed where they would lose data (-F is "no fsync", and without a synchronous log
 * method PGlite's file layer syncs nothing) or waste memory. Of two settings of one name the later counts.
 */
const pgliteParameters = [
  ...PGlite.defaultStartParams.filter((word) => word !== "-F"),
  ...["-c", `search_path=${searchPath}`],
  ...["-c", "fsync=on"],
  ...["-c", "wal_sync_method=open_datasync"],
  ...["-c", "shared_buffers=16MB"],
];

/**
 * Opens the database that lives in the data folder.
 * @param onPanic must end the process: the database can no longer write
 * @throws StartError when it cannot be opened
 */
export async function openPglite(
  dataDir: string,
  onPanic: () => void = () => process.exit(1),
): Promise<Engine> {
  const folder = join(dataDir, "database");
  const { made, isWhole } = await prepareDatabaseFolder(folder);
  const connection = await createPgliteConnection({
    url: `file://${folder}`,
    pgliteOptions: {
      startParams: pgliteParameters,
      extensions: { pg_trgm, unaccent },
      parsers: { 1700: Number, 1184: toIso },
    },
  });
  await connection.driver.waitReady.catch((error: Error) => {
    const reason = error.message.split("\n")[0]?.slice(0, 80);
    throw new StartError(
      `The database in ${folder} cannot be opened (${reason}). Is the disk full? Otherwise restore a backup into an empty folder`,
    );
  });
  await isWhole();
  watchForPanic(connection.driver, onPanic);
  return {
    connection,
    sql: pgliteSql(connection.driver),
    close: () => connection.close(),
    made,
  };
}

/** postgres.js would encode text that already is JSON a second time. */
const asJson = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** What stands between us and the server, in words for the owner. */
function explain(error: { code?: string; message?: string }): string {
  switch (error.code) {
    case "ECONNREFUSED":
      return "nobody answers there";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "there is no such host";
    case "CONNECT_TIMEOUT":
      return "it does not answer";
    case "28P01":
    case "28000":
      return "user or password are wrong";
    case "3D000":
      return "there is no such database";
    default:
      return error.code ?? error.message ?? "unknown reason";
  }
}

/**
 * Opens a PostgreSQL server's database.
 * @throws StartError when it cannot be reached or is older than version 15
 */
export async function openPostgres(databaseUrl: string): Promise<Engine> {
  const connection = createPostgresConnection({
    url: databaseUrl,
    postgresOptions: {
      max: 10,
      connect_timeout: 10,
      onnotice: () => {},
      connection: { search_path: searchPath, application_name: "shop" },
      types: {
        numeric: { to: 1700, from: [1700], serialize: String, parse: Number },
        timestamptz: { to: 1184, from: [1184], serialize: (value: unknown) => value, parse: toIso },
        json: { to: 114, from: [114], serialize: asJson, parse: JSON.parse },
        jsonb: { to: 3802, from: [3802], serialize: asJson, parse: JSON.parse },
      },
    },
  });
  const sql = postgresSql(connection.driver);
  try {
    const [server] = await sql.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    const version = server?.version ?? 0;
    if (version < 150_000) {
      throw new StartError(
        `The database of DATABASE_URL is PostgreSQL ${Math.floor(version / 10_000)}: 15 or newer is needed`,
      );
    }
  } catch (error) {
    await connection.close();
    if (error instanceof StartError) throw error;
    throw new StartError(
      `The database of DATABASE_URL cannot be used: ${explain(error as { code?: string })}`,
    );
  }
  return { connection, sql, close: () => connection.close(), made: false };
}
