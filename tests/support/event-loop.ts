import { setImmediate as nextIteration } from "node:timers/promises";
import type { Loop } from "#server/lib/loop-turns.ts";

type Timer = { at: number; run: () => void };

/** Enough for what follows a turn without waiting for the system. */
async function settlePromises(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await Promise.resolve();
}

/** Also what needs the real event loop, such as a body that is read from a stream. */
export async function settleAll(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await nextIteration();
}

/**
 * An event loop for LoopTurns that the test drives, with a clock that only the test moves on.
 * @param msEach how long everything that is started takes, by this clock
 */
export function openLoop({ settle = settlePromises, msEach = 0 } = {}) {
  const clock = { ms: 1_000_000 };
  let idleMs = 0;
  let immediates: (() => void)[] = [];
  const timers = new Set<Timer>();
  const loop: Loop = {
    now: () => clock.ms,
    idle: () => idleMs,
    immediate: (run) => immediates.push(run),
    timeout: (run, ms) => {
      const timer = { at: clock.ms + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  /** One iteration: the timers that are due, what arrives, then the immediates, with promises after each. */
  async function iterate(arrive = () => {}): Promise<void> {
    for (const timer of timers) if (timer.at <= clock.ms && timers.delete(timer)) timer.run();
    arrive();
    const due = immediates;
    immediates = [];
    for (const run of due) {
      run();
      await settle();
      clock.ms += msEach;
    }
  }
  return {
    loop,
    clock,
    iterate,
    /** Sleeps until the next timer is due, or until then, unless there is something to do. */
    sleepUntil(then: number): void {
      if (immediates.length > 0) return;
      const ms = Math.max(0, Math.min(then, ...[...timers].map(({ at }) => at)) - clock.ms);
      clock.ms += ms;
      idleMs += ms;
    },
  };
}
