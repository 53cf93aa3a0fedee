import { createHmac } from "node:crypto";
import type { CallDatabase } from "../lib/call-database.ts";
import { networkOf } from "../lib/network.ts";
import { readArgs } from "./data/call.ts";
import type { FunctionGuard } from "./data/guards.ts";
import type { DataRequest } from "./data/query.ts";

/** A search that found little, or a line of a bulk order without a book. */
type Kind = "search" | "line";

/** Records what a visitor looked for; it is written to the database later. */
export type NoteUnmet = (kind: Kind, text: string, found: number, clientIp: string) => void;

const WRITE_EVERY_MS = 10_000;
/** Further texts before the next write are dropped. */
const MAX_GATHERED = 1_000;
/** Per network, day and process; a school's list has up to 500 lines. */
const MAX_TEXTS: Record<Kind, number> = { search: 100, line: 1_000 };
const MAX_NETWORKS = 20_000;
const MAX_LENGTH = 200;

type Seen = { kind: Kind; text: string; found: number; network: string };

type UnmetDemandParts = {
  call: CallDatabase;
  log: (line: string) => void;
  now?: () => number;
};

/**
 * Counts what visitors look for and the shop doesn't have. Requests don't wait: texts are gathered
 * and written every few seconds. Networks stay in this process's memory until then; the database gets hashes, made with a salt that it
 * deletes at the end of the month.
 */
export function createUnmetDemand({ call, log, now = Date.now }: UnmetDemandParts) {
  let gathered = new Map<string, Seen>();
  let day = "";
  const textsOf = new Map<string, number>();
  let month = "";
  let writing: Promise<void> | null = null;
  let isFailing = false;

  function isOverLimit(kind: Kind, network: string): boolean {
    const today = new Date(now()).toISOString().slice(0, 10);
    const key = `${kind} ${network}`;
    if (today !== day || (textsOf.size >= MAX_NETWORKS && !textsOf.has(key))) textsOf.clear();
    day = today;
    const texts = (textsOf.get(key) ?? 0) + 1;
    textsOf.set(key, texts);
    return texts > MAX_TEXTS[kind];
  }

  const note: NoteUnmet = (kind, text, found, clientIp) => {
    const network = networkOf(clientIp) ?? "this machine";
    // The database stores neither lone surrogates nor null characters.
    const cut = text.slice(0, MAX_LENGTH).toWellFormed().replaceAll("\0", "");
    const key = JSON.stringify([kind, cut, network]);
    if (gathered.has(key) || gathered.size >= MAX_GATHERED || isOverLimit(kind, network)) return;
    gathered.set(key, { kind, text: cut, found, network });
  };

  /** Also runs with nothing to write when a month begins, so that last month's hashes are deleted. */
  async function writeGathered(): Promise<void> {
    const thisMonth = new Date(now()).toISOString().slice(0, 7);
    const taken = gathered;
    if (taken.size === 0 && month === thisMonth) return;
    gathered = new Map();
    try {
      const salt = String(await call("demand_salt", {}));
      month = thisMonth;
      if (taken.size > 0) {
        const seen = [...taken.values()].map(({ network, ...rest }) => ({
          ...rest,
          visitor: createHmac("sha256", salt).update(network).digest("base64url"),
        }));
        await call("count_demand", { _salt: salt, _seen: JSON.stringify(seen) });
      }
      isFailing = false;
    } catch (error) {
      // Retried with the next write; anything already counted isn't counted again.
      gathered = new Map([...taken, ...gathered].slice(0, MAX_GATHERED));
      if (!isFailing) log(`searches that found little could not be counted (${(error as Error).name})`);
      isFailing = true;
    }
  }

  /** Writes what was gathered, one write at a time. */
  function write(): Promise<void> {
    writing ??= writeGathered().finally(() => {
      writing = null;
    });
    return writing;
  }

  const timer = setInterval(() => void write(), WRITE_EVERY_MS).unref();
  return {
    note,
    write,
    stop: async () => {
      clearInterval(timer);
      await writing;
      if (gathered.size > 0) await write();
    },
  };
}

/**
 * Notes the lines of a bulk order that no book matches. The browser looks up the possible readings of a line one
 * after the other; the last one names the line.
 */
export const noteLinesWithoutBook =
  (note: NoteUnmet): FunctionGuard =>
  async (request, clientIp, respond) => {
    const response = await respond();
    const lines = namedLines(request);
    if (lines.size === 0 || !response.ok) return response;
    for (const { line, matches } of await rowsOf(response.clone())) {
      const name = lines.get(line);
      if (name && matches === 0) note("line", name, 0, clientIp);
    }
    return response;
  };

/** The named lines by position, from 1. */
function namedLines(request: DataRequest): Map<unknown, string> {
  const lines = new Map<unknown, string>();
  const args = request.method === "POST" ? readArgs(request).get("_lines") : null;
  if (!Array.isArray(args)) return lines;
  for (const [at, each] of args.entries())
    if (typeof each?.line === "string" && each.line.trim()) lines.set(at + 1, each.line);
  return lines;
}

async function rowsOf(response: Response): Promise<{ line?: unknown; matches?: unknown }[]> {
  const rows: unknown = JSON.parse((await response.text()) || "null");
  return Array.isArray(rows) ? rows : [];
}
