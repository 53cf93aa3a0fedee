import { describe, expect, it, test } from "vitest";
import { openLoop } from "#tests/support/event-loop.ts";
import { LoopTurns, nextTurn } from "./loop-turns.ts";

/** Turns of an event loop whose clock only work moves on. */
function openTurns() {
  const { loop, clock, iterate, sleepUntil } = openLoop();
  const turns = new LoopTurns(loop);
  const msOf = new Map<string, number>();
  const started: string[] = [];
  const work = (client: string, ms: number) => {
    clock.ms += ms;
    msOf.set(client, (msOf.get(client) ?? 0) + ms);
  };
  return {
    clock,
    turns,
    started,
    iterate,
    work,
    msOf: (client: string) => msOf.get(client) ?? 0,
    /** A request whose handling takes this long. */
    send(client: string, ms = 1, then = () => {}) {
      const handle = () => {
        started.push(client);
        work(client, ms);
        then();
      };
      return turns.admit(client, handle, () => started.push(`${client} refused`));
    },
    /** Resolves after so many milliseconds of the clock. */
    later: (ms: number) => new Promise<void>((resolve) => loop.timeout(resolve, ms)),
    /** Iterates for this long, with something that arrives every 20 ms. */
    async runFor(ms: number, arrive?: () => void): Promise<void> {
      let arrivesAt = arrive ? clock.ms : Number.POSITIVE_INFINITY;
      for (const end = clock.ms + ms; clock.ms < end; ) {
        await iterate(() => {
          for (; arrivesAt <= clock.ms; arrivesAt += 20) arrive?.();
        });
        sleepUntil(Math.min(arrivesAt, end));
      }
    },
  };
}

/** Calls `send` again whenever one of this many connections has its response. */
const connections = (count: number, send: (done: () => void) => void) => {
  const open = () => send(() => queueMicrotask(open));
  for (let n = 0; n < count; n += 1) open();
};

test("starts one piece of a client's work in each iteration, and other clients' beside it", async () => {
  const { send, started, iterate } = openTurns();
  for (let n = 0; n < 200; n += 1) send("flood");
  await iterate(() => {
    send("ama");
    send("kofi");
  });
  expect(started).toEqual(["flood", "ama", "kofi"]);
});

test("starts others' requests before the next one of a client that has used more", async () => {
  const { send, started, iterate } = openTurns();
  for (let n = 0; n < 200; n += 1) send("flood", 4);
  await iterate(() => send("ama"));
  started.length = 0;
  await iterate(() => {
    send("ama");
    send("kofi");
  });
  expect(started.slice(0, 2)).toEqual(["kofi", "ama"]);
});

test.each([0.05, 1, 5, 20])(
  "gives a client with 200 connections a fifth of the time beside others, for work of %d ms",
  async (ms) => {
    const { send, runFor, msOf } = openTurns();
    connections(200, (done) => send("flood", ms, done));
    let visitor = 0;
    const arrive = () => {
      visitor += 1;
      send(`visitor ${visitor}`);
    };
    await runFor(1_000, arrive);
    const before = msOf("flood");
    await runFor(5_000, arrive);
    const used = msOf("flood") - before;
    expect(used).toBeLessThanOrEqual(1_050);
    // Parsing and sending very many short responses takes time too.
    expect(used).toBeGreaterThan(ms < 1 ? 150 : 750);
    expect(msOf("visitor 250")).toBe(1);
  },
);

test("charges a client for what its requests do after their body has arrived", async () => {
  const { send, work, runFor, msOf } = openTurns();
  connections(200, (done) =>
    send("flood", 0.1, async () => {
      await nextTurn();
      work("flood", 5);
      done();
    }),
  );
  const arrive = () => send("ama");
  await runFor(1_000, arrive);
  const before = msOf("flood");
  await runFor(5_000, arrive);
  expect(msOf("flood") - before).toBeLessThanOrEqual(1_050);
});

test("lets a client that is alone use all of the time", async () => {
  const { send, runFor, msOf } = openTurns();
  connections(200, (done) => send("school", 1, done));
  await runFor(10_000);
  expect(msOf("school")).toBeGreaterThan(9_900);
});

test("doesn't hold it against a client that it has used all of the time while it was alone", async () => {
  const { send, runFor, msOf } = openTurns();
  connections(200, (done) => send("school", 1, done));
  await runFor(20_000);
  const before = msOf("school");
  await runFor(1_000, () => send("ama"));
  expect(msOf("school") - before).toBeGreaterThan(150);
});

test("shares all of the time equally between two clients with much to do", async () => {
  const { send, runFor, msOf } = openTurns();
  connections(200, (done) => send("one school", 1, done));
  connections(20, (done) => send("another school", 4, done));
  await runFor(10_000);
  expect(msOf("one school") + msOf("another school")).toBeGreaterThan(9_900);
  expect(msOf("one school")).toBeGreaterThan(4_500);
  expect(msOf("another school")).toBeGreaterThan(4_500);
});

test("gives a school a twentieth while others would take all of the time", async () => {
  const { send, runFor, msOf } = openTurns();
  for (let n = 0; n < 200; n += 1) connections(1, (done) => send(`visitor ${n}`, 1, done));
  connections(120, (done) => send("school", 1, done));
  await runFor(1_000);
  const before = msOf("school");
  await runFor(5_000);
  expect(msOf("school") - before).toBeGreaterThan(200);
});

type Kind = "cached page" | "list" | "new page";
/** Milliseconds of the thread's time, each followed by as many for the database. */
const steps: Record<Kind, [work: number, database: number][]> = {
  "cached page": [[0.06, 0]],
  list: [
    [0.5, 5],
    [0.4, 0],
  ],
  "new page": [
    [0.5, 0],
    [0.3, 5],
    [0.3, 5],
    [10, 0],
  ],
};

/** Twenty visitors, and perhaps 200 connections of one client whose requests take this long; the mean of each kind. */
async function visit(pauseMs: number, flood: number[] | null): Promise<Record<Kind, number>> {
  const { turns, clock, work, runFor, later } = openTurns();
  const startedAt = clock.ms;
  const times: Record<Kind, number[]> = { "cached page": [], list: [], "new page": [] };
  const request = (client: string, all: [number, number][], done: () => void) =>
    turns.admit(
      client,
      async () => {
        for (const [n, [ms, database]] of all.entries()) {
          if (n > 0) await nextTurn();
          work(client, ms);
          if (database > 0) await later(database);
        }
        done();
      },
      () => {},
    );
  for (let n = 0; n < 20; n += 1) {
    let sent = n;
    const next = () => {
      const kind = (["cached page", "list", "new page"] as const)[sent % 3] as Kind;
      sent += 1;
      const at = clock.ms;
      request(`visitor ${n}`, steps[kind], () => {
        if (at > startedAt + 2_000) times[kind].push(clock.ms - at);
        // Between half and one and a half of the pause, as if by chance.
        void later(pauseMs * (0.5 + ((sent * 7_919 + n * 104_729) % 1_000) / 1_000)).then(next);
      });
    };
    void later((n * pauseMs) / 20).then(next);
  }
  if (flood)
    connections(200, (done) => {
      const all = flood.map((ms): [number, number] => [ms, 0]);
      request("flood", all, done);
    });
  await runFor(12_000);
  const mean = (kind: Kind) => times[kind].reduce((sum, ms) => sum + ms, 0) / times[kind].length;
  return { "cached page": mean("cached page"), list: mean("list"), "new page": mean("new page") };
}

describe.each([
  ["are there", 200],
  ["take two thirds of the time", 100],
  ["would take all of the time", 40],
])("while others %s, one client's 200 connections", (_, pauseMs) => {
  it.each([
    ["cached pages", [0.06]],
    ["wrong keys", [0.3]],
    ["bodies that are parsed and refused", [0.3, 1]],
    ["pages", [0.5, 2]],
  ])("with %s slow them down by at most a third", async (_kind, flood) => {
    const quiet = await visit(pauseMs, null);
    const beside = await visit(pauseMs, flood);
    for (const kind of ["cached page", "list", "new page"] as const)
      expect(beside[kind], kind).toBeLessThanOrEqual((quiet[kind] * 4) / 3);
  });
});

test("finishes what has begun before it starts a client's next request", async () => {
  const { send, iterate, started } = openTurns();
  send("ama", 1, async () => {
    await nextTurn();
    started.push("ama's first again");
  });
  send("ama");
  await iterate();
  await iterate();
  await iterate();
  expect(started).toEqual(["ama", "ama's first again", "ama"]);
});

test("reads from connections again after 5 ms of different clients' work", async () => {
  const { send, iterate, started } = openTurns();
  await iterate(() => {
    for (let n = 0; n < 40; n += 1) send(`visitor ${n}`, 2);
  });
  expect(started).toHaveLength(3);
  await iterate();
  expect(started).toHaveLength(6);
});

test("refuses a request that has waited for 10 seconds", async () => {
  const { send, runFor, started, turns } = openTurns();
  connections(1, (done) => send("others", 1, done));
  for (let n = 0; n < 300; n += 1) send("flood", 100);
  await runFor(9_900);
  expect(started).not.toContain("flood refused");
  await runFor(200);
  expect(started).toContain("flood refused");
  expect(turns.metrics().waiting).toBeLessThanOrEqual(1);
});

test("does nothing for a request whose client has disconnected", async () => {
  const { send, runFor, started, turns } = openTurns();
  const remove = send("ama");
  send("ama");
  remove();
  remove();
  await runFor(20_000);
  expect(started).toEqual(["ama"]);
  expect(turns.metrics()).toEqual({ waiting: 0, refused: 0 });
});

test("waits for nothing outside of a request", async () => {
  await expect(nextTurn()).resolves.toBeUndefined();
});

test("forgets clients as soon as they may use their whole burst again, and not before", async () => {
  const { send, turns, clock, iterate } = openTurns();
  for (let n = 0; n < 60; n += 1) send(`visitor ${n}`, 0);
  send("flood", 50);
  await iterate();
  clock.ms += 500;
  send("ama", 0);
  await iterate();
  // Others owe a millisecond each; the flood owes a quarter of a second.
  expect(turns.clientCount).toBe(2);
  clock.ms += 1_500;
  send("kofi", 0);
  await iterate();
  clock.ms += 500;
  send("ama", 0);
  await iterate();
  expect(turns.clientCount).toBe(1);
});
