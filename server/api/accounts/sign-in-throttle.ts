import { setTimeout as pause } from "node:timers/promises";
import { tooManyAttempts } from "./refusals.ts";

const maxWaiting = 20;

export type SignInThrottle = ReturnType<typeof createSignInThrottle>;

/**
 * Once a limit is reached, sign-ins to one account from one network run one at a time, with a pause in between:
 * guessing is slow, and a customer who has signed in there before still gets in.
 * @param machines how many do so: the pause is longer with each, so that sign-ins come no faster in total
 */
export function createSignInThrottle(pauseMs: number, machines: () => Promise<number> = async () => 1) {
  const queues = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return async <Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= maxWaiting) throw tooManyAttempts(maxWaiting * pauseMs);
    queues.set(key, queue);
    queue.waiting += 1;
    const turn = queue.last.then(async () => {
      // The client has disconnected while it waited: nothing is done for it, and the next one need not wait for it.
      if (signal.aborted) throw tooManyAttempts(pauseMs);
      // The pause hides how long the work takes, which would reveal whether there was any.
      const paused = machines().then((count) => pause(pauseMs * count));
      const [result] = await Promise.all([work(), paused]);
      return result;
    });
    queue.last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(key);
    }
  };
}
