import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClaimedEmail } from "./claimed-email.ts";
import { NoRecipient } from "./deliver.ts";
import { startEmailWorker } from "./email-worker.ts";

/* Rounds, pauses and lines of the log, over a queue in memory. With a database and a mail server: tests/contract/shop-emails.long.test.ts. */

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "performance"],
      fakeNodeBuiltins: true,
    }),
);
afterEach(() => void vi.useRealTimers());

const everyMs = 2_000;
const advance = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const failure = (code?: string, responseCode?: number) =>
  Object.assign(new Error("ama@school.example"), { code, responseCode });

type Fails = (step: string) => unknown;

/** A worker over emails of these ids: its steps since they were last requested, and what it logs. */
function start(waiting: string[], fails: Fails = () => null) {
  const steps: string[] = [];
  const lines: string[] = [];
  async function take(step: string): Promise<void> {
    steps.push(step);
    const error = await fails(step);
    if (error) throw error;
  }
  const { stop, settled } = startEmailWorker({
    queue: {
      claim: async () => {
        await take("claim");
        const id = waiting.shift();
        return id ? ({ id, kind: "new_order" } as ClaimedEmail) : null;
      },
      recordSent: (id) => take(`sent ${id}`),
      recordFailed: ({ id }, reason, final) => take(`failed ${id}${final ? " for good" : ""}: ${reason}`),
      queueLowStock: () => take("stock"),
    },
    deliver: ({ id }) => take(`deliver ${id}`),
    log: (line) => lines.push(line),
    everyMs,
  });
  return { waiting, lines, stop, settled, steps: () => steps.splice(0) };
}

test("Emails are sent one after the other until none is due, and again two seconds later", async () => {
  const { waiting, steps, lines } = start(["a", "b"]);
  await advance();
  expect(steps()).toEqual(["stock", "claim", "deliver a", "sent a", "claim", "deliver b", "sent b", "claim"]);
  waiting.push("c");
  await advance(everyMs - 1);
  expect(steps()).toEqual([]);
  await advance(1);
  expect(steps()).toEqual(["claim", "deliver c", "sent c", "claim"]);
  expect(lines).toEqual([]);
});

test("Low stock is checked on startup and every 15 minutes", async () => {
  const { steps } = start([]);
  await advance(15 * 60_000);
  expect(steps().filter((step) => step === "stock")).toHaveLength(1);
  await advance(everyMs);
  expect(steps()).toEqual(["stock", "claim"]);
  await advance(15 * 60_000);
  expect(steps().filter((step) => step === "stock")).toEqual([]);
});

test.each([
  ["failed a for good: No one can receive email at this address.", new NoRecipient(), true],
  ["failed a: The mail server can't be used (EAUTH).", failure("EAUTH", 0), false],
  ["failed a: The mail server can't be used (EENVELOPE, 421).", failure("EENVELOPE", 421), false],
  ["failed a for good: The mail server refused it (EENVELOPE, 550).", failure("EENVELOPE", 550), true],
  ["failed a: It was not accepted for now (EENVELOPE, 450).", failure("EENVELOPE", 450), true],
  ["failed a: It was not accepted for now (no code).", failure(), true],
])("%s", async (step, error, goesOn) => {
  const { steps, lines } = start(["a", "b"], (at) => at === "deliver a" && error);
  await advance();
  const others = goesOn ? ["claim", "deliver b", "sent b", "claim"] : [];
  expect(steps()).toEqual(["stock", "claim", "deliver a", step, ...others]);
  expect(lines).toEqual([
    `an email of the kind new_order was not sent. ${step.slice(step.indexOf(": ") + 2)}`,
  ]);
});

test("A mail server that is down is logged once until it has accepted an email", async () => {
  let isDown = true;
  const { waiting, lines } = start(["a"], (at) => isDown && at.startsWith("deliver") && failure("ESOCKET"));
  await advance();
  waiting.push("b");
  await advance(everyMs);
  expect(lines).toHaveLength(1);
  isDown = false;
  waiting.push("c");
  await advance(everyMs);
  isDown = true;
  waiting.push("d");
  await advance(everyMs);
  expect(lines).toHaveLength(2);
});

test("A failed record is tried five times within half a minute, and is then logged once", async () => {
  const { steps, lines } = start(["a"], (at) => at === "sent a" && failure("ECONNRESET"));
  await advance();
  const tries = ["stock", "claim", "deliver a", "sent a"];
  expect(steps()).toEqual(tries);
  for (const pauseMs of [200, 1_000, 5_000, 20_000]) {
    await advance(pauseMs - 1);
    expect(steps()).toEqual([]);
    expect(lines).toEqual([]);
    await advance(1);
    expect(steps()).toEqual(["sent a"]);
  }
  expect(lines).toEqual(["the shop's emails can't be read or recorded (ECONNRESET)"]);
  await advance(everyMs);
  expect(steps()).toEqual(["claim"]);
});

test("A record that succeeds in the end allows the next email to be sent", async () => {
  let failures = 0;
  const { steps, lines } = start(["a", "b"], (at) => at === "sent a" && failures++ < 1 && failure());
  await advance(200);
  expect(steps()).toEqual([
    "stock",
    "claim",
    "deliver a",
    "sent a",
    "sent a",
    "claim",
    "deliver b",
    "sent b",
    "claim",
  ]);
  expect(lines).toEqual([]);
});

test("A database that does not respond is logged once, and retried every two seconds", async () => {
  const { steps, lines } = start([], () => failure());
  await advance(2 * everyMs);
  expect(steps()).toEqual(["stock", "stock", "stock"]);
  expect(lines).toEqual(["the shop's emails can't be read or recorded (Error)"]);
});

test("A worker that stops finishes the email being sent, and claims no other", async () => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { stop, settled, steps } = start(["a", "b"], async (at) => {
    if (at === "deliver a") await arrived;
  });
  await advance();
  let isSettled = false;
  void settled().then(() => {
    isSettled = true;
  });
  const stopped = stop();
  await advance();
  expect([steps(), isSettled]).toEqual([["stock", "claim", "deliver a"], false]);
  arrive();
  await stopped;
  await settled();
  expect(steps()).toEqual(["sent a"]);
  await advance(2 * everyMs);
  expect([steps(), vi.getTimerCount()]).toEqual([[], 0]);
});

test("A worker that stops waits at most two seconds, retries a failed record once, and logs nothing more", async () => {
  let arrive = () => {};
  const { stop, steps, lines } = start(["a"], (at) => {
    if (at === "sent a") return failure();
    return at === "deliver a" ? new Promise<null>((resolve) => (arrive = () => resolve(null))) : null;
  });
  await advance();
  let isStopped = false;
  void stop().then(() => {
    isStopped = true;
  });
  await advance(1_999);
  expect(isStopped).toBe(false);
  await advance(1);
  expect(isStopped).toBe(true);
  arrive();
  await advance(30_000);
  expect(steps()).toEqual(["stock", "claim", "deliver a", "sent a"]);
  expect(lines).toEqual([]);
});

test("A worker that stops between two rounds starts no other", async () => {
  const { stop, steps } = start([]);
  // The next one would check whether stock is low.
  await advance(15 * 60_000);
  await stop();
  steps();
  await advance(2 * everyMs);
  expect(steps()).toEqual([]);
});
