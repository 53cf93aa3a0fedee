import { readdir, readFile } from "node:fs/promises";

/** A process and all that it and its children started, from /proc (Linux alone). */
export async function familyOf(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const entry of await readdir("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1];
    if (parent) parents.set(pid, Number(parent));
  }
  return [...parents.keys()].filter((pid) => {
    for (let at: number | undefined = pid; at; at = parents.get(at)) if (at === root) return true;
    return false;
  });
}

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
