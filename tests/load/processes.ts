import { readFile } from "node:fs/promises";

/** Milliseconds of processor time. */
export type ProcessorTime = { node: number; postgres: number };

const TICK_MS = 10;

/**
 * What the processes have spent since each of them started, those of the database apart. Unlike rates, it hardly depends on what else
 * the machine has to do.
 */
export async function processorTime(pids: number[]): Promise<ProcessorTime> {
  const spent = { node: 0, postgres: 0 };
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const [, name = "", rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
    const [user, system] = rest.split(" ").slice(11, 13).map(Number);
    spent[name.startsWith("postgres") ? "postgres" : "node"] += ((user ?? 0) + (system ?? 0)) * TICK_MS;
  }
  return spent;
}
