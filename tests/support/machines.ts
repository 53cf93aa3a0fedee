import { readFile } from "node:fs/promises";
import { createClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { readSecrets } from "#server/lib/secrets.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { eventually } from "./eventually.ts";
import { type Client, type Member, newMember } from "./factories.ts";
import { type Mail, readMail } from "./outbox.ts";
import { ADMIN, type ShopServer, startShop } from "./shop-server.ts";
import { idsOf, openMailServer } from "./smtp-server.ts";
import { startSwitchingProxy } from "./switching-proxy.ts";

/** Several machines on one PostgreSQL, behind a proxy that takes another one for every request. */
export type Machines = {
  url: string;
  machines: ShopServer[];
  /** The database's owner. */
  sql: postgres.Sql;
  /** What the mail server has accepted. */
  mails: () => Mail[];
  /** Their ids, each as often as it was accepted. */
  mailIds: () => string[];
  clientOf: (from: string, url?: string) => Client;
  signUp: (email: string, from: string) => Promise<Member>;
  signInAdmin: () => Promise<Client>;
  /** The machine that does what is done once. */
  leader: () => Promise<ShopServer>;
  /** Ends a machine as a power cut does: none of its processes can say goodbye. */
  kill: (machine: ShopServer) => Promise<void>;
  /** Suspends all of a machine's processes, as sleep does. @returns a function that wakes it */
  freeze: (machine: ShopServer) => Promise<() => void>;
  stop: () => Promise<void>;
};

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text.trim().split(" ").filter(Boolean).map(Number);
}

/** The process that watches the shop, and the shop. */
async function processesBelow(pid: number): Promise<number[]> {
  const below = await Promise.all((await childrenOf(pid)).map(processesBelow));
  return [pid, ...below.flat()];
}

/**
 * @param databaseUrl what the machines use
 * @param adminUrl where the tests look into the same database
 */
export async function openMachines(
  count: number,
  databaseUrl: string,
  adminUrl = databaseUrl,
): Promise<Machines> {
  const opened: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    const proxy = await startSwitchingProxy();
    opened.push(proxy.stop);
    const mailServer = await openMailServer();
    opened.push(mailServer.stop);
    const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
    opened.push(() => sql.end({ timeout: 1 }));
    const { url } = proxy;
    const env = {
      DATABASE_URL: databaseUrl,
      SITE_URL: url,
      SHOP_DEMO: "0",
      SMTP_URL: mailServer.url,
      MAIL_FROM: "shop@shop.example",
    };
    // All at once: one of them makes the tables, and the others wait for it.
    const starting = Array.from({ length: count }, () => startShop(env));
    opened.push(async () => {
      for (const each of await Promise.allSettled(starting))
        if (each.status === "fulfilled") await each.value.stop();
    });
    const machines = await Promise.all(starting);
    proxy.setWebProcesses(machines.map((each) => each.url));
    const secrets = await readSecrets(machines[0]?.dataDir ?? "");
    const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
    const clientOf: Machines["clientOf"] = (from, at = url) =>
      createClient<Database>(at, secrets?.publishableKey ?? "", {
        auth,
        global: { headers: { "x-forwarded-for": from } },
      });
    const mails = () => mailServer.mails.map(readMail);
    return {
      url,
      machines,
      sql,
      mails,
      mailIds: () => idsOf(mailServer),
      clientOf,
      stop,
      signUp: (email, from) =>
        newMember(clientOf(from), { email, password: "a long password", full_name: "Ama" }, (to) =>
          eventually(() => mails().find((mail) => mail.to.includes(to)) ?? false),
        ),
      signInAdmin: async () => {
        const client = clientOf("192.0.2.1");
        const { error } = await client.auth.signInWithPassword(ADMIN);
        if (error) throw error;
        return client;
      },
      leader: async () => {
        const [lease] = await sql`
          select machine from private_shop.leases where name = 'leader' and expires_at > clock_timestamp()`;
        const found = machines.find((each) => lease?.machine.endsWith(`:${new URL(each.url).port}`));
        if (!found) throw new Error("No machine leads");
        return found;
      },
      kill: async (machine) => {
        const pids = await processesBelow(machine.process.pid ?? 0);
        // Stopped first, so that none notices that another one has ended.
        for (const pid of pids) process.kill(pid, "SIGSTOP");
        for (const pid of pids) process.kill(pid, "SIGKILL");
      },
      freeze: async (machine) => {
        const pids = await processesBelow(machine.process.pid ?? 0);
        const wake = () => {
          for (const pid of pids) process.kill(pid, "SIGCONT");
        };
        // A frozen process takes no SIGTERM.
        opened.push(wake);
        for (const pid of pids) process.kill(pid, "SIGSTOP");
        return wake;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
