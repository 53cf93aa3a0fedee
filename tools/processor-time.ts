import { existsSync, readdirSync, readFileSync } from "node:fs";

/** One process as the system describes it; times in clock ticks. */
export type Process = {
  pid: number;
  parent: number;
  /** Together with the pid it names a process for good: pids are used again. */
  startedAt: string;
  /** Its own time in user and system mode, and that of the children that it has waited for. */
  ticks: number;
};

/** Linux counts in hundredths of a second, whatever the machine. */
const TICKS_PER_SECOND = 100;

/** Reads a line of /proc/PID/stat: see proc_pid_stat(5). */
export function parseStat(text: string): Process {
  // The name, in brackets, may contain anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid: Number.parseInt(text, 10),
    parent: field(4),
    startedAt: fields[22 - 3] ?? "",
    ticks: field(14) + field(15) + field(16) + field(17),
  };
}

function listProcesses(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
      } catch {
        // It ended in between.
        return [];
      }
    });
}

/**
 * Sums the processor time of a process and everything that it starts, also of what outlives its parent (databases and
 * browsers do). A process that ends hands its time to a parent that waits for it; what ends without one takes its time
 * out of the sum, so a sum that falls is raised again by what is missing.
 */
export class ProcessorTime {
  readonly #root: number;
  readonly #list: () => Process[];
  #known = new Set<string>();
  #lost = 0;
  #ticks = 0;

  /** @param list the processes of this machine now */
  constructor(root: number, list: () => Process[] = listProcesses) {
    this.#root = root;
    this.#list = list;
  }

  /** Seconds so far. Call it at least every second: what a process does between two calls and its end may be missed. */
  read(): number {
    const ours = this.#listOurs();
    this.#known = new Set(ours.map(keyOf));
    const sum = ours.reduce((total, { ticks }) => total + ticks, this.#lost);
    this.#lost += Math.max(0, this.#ticks - sum);
    this.#ticks = Math.max(this.#ticks, sum);
    return this.#ticks / TICKS_PER_SECOND;
  }

  #listOurs(): Process[] {
    const processes = this.#list();
    const parents = new Map(processes.map((process) => [process.pid, process.parent]));
    const known = new Set(processes.filter((each) => this.#known.has(keyOf(each))).map(({ pid }) => pid));
    const isOurs = ({ pid }: Process): boolean => {
      for (let at: number | undefined = pid; at; at = parents.get(at))
        if (at === this.#root || known.has(at)) return true;
      return false;
    };
    return processes.filter(isOurs);
  }
}

const keyOf = ({ pid, startedAt }: Process) => `${pid} ${startedAt}`;

/** Measures this process and what it starts. @returns reads the seconds so far; null where the system doesn't tell */
export function measureProcessorTime(): () => number | null {
  if (!existsSync("/proc/self/stat")) return () => null;
  const time = new ProcessorTime(process.pid);
  setInterval(() => time.read(), 500).unref();
  return () => time.read();
}
