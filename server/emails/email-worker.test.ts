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
type Waiting = string | { id: string; to: string };

/** A worker over these emails: its steps since they were last requested, and what it logs. One that keeps its place waits in front again. */
function start(waiting: Waiting[], fails: Fails = () => null) {
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
        const next = waiting.shift();
        if (!next) return null;
        const { id, to } = typeof next === "string" ? { id: next, to: `${next}@school.example` } : next;
        return { id, kind: "order_placed", audience: "customer", order: { email: to } } as ClaimedEmail;
      },
      recordSent: (id) => take(`sent ${id}`),
      recordFailed: async ({ id, order }, reason, final, keepsPlace) => {
        if (keepsPlace) waiting.unshift({ id, to: order?.email ?? "" });
        await take(`failed ${id}${final ? " for good" : ""}${keepsPlace ? " in its place" : ""}: ${reason}`);
      },
      returnEmail: async ({ id, order }) => {
        waiting.unshift({ id, to: order?.email ?? "" });
        await take(`returned ${id}`);
      },
      queueLowStock: () => take("stock"),
    },
    deliver: ({ id }) => take(`deliver ${id}`),
    responds: () =>
      take("responds").then(
        () => true,
        () => false,
      ),
    log: (line) => lines.push(line),
    everyMs,
  });
  return { waiting, lines, stop, settled, steps: () => steps.splice(0) };
}

/** Deliveries that the test ends, by the email's id. */
function openDeliveries() {
  const ends = new Map<string, (error?: unknown) => void>();
  return {
    fails: (step: string) =>
      step.startsWith("deliver ")
        ? new Promise((resolve) => ends.set(step.slice("deliver ".length), resolve))
        : null,
    end: async (id: string, error?: unknown) => {
      ends.get(id)?.(error);
      await advance();
    },
  };
}

const delivered = (steps: string[]) => steps.filter((step) => step.startsWith("deliver "));

test("sends emails until none is due, and again two seconds later", async () => {
  const { waiting, steps, lines } = start(["a"]);
  await advance();
  expect(steps()).toEqual(["stock", "claim", "deliver a", "sent a", "claim"]);
  waiting.push("c");
  await advance(everyMs - 1);
  expect(steps()).toEqual([]);
  await advance(1);
  expect(steps().sort()).toEqual(["claim", "claim", "deliver c", "sent c"]);
  expect(lines).toEqual([]);
});

test("has seven emails in flight at most, and one until the mail server has accepted it", async () => {
  const ids = Array.from({ length: 20 }, (_, n) => `e${n}`);
  const { fails, end } = openDeliveries();
  const { steps } = start([...ids], fails);
  await advance();
  const started: number[] = [];
  for (const id of ids.slice(0, 9)) {
    started.push(delivered(steps()).length);
    await end(id);
  }
  // One more for each that was accepted, and another one while there are fewer than seven.
  expect(started).toEqual([1, 2, 2, 2, 2, 2, 2, 1, 1]);
});

test("sends emails to one person one after the other while those to others pass", async () => {
  const { fails, end } = openDeliveries();
  const to = "Ama@school.example";
  const { steps } = start(["x", "y", { id: "a1", to }, { id: "a2", to: to.toLowerCase() }, "b"], fails);
  await advance();
  for (const id of ["x", "y"]) await end(id);
  expect(delivered(steps())).toEqual(["deliver x", "deliver y", "deliver a1", "deliver b"]);
  await end("b");
  expect(delivered(steps())).toEqual([]);
  await end("a1", failure("EENVELOPE", 450));
  expect(steps()).toContain("deliver a2");
});

test("lets no email pass an earlier one to the same person after a fault of the mail server", async () => {
  const { fails, end } = openDeliveries();
  const to = "ama@school.example";
  const { steps, waiting, lines } = start(["x", "y", { id: "a1", to }, { id: "a2", to }, "b"], fails);
  await advance();
  for (const id of ["x", "y"]) await end(id);
  steps();
  await end("a1", failure("ECONNECTION"));
  const reason = "The mail server can't be used (ECONNECTION).";
  expect(steps()).toEqual([`failed a1 in its place: ${reason}`, "returned a2"]);
  waiting.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  await end("b");
  expect(delivered(steps())).toEqual(["deliver a1"]);
  expect(lines).toEqual([]);
});

test("tries a second connection to a mail server that allows one only after twenty emails", async () => {
  let inFlight = 0;
  let refused = 0;
  const ids = Array.from({ length: 60 }, (_, n) => `e${n}`);
  const { steps, lines } = start(ids, async (step) => {
    if (!step.startsWith("deliver ")) return null;
    inFlight += 1;
    try {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (inFlight === 1) return null;
      refused += 1;
      return failure("ECONNECTION", 421);
    } finally {
      inFlight -= 1;
    }
  });
  await advance(5_000);
  expect(new Set(steps().filter((step) => step.startsWith("sent "))).size).toBe(60);
  expect(refused).toBeLessThan(6);
  expect(lines).toEqual([]);
});

test("sends an email that the mail server takes too long over only once", async () => {
  const { fails, end } = openDeliveries();
  const { steps, waiting } = start(["x", "y", "a", "b"], fails);
  await advance();
  for (const id of ["x", "y"]) await end(id);
  waiting.push("a", "c");
  await end("b");
  expect(delivered(steps()).filter((step) => step === "deliver a")).toHaveLength(1);
});

test("pauses an email that breaks the connection again, alone, so that others are sent", async () => {
  const broken = (step: string) => step === "deliver a" && failure("ECONNECTION");
  const { steps } = start(["a", "b"], broken);
  await advance();
  const reason = "The mail server can't be used (ECONNECTION).";
  expect(steps()).toEqual(["stock", "claim", "deliver a", `failed a in its place: ${reason}`]);
  await advance(everyMs);
  expect(steps()).toEqual(["claim", "deliver a", "responds", `failed a: ${reason}`]);
  await advance(everyMs);
  expect(delivered(steps())).toEqual(["deliver b"]);
});

test("tries a mail server that is down with the same email, after pauses that grow to a minute until one is accepted", async () => {
  let isDown = true;
  const { steps, waiting } = start(
    ["a"],
    (step) => isDown && (step === "responds" || step.startsWith("deliver")) && failure("ESOCKET"),
  );
  await advance();
  for (const seconds of [2, 4, 8, 16, 32, 60, 60]) {
    expect(delivered(steps())).toEqual(["deliver a"]);
    await advance(seconds * 1_000 - 1);
    expect(steps()).toEqual([]);
    await advance(1);
  }
  isDown = false;
  waiting.push("b");
  await advance(60_000);
  expect(delivered(steps()).slice(1)).toEqual(["deliver a", "deliver b"]);
  waiting.push("c");
  await advance(everyMs);
  expect(delivered(steps())).toEqual(["deliver c"]);
});

test("tries a mail server that ends every email's connection after pauses that grow", async () => {
  const ids = Array.from({ length: 50 }, (_, n) => `e${n}`);
  const { steps } = start(ids, (step) => step.startsWith("deliver") && failure("EENVELOPE", 421));
  await advance(10 * 60_000);
  const tries = delivered(steps()).length;
  await advance(10 * 60_000);
  expect(tries).toBeLessThan(30);
  expect(delivered(steps())).toHaveLength(10);
});

test("claims new emails while a slow mail server is still accepting one", async () => {
  const { fails, end } = openDeliveries();
  const { steps, waiting } = start(["x", "slow"], fails);
  await advance();
  await end("x");
  expect(delivered(steps())).toEqual(["deliver x", "deliver slow"]);
  waiting.push("b");
  await advance(everyMs);
  expect(delivered(steps())).toEqual(["deliver b"]);
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
  ["failed a in its place: The mail server can't be used (EAUTH).", failure("EAUTH", 0), false],
  [
    "failed a in its place: The mail server can't be used (EENVELOPE, 421).",
    failure("EENVELOPE", 421),
    false,
  ],
  ["failed a for good: The mail server refused it (EENVELOPE, 550).", failure("EENVELOPE", 550), true],
  ["failed a: It was not accepted for now (EENVELOPE, 450).", failure("EENVELOPE", 450), true],
  ["failed a: It was not accepted for now (no code).", failure(), true],
])("%s", async (step, error, goesOn) => {
  const { steps, lines } = start(["a", "b"], (at) => at === "deliver a" && error);
  await advance();
  const others = goesOn ? ["claim", "deliver b", "sent b", "claim"] : [];
  expect(steps()).toEqual(["stock", "claim", "deliver a", step, ...others]);
  expect(lines).toEqual([
    `an email of the kind order_placed was not sent. ${step.slice(step.indexOf(": ") + 2)}`,
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
  await advance(199);
  expect(steps()).toEqual(["stock", "claim", "deliver a", "sent a"]);
  await advance(1);
  expect(steps()).toEqual(expect.arrayContaining(["sent a", "deliver b", "sent b"]));
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
  await advance(8_000);
  expect([steps(), vi.getTimerCount()]).toEqual([[], 0]);
});

test("returns emails that wait for an earlier one to their place when the worker stops", async () => {
  const { fails, end } = openDeliveries();
  const to = "ama@school.example";
  const { steps, stop } = start(["x", { id: "a1", to }, { id: "a2", to }], fails);
  await advance();
  await end("x");
  steps();
  const stopped = stop();
  await end("a1");
  await stopped;
  expect(steps()).toEqual(["sent a1", "returned a2"]);
});

test("returns an email that has waited a minute for an earlier one to the same person, and those after it", async () => {
  const { fails, end } = openDeliveries();
  const to = "ama@school.example";
  const { steps, waiting } = start(["x", "y", { id: "a1", to }, { id: "a2", to }], fails);
  await advance();
  for (const id of ["x", "y"]) await end(id);
  await advance(30_000);
  waiting.push({ id: "a3", to });
  await advance(30_001);
  steps();
  await end("a1");
  expect(steps().slice(0, 3)).toEqual(["sent a1", "returned a2", "returned a3"]);
});

test("returns an email that is claimed while the worker stops", async () => {
  let claimed = () => {};
  const { steps, stop } = start(["a"], (step) =>
    step === "claim" ? new Promise<null>((resolve) => (claimed = () => resolve(null))) : null,
  );
  await advance();
  const stopped = stop();
  claimed();
  await stopped;
  expect(steps()).toEqual(["stock", "claim", "returned a"]);
});

test("A worker that stops waits at most eight seconds, retries a failed record once, and logs nothing more", async () => {
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
  await advance(7_999);
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
