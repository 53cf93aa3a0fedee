import { describe, expect, it } from "vitest";
import { type Process, ProcessorTime, parseStat } from "./processor-time.ts";

const gate: Process = { pid: 10, parent: 1, startedAt: "1", ticks: 100 };
const runner: Process = { pid: 11, parent: 10, startedAt: "2", ticks: 200 };
const database: Process = { pid: 12, parent: 11, startedAt: "3", ticks: 500 };
const stranger: Process = { pid: 13, parent: 1, startedAt: "4", ticks: 9_000 };

/** The seconds that a sequence of readings gives. */
function read(...readings: Process[][]): number[] {
  let now: Process[] = [];
  const time = new ProcessorTime(10, () => now);
  return readings.map((processes) => {
    now = processes;
    return time.read();
  });
}

describe("the processor time of the gate", () => {
  it("counts every process below it, and no other", () => {
    expect(read([gate, runner, database, stranger])).toEqual([8]);
  });

  it("counts a process that ended once, whether its parent waited for it or not", () => {
    const waited = { ...runner, ticks: 700 };
    const all = [gate, runner, database];
    expect(read(all, [gate, waited])).toEqual([8, 8]);
    expect(read(all, [gate, runner])).toEqual([8, 8]);
  });

  it("still counts what outlives its parent", () => {
    const orphan = { ...database, parent: 1 };
    expect(read([gate, runner, database], [gate, orphan], [gate, { ...orphan, ticks: 800 }])).toEqual([
      8, 8, 11,
    ]);
  });

  it("doesn't take a stranger with the pid of a process that ended for it", () => {
    const orphan = { ...database, parent: 1 };
    const successor = { ...orphan, startedAt: "99", ticks: 5_000 };
    expect(read([gate, runner, database], [gate, orphan], [gate, successor])).toEqual([8, 8, 8]);
  });

  it("reads a process whose name contains spaces and brackets", () => {
    const line = `42 (a) b (c) S 7 ${Array.from({ length: 17 }, (_, index) => index + 5).join(" ")} 2222 0`;
    expect(parseStat(line)).toEqual({ pid: 42, parent: 7, startedAt: "2222", ticks: 14 + 15 + 16 + 17 });
  });
});
