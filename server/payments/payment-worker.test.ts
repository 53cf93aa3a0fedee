import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startPaymentWorker } from "./payment-worker.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], fakeNodeBuiltins: true });
});
afterEach(() => void vi.useRealTimers());

const everyMs = 5_000;
const advance = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const fault = (code?: string) => Object.assign(new RangeError("of ama@school.example"), { code });

/** A worker over these answers to 'is another one due?', then no. */
function start(responses: (boolean | Error | Promise<boolean>)[]) {
  let requested = 0;
  const lines: string[] = [];
  async function checkNext(): Promise<boolean> {
    requested += 1;
    const response = await (responses.shift() ?? false);
    if (response instanceof Error) throw response;
    return response;
  }
  const stop = startPaymentWorker({
    paymentService: { checkNext },
    log: (line) => lines.push(line),
    everyMs,
  });
  return { stop, lines, requested: () => requested };
}

test("Due payments are checked one after the other, and again after a pause", async () => {
  const { stop, requested } = start([true, true, false, true]);
  await advance();
  expect(requested()).toBe(3);
  await advance(everyMs - 1);
  expect(requested()).toBe(3);
  await advance(1);
  expect(requested()).toBe(5);
  await stop();
  await advance(2 * everyMs);
  expect([requested(), vi.getTimerCount()]).toEqual([5, 0]);
});

test("A failure is logged once until it changes or is over, without the error's message", async () => {
  const faults = [fault("ECONNREFUSED"), fault("ECONNREFUSED"), fault(), false, fault()];
  const { stop, lines } = start(faults);
  await advance(4 * everyMs);
  expect(lines).toEqual([
    "open payments can't be checked (ECONNREFUSED)",
    "open payments can't be checked (RangeError)",
    "open payments can't be checked (RangeError)",
  ]);
  await stop();
});

test("Stopping waits up to two seconds for a running check, starts no other, and does not log its failure", async () => {
  const finished = Promise.withResolvers<boolean>();
  const { stop, requested } = start([finished.promise, true]);
  const stopped = stop();
  finished.resolve(true);
  await stopped;
  expect([requested(), vi.getTimerCount()]).toEqual([1, 1]);

  const hung = Promise.withResolvers<boolean>();
  const { stop: end, lines } = start([hung.promise]);
  const ended = vi.fn();
  void end().then(ended);
  await advance(1_999);
  expect(ended).not.toHaveBeenCalled();
  await advance(1);
  expect(ended).toHaveBeenCalledOnce();
  hung.reject(fault());
  await advance(everyMs);
  expect([lines, vi.getTimerCount()]).toEqual([[], 0]);
});
