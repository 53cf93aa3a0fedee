import { randomInt } from "node:crypto";
import type { Sql } from "../../database/sql.ts";
import type { Email } from "../../emails/mail-server.ts";

/** Work that is done after the response, so that neither its time nor its outcome reveals who has an account. */
export type Task =
  | {
      kind: "sign-up";
      email: string;
      passwordHash: string;
      data: Record<string, unknown>;
      redirectTo: string | null;
      /** False when the limit of emails is reached. */
      sendsEmail: boolean;
    }
  | { kind: "resend" | "recover"; email: string; redirectTo: string | null; sendsEmail: boolean }
  | { kind: "change-email"; userId: string; email: string; redirectTo: string | null }
  | { kind: "password-changed"; email: string }
  | ({ kind: "account-notice"; email: string } & AccountNotice);

/** What an account's owner is notified of, because someone else may have done it. */
export type AccountNotice =
  | { notice: "second-step-on" | "second-step-off" | "second-step-removed" }
  | { notice: "recovery-code"; left: number }
  /** `device` is in words, `at` an ISO time. */
  | { notice: "new-device"; device: string; at: string };

/** What remains of a task once its changes are committed. */
type Sending = { kind: "send"; emails: Email[] };

const retryMs = 5_000;
/** Whoever takes a task has it this long: another machine goes on with it when that one has died. */
const takenFor = "1 minute";
const giveUpAfter = "1 hour";

export type Tasks = ReturnType<typeof createTasks>;

/** Stores a task in the caller's transaction. After its commit, `soon` has it run. */
export async function storeTask(sql: Sql, task: Task): Promise<void> {
  await sql.query("insert into private_shop.account_tasks (task) values ($1::text::jsonb)", [
    JSON.stringify(task),
  ]);
}

/** What is left to send, and when it may be taken again. */
async function note(sql: Sql, id: string, emails: Email[], after: string): Promise<void> {
  await sql.query(
    `update private_shop.account_tasks set task = $2::text::jsonb, due_at = clock_timestamp() + $3::text::interval
      where id = $1::text::bigint`,
    [id, JSON.stringify({ kind: "send", emails } satisfies Sending), after],
  );
}

type Queue = {
  sql: Sql;
  /** Runs a task in one transaction; returns the emails to send. */
  work: (sql: Sql, task: Task) => Promise<Email[]>;
  /** Null where another process runs the tasks. */
  sendEmail: ((email: Email) => Promise<void>) | null;
  /** How often to look for tasks of other processes; null where there are none. */
  lookEveryMs?: number | null;
  /** Whether this machine is the one that runs them now. */
  leads?: (() => boolean) | undefined;
  log: (line: string) => void;
  delayMs: [least: number, most: number];
};

/**
 * A queue in the database, so that work promised in a response survives a crash. Emails go out once their links are
 * committed; after a crash in between they are sent twice rather than never.
 */
export function createTasks({
  sql,
  work,
  sendEmail,
  lookEveryMs = null,
  leads = () => true,
  log,
  delayMs: [least, most],
}: Queue) {
  let running: Promise<void> | null = null;
  let looking: NodeJS.Timeout | undefined;
  let stopped = sendEmail === null;
  const timers = new Set<NodeJS.Timeout>();

  /** Runs the oldest task; false when there is none. */
  async function doNext(): Promise<boolean> {
    const taken = await sql.transaction(async (transaction) => {
      const [found] = await transaction.query<{ id: string; task: Task | Sending; tooOld: boolean }>(
        `select id::text, task, created_at < now() - $1::text::interval as "tooOld"
         from private_shop.account_tasks where due_at <= clock_timestamp()
         order by account_tasks.id limit 1 for update skip locked`,
        [giveUpAfter],
      );
      if (!found) return null;
      const { id, task, tooOld } = found;
      if (tooOld) return { id, emails: [] };
      const emails = task.kind === "send" ? task.emails : await work(transaction, task);
      await note(transaction, id, emails, takenFor);
      return { id, emails };
    });
    if (!taken) return false;
    const { id, emails } = taken;
    for (const [at, email] of emails.entries()) {
      try {
        await sendEmail?.(email);
      } catch (error) {
        await note(sql, id, emails.slice(at), "0").catch(() => {});
        throw error;
      }
    }
    await sql.query("delete from private_shop.account_tasks where id = $1::text::bigint", [id]);
    return true;
  }

  async function drain(): Promise<void> {
    try {
      while (leads() && (await doNext()));
    } catch (error) {
      log(
        `accounts: an email could not be prepared (${(error as { code?: string }).code ?? (error as Error).name})`,
      );
      if (!stopped) schedule(retryMs);
    }
  }

  /** One run at a time; a request during a run starts another one after it. */
  function run(): Promise<void> {
    const turn = (running ?? Promise.resolve()).then(drain);
    running = turn;
    return turn;
  }

  function schedule(delayMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void run();
    }, delayMs);
    timers.add(timer);
  }

  /** Runs stored tasks after a random delay, so that their timing reveals nothing. */
  function soon(): void {
    if (!stopped) schedule(randomInt(least, most + 1));
  }

  return {
    soon,
    /** Resolves when the task is stored. */
    async add(task: Task): Promise<void> {
      await storeTask(sql, task);
      soon();
    },
    /** Runs what a crash left behind. */
    start(): void {
      if (stopped) return;
      schedule(0);
      if (lookEveryMs !== null) looking = setInterval(() => void run(), lookEveryMs).unref();
    },
    /** Runs the waiting tasks, then stops. */
    async stop(): Promise<void> {
      if (sendEmail === null) return;
      stopped = true;
      clearInterval(looking);
      for (const timer of timers) clearTimeout(timer);
      await run();
    },
  };
}
