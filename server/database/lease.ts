import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "./sql.ts";

/** A lease ends by the database's clock this long after it was last renewed. */
const leaseMs = 15_000;
const renewEveryMs = 3_000;
/** Its holder stops this much earlier, counted from before its request: a machine that sleeps or stalls wakes up without it. */
const marginMs = 3_000;
const tryAgainMs = 500;

export type Machine = {
  /** New at every start. */
  id: string;
  /** For whoever looks into the database. */
  name: string;
};

/** Both clocks: one stands still while a machine sleeps, the other one may be set back. */
const clocks = () => ({ steady: performance.now(), wall: Date.now() });

/**
 * What only one machine does at a time: a row that its holder renews. A lock of a session would be simpler, but belongs to no one
 * behind a pooler that changes connections at every transaction.
 */
class Lease {
  readonly #sql: Sql;
  readonly #name: string;
  readonly #machine: Machine;
  #renewedAt: ReturnType<typeof clocks> | null = null;

  constructor(sql: Sql, name: string, machine: Machine) {
    this.#sql = sql;
    this.#name = name;
    this.#machine = machine;
  }

  /** Takes the lease when no one holds it, or renews it. @returns whether this machine holds it */
  async take(): Promise<boolean> {
    const requestedAt = clocks();
    const rows = await this.#sql.query(
      `insert into private_shop.leases as held (name, holder, machine, expires_at)
       values ($1::text, $2::text::uuid, $3::text, clock_timestamp() + $4::text::interval)
       on conflict (name) do update
          set holder = excluded.holder, machine = excluded.machine, expires_at = clock_timestamp() + $4::text::interval,
              term = held.term + (held.holder <> excluded.holder)::int
        where held.holder = excluded.holder or held.expires_at < clock_timestamp()
       returning term`,
      [this.#name, this.#machine.id, this.#machine.name, `${leaseMs} milliseconds`],
    );
    this.#renewedAt = rows.length > 0 ? requestedAt : null;
    return rows.length > 0;
  }

  isHeld(): boolean {
    if (!this.#renewedAt) return false;
    const { steady, wall } = clocks();
    const age = Math.max(steady - this.#renewedAt.steady, wall - this.#renewedAt.wall);
    return age < leaseMs - marginMs;
  }

  /** Gives it back, so that the next one need not wait. */
  async release(): Promise<void> {
    this.#renewedAt = null;
    await this.#sql.query(
      "update private_shop.leases set expires_at = clock_timestamp() where name = $1::text and holder = $2::text::uuid",
      [this.#name, this.#machine.id],
    );
  }
}

/** Runs work that only one machine may do at a time; the others wait until it is done, or until its machine has died. */
export async function withLease<Result>(
  sql: Sql,
  name: string,
  machine: Machine,
  work: () => Promise<Result>,
): Promise<Result> {
  const lease = new Lease(sql, name, machine);
  while (!(await lease.take())) await pause(tryAgainMs);
  const renewing = setInterval(() => void lease.take().catch(() => {}), renewEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await lease.release().catch(() => {});
  }
}

/** How many machines have been seen lately, this one included. */
export async function countMachines(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ machines: number }>(
    "select count(*)::int as machines from private_shop.machines where alive_until > clock_timestamp()",
  );
  return Math.max(1, row?.machines ?? 1);
}

async function showAlive(sql: Sql, { id, name }: Machine): Promise<void> {
  await sql.query(
    `with gone as (delete from private_shop.machines where alive_until < clock_timestamp() - interval '1 hour')
     insert into private_shop.machines (id, machine, alive_until)
     values ($1::text::uuid, $2::text, clock_timestamp() + $3::text::interval)
     on conflict (id) do update set alive_until = excluded.alive_until`,
    [id, name, `${leaseMs} milliseconds`],
  );
}

export type Leading = { leads: () => boolean; stop: () => Promise<void> };

/**
 * Has this machine do what is done once, as soon as no other one does.
 * @param log called when this machine takes over, or has to stop
 */
export async function startLeading(
  sql: Sql,
  machine: Machine,
  log: (line: string) => void,
): Promise<Leading> {
  const lease = new Lease(sql, "leader", machine);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let led: boolean | null = null;

  async function round(): Promise<void> {
    await showAlive(sql, machine)
      .then(() => lease.take())
      .catch(() => {});
    const leads = lease.isHeld();
    // Not on startup, when the first machine leads without taking over from another one.
    if (led !== null && leads !== led)
      log(
        leads
          ? "This machine now does what is done once: emails, backups, housekeeping"
          : "This machine has lost touch with the database, and leaves to another one what is done once",
      );
    led = leads;
    if (stopped) return;
    timer = setTimeout(() => {
      working = round();
    }, renewEveryMs);
    timer.unref();
  }

  let working = round();
  await working;
  return {
    leads: () => !stopped && lease.isHeld(),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await working;
      await lease.release().catch(() => {});
      await sql
        .query("delete from private_shop.machines where id = $1::text::uuid", [machine.id])
        .catch(() => {});
    },
  };
}
