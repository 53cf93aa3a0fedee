import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { StartError } from "../lib/start-error.ts";

/** The same in every version of the shop, and unlikely in other programs: "shop" as bytes, twice. */
const lockKey = "8316019240702865264";

/** A killed shop's lock is released as soon as the server notices, which is immediate on the same machine. */
const closingMs = 10_000;
const retryMs = 1_000;

async function tryLock(session: postgres.Sql): Promise<boolean> {
  const [row] = await session.unsafe<{ locked: boolean }[]>(
    `select pg_try_advisory_lock(${lockKey}) as locked`,
  );
  return row?.locked ?? false;
}

/**
 * Claims the database for this shop alone: two shops on one would reject each other's sessions and send everything
 * twice. The claim is a lock of one session; if the connection is lost, it is taken again.
 * @param onTaken called when another shop took it first
 * @returns the function that releases it
 * @throws StartError when another shop holds it
 */
export async function claimDatabase(databaseUrl: string, onTaken: () => void): Promise<() => Promise<void>> {
  let held = false;
  let stopping = false;
  const session = postgres(databaseUrl, {
    ...{ max: 1, max_lifetime: null, idle_timeout: 0, connect_timeout: 10, backoff: () => 0.5 },
    connection: { application_name: "shop (lock)" },
    onnotice: () => {},
    onclose: () => {
      if (!held || stopping) return;
      held = false;
      void again();
    },
  });
  async function again(): Promise<void> {
    while (!stopping && !held) {
      const locked = await tryLock(session).catch(() => null);
      if (locked === false) return onTaken();
      held = locked === true;
      if (!held) await pause(retryMs, undefined, { ref: false });
    }
  }
  const release = async () => {
    stopping = true;
    await session.end({ timeout: 2 });
  };
  try {
    const until = Date.now() + closingMs;
    while (!(await tryLock(session))) {
      if (Date.now() > until)
        throw new StartError("Another shop uses the database of DATABASE_URL: one database serves one shop");
      await pause(200);
    }
    held = true;
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}
