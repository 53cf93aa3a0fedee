import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import fc from "fast-check";
import { readSecrets } from "#server/embedded/secrets.ts";
import { type Engine, findPostgresProblem } from "#tests/support/database.ts";
import { newDatabase } from "#tests/support/embedded-shop.ts";
import { findMail } from "#tests/support/outbox.ts";
import { ADMIN, type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { type HostileCase, hostileCase, type Sender } from "./hostile-requests.ts";
import { chanceFrom } from "./random.ts";
import { type RawAnswer, sendRaw, toBytes } from "./raw-request.ts";

export type HostileFigures = {
  cases: number;
  byPart: Record<string, number>;
  byStatus: Record<string, number>;
  /** What did not hold, one line each, with the case's number under this seed. */
  broken: string[];
  slowestMs: number;
  memoryMb: Memory;
};

/** Memory of all processes of the shop, in MB: before, the most seen, and the most when `WARM` cases were done. */
export type Memory = { before: number; warm: number | null; most: number };

export type HostileShop = {
  shop: ShopServer;
  port: number;
  key: string;
  tokens: Record<Sender, string[]>;
  secrets: string[];
  stop: () => Promise<void>;
};

const AT_ONCE = 6;
const LOOK_EVERY = 250;

/** After so many cases everything has been loaded, compiled and kept that is ever kept. */
export const WARM = 20_000;

/*
 * What may be added to the memory, in MB. With Node's own limits 20,000 cases added 300 to 400, most of it garbage that
 * nothing made it collect. With ours they add 90 to 120, the next 20,000 16 to 20, then 14,000 7: pages that are kept, and the C
 * library's pieces. What is lost for good with each case, if only 3 kB, shows in the second figure.
 */
const MOST_GROWTH_MB = 200;
const MOST_GROWTH_WARM_MB = 60;

/** What the memory did that it must not, or null. */
export function growthOf({ before, warm, most }: Memory): string | null {
  if (most > before + MOST_GROWTH_MB) return `the memory grew from ${before} to ${most} MB`;
  if (warm !== null && most > warm + MOST_GROWTH_WARM_MB)
    return `the memory went on growing, from ${warm} to ${most} MB`;
  return null;
}

/** A running shop with a customer, and the tokens with which the cases come. */
export async function openHostileShop(engine: Engine = "pglite"): Promise<HostileShop> {
  const database = engine === "postgres" ? await newDatabase() : null;
  let shop: ShopServer | null = null;
  const stop = async () => {
    await shop?.stop();
    await database?.drop();
  };
  try {
    shop = await startShop(database ? { DATABASE_URL: database.url } : {});
    return { ...(await makeSenders(shop)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function makeSenders(shop: ShopServer): Promise<Omit<HostileShop, "stop">> {
  const secrets = await readSecrets(shop.dataDir);
  if (!secrets) throw new Error("The shop has made no keys");
  const key = secrets.publishableKey;
  const signIn = async (email: string, password: string) => {
    const client = createClient(shop.url, key, { auth: { persistSession: false } });
    const { data, error } = await client.auth.signInWithPassword({ email, password });
    if (error) throw error;
    return data.session.access_token;
  };
  const customer = { email: "customer@school.example", password: "a customer's password" };
  const client = createClient(shop.url, key, { auth: { persistSession: false } });
  const { error } = await client.auth.signUp({
    ...customer,
    options: { data: { full_name: "A customer" } },
  });
  if (error) throw error;
  const link = (await findMail(shop.dataDir, customer.email)).links.find((each) => each.includes("/verify"));
  await fetch(link ?? "", { redirect: "manual" });
  const token = await signIn(customer.email, customer.password);
  return {
    shop,
    port: Number(new URL(shop.url).port),
    key,
    tokens: {
      visitor: [],
      customer: [token],
      admin: [await signIn(ADMIN.email, ADMIN.password)],
      broken: brokenTokens(token, secrets.jwtSecret),
    },
    secrets: [secrets.jwtSecret, secrets.secretKey, shop.dataDir, join(import.meta.dirname, "../..")],
  };
}

/** Tokens that must open nothing: unsigned, signed by somebody else, expired, changed, and no tokens at all. */
export function brokenTokens(good: string, jwtSecret: string): string[] {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const [head = "", claims = "", signature = ""] = good.split(".");
  const mine = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
  const sign = (header: unknown, payload: unknown, secret: string) => {
    const body = `${part(header)}.${part(payload)}`;
    return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
  };
  const hs256 = { alg: "HS256", typ: "JWT" };
  const owner = { ...mine, role: "service_role" };
  return [
    `${part({ alg: "none" })}.${part(owner)}.`,
    `${part({ alg: "none" })}.${part(owner)}.x`,
    `${part({ alg: "NONE", typ: "JWT" })}.${part(owner)}.${signature}`,
    sign(hs256, owner, "secret"),
    sign(hs256, owner, ""),
    sign({ alg: "HS512" }, owner, jwtSecret),
    sign({ alg: ["HS256"] }, owner, jwtSecret),
    sign(hs256, { ...mine, exp: 1 }, jwtSecret),
    sign(hs256, { ...mine, exp: "tomorrow" }, jwtSecret),
    `${head}.${part(owner)}.${signature}`,
    `${head}.${claims}.`,
    `${head}.${claims}`,
    `${head}.${claims}.${signature}x`,
    "a.b.c",
    "...",
    ".",
    "null",
    "x".repeat(10_000),
  ];
}

/**
 * Sends so many hostile requests, six at a time, the same ones for the same seed. What must hold for each: an answer
 * below 500, nothing of the inside in it, the shop alive afterwards.
 */
export async function runHostile(
  hostile: HostileShop,
  options: { seed: number; cases: number },
): Promise<HostileFigures> {
  const before = await memoryOf(hostile.shop);
  const figures: HostileFigures = {
    cases: 0,
    byPart: {},
    byStatus: {},
    broken: [],
    slowestMs: 0,
    memoryMb: { before, warm: null, most: before },
  };
  const chance = chanceFrom(options.seed);
  for (let round = 0; figures.cases < options.cases; round += 1) {
    const size = Math.min(LOOK_EVERY, options.cases - figures.cases);
    const cases = fc.sample(hostileCase, { seed: chance.whole(0, 2 ** 31 - 1), numRuns: size });
    let next = 0;
    const work = async () => {
      for (let place = next++; place < cases.length; place = next++) {
        const each = cases[place] as HostileCase;
        await tryCase(hostile, each, `${round * LOOK_EVERY + place}`, chance.pick, figures);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const memory = figures.memoryMb;
    memory.most = Math.max(memory.most, await memoryOf(hostile.shop));
    if (figures.cases >= WARM) memory.warm ??= memory.most;
    const health = await fetch(`${hostile.shop.url}/healthz`).then((answer) => answer.text());
    if (health !== '{"live":true,"ready":true}')
      figures.broken.push(`after case ${figures.cases}: ${health}`);
  }
  const growth = growthOf(figures.memoryMb);
  if (growth) figures.broken.push(growth);
  if (/unexpectedly|starting again/.test(hostile.shop.output()))
    figures.broken.push("the backend ended and was started again");
  return figures;
}

async function tryCase(
  { shop, port, key, tokens, secrets }: HostileShop,
  { part, sender, request }: HostileCase,
  name: string,
  pick: <T>(list: readonly T[]) => T | undefined,
  figures: HostileFigures,
): Promise<void> {
  const token = pick(tokens[sender]);
  // Each comes from another network, or the limits would answer in the place of what is tested.
  const address = `2001:db8:${(figures.cases >> 8).toString(16)}:${(figures.cases & 0xff).toString(16)}::1`;
  const headers: [string, string][] = [
    ["X-Forwarded-For", address],
    ...(part === "pages" || part === "paths" ? [] : ([["apikey", key]] as [string, string][])),
    ...(token ? ([["Authorization", `Bearer ${token}`]] as [string, string][]) : []),
    ...request.headers,
  ];
  figures.cases += 1;
  figures.byPart[part] = (figures.byPart[part] ?? 0) + 1;
  const bytes = toBytes({ ...request, headers });
  const answer = await sendRaw(port, bytes).catch((error: Error) => error);
  const fault = answer instanceof Error ? answer.message : findFault(answer, bytes, part, secrets, shop.url);
  if (!(answer instanceof Error)) {
    figures.byStatus[answer.status] = (figures.byStatus[answer.status] ?? 0) + 1;
    figures.slowestMs = Math.max(figures.slowestMs, Math.round(answer.elapsedMs));
  }
  if (fault) {
    const shown = JSON.stringify(toBytes(request).toString("latin1").slice(0, 500));
    figures.broken.push(`case ${name} (${part}, ${sender}): ${fault}\n    ${shown}`);
  }
}

/** What an answer must never hold, whatever was asked, unless the question held it. */
const inside: [what: string, sign: RegExp][] = [
  ["a stack trace", /\n\s+at [\w.<>[\] ]+ ?\(?(file|node|\/)[^\n]*:\d+:\d+/],
  ["a path of the program", /node_modules\/|file:\/\/\/|\/server\/embedded\//],
  ["SQL of the program", /\b(from|into|update|join) "?(public|private|auth|storage|pg_catalog)"?\."?\w/i],
  ["a broken statement", /syntax error at or near|unterminated quoted|cannot insert multiple commands/i],
  ["a password's hash", /\$2[aby]\$\d\d\$/],
  ["private settings", /jwt_secret|service_role key|BEGIN (RSA )?PRIVATE/i],
];

/** Where a browser would be after following an address from one of the shop's pages; null when it follows it nowhere. */
const originOf = (location: string, shop: string) =>
  URL.canParse(location, shop) ? new URL(location, shop).origin : null;

function findFault(
  answer: RawAnswer,
  sent: Buffer,
  part: string,
  secrets: string[],
  origin: string,
): string | null {
  const shown = answer.body.slice(0, 300).replaceAll("\n", " ");
  if (answer.status >= 500) return `${answer.status}: ${shown}`;
  // A broken protocol may be answered by hanging up.
  if (answer.status === 0 && part !== "protocol" && part !== "paths") return "hung up without an answer";
  if (/^x-hostile:/im.test(answer.head)) return "a header was smuggled into the answer";
  const location = /^location: (.*)$/im.exec(answer.head)?.[1];
  if (location !== undefined && originOf(location, origin) !== origin) return `leads away to ${location}`;
  for (const secret of secrets)
    if (answer.body.includes(secret) || answer.head.includes(secret)) return "holds a secret or a path";
  const asked = spellings(sent);
  const looked =
    part === "pages" || part === "paths"
      ? answer.body.replace(/<script[\s\S]*?<\/script>/g, "")
      : answer.body;
  for (const [what, sign] of inside) {
    const found = sign.exec(looked)?.[0];
    if (found && !asked.some((spelling) => spelling.includes(found)))
      return `holds ${what}: ${found.slice(0, 200)}`;
  }
  return null;
}

/** A request as it was sent, and with its percent-encoding undone once and twice: answers may repeat any of these. */
function spellings(sent: Buffer): string[] {
  const undo = (bytes: Buffer) =>
    Buffer.from(
      bytes
        .toString("latin1")
        .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    );
  const once = undo(sent);
  return [sent, once, undo(once)].map((bytes) => bytes.toString("utf8"));
}

/** Memory that all processes of the shop hold, in MB. */
export async function memoryOf({ process: child }: ShopServer): Promise<number> {
  const found = [child.pid ?? 0];
  let kilobytes = 0;
  for (let place = 0; place < found.length; place += 1) {
    const folder = `/proc/${found[place]}`;
    const status = await readFile(`${folder}/status`, "utf8").catch(() => "");
    kilobytes += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    const children = await readFile(`${folder}/task/${found[place]}/children`, "utf8").catch(() => "");
    found.push(...children.split(" ").filter(Boolean).map(Number));
  }
  return Math.round(kilobytes / 1024);
}

/** The figures in a few lines. */
export function describeHostile(engine: Engine, seed: number, figures: HostileFigures): string {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ");
  return [
    `Hostile input on ${engine}, seed ${seed}: ${figures.cases} cases (${list(figures.byPart)})`,
    `  answers by status: ${list(Object.fromEntries(Object.entries(figures.byStatus).map(([status, count]) => [`× ${status}`, count])))}`,
    `  slowest ${figures.slowestMs} ms, memory ${figures.memoryMb.before} MB before, ${figures.memoryMb.warm ?? "?"} MB after ${WARM}, at most ${figures.memoryMb.most} MB`,
    `  broken: ${figures.broken.length}`,
    ...figures.broken.slice(0, 60).map((line) => `  ${line}`),
  ].join("\n");
}

if (import.meta.main) {
  const [cases = String(2 * WARM), seed = "20261120", only] = process.argv.slice(2);
  const problem = await findPostgresProblem();
  if (problem) console.log(`SKIPPED on PostgreSQL: ${problem}`);
  for (const engine of problem ? (["pglite"] as const) : (["pglite", "postgres"] as const)) {
    if (only && only !== engine) continue;
    const hostile = await openHostileShop(engine);
    try {
      const figures = await runHostile(hostile, { seed: Number(seed), cases: Number(cases) });
      console.log(describeHostile(engine, Number(seed), figures));
      if (figures.broken.length > 0) console.log(hostile.shop.output().slice(-3_000));
      if (figures.broken.length > 0) process.exitCode = 1;
    } finally {
      await hostile.stop();
    }
  }
}
