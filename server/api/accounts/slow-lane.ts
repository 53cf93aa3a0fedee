import { setTimeout as pause } from "node:timers/promises";
import { tooManyAttempts } from "./answers.ts";

const maxWaiting = 20;

/**
 * Once a limit is reached, sign-ins to one account from one network run one at a time, with a pause in between:
 * guessing is slow, and a customer who has signed in there before still gets in.
 */
export function createSlowLane(pauseMs: number) {
  const lanes = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return async <Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
    const lane = lanes.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (lane.waiting >= maxWaiting) throw tooManyAttempts(maxWaiting * pauseMs);
    lanes.set(key, lane);
    lane.waiting += 1;
    const turn = lane.last.then(async () => {
      // The client has disconnected while it waited: nothing is done for it, and the next one need not wait for it.
      if (signal.aborted) throw tooManyAttempts(pauseMs);
      // The pause hides how long the work takes, which would reveal whether there was any.
      const [result] = await Promise.all([work(), pause(pauseMs)]);
      return result;
    });
    lane.last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      lane.waiting -= 1;
      if (lane.waiting === 0) lanes.delete(key);
    }
  };
}
