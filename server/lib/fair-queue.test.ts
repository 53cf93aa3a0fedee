import { expect, test } from "vitest";
import { FairQueue, type Queued } from "./fair-queue.ts";

type Client = Queued & { name: string };

/** Clients whose requests take a second each, and who always have another one. */
function openQueue() {
  const queue = new FairQueue<Client>();
  let requests = 0;
  const send = (client: Client, to = queue, from = queue) => {
    requests += 1;
    client.oldest = requests;
    to.add(client, from);
  };
  return {
    queue,
    send,
    join: (name: string): Client => {
      const client = { name, used: 0, oldest: 0 };
      send(client);
      return client;
    },
    /** Who gets the next turns. */
    turns: (count: number): string[] =>
      Array.from({ length: count }, () => {
        const client = queue.take();
        if (!client) return "nobody";
        client.used += 1_000;
        send(client);
        return client.name;
      }),
  };
}

const countOf = (names: string[], wanted: string) => names.filter((name) => name === wanted).length;

test("gives a late client its share from then on, and nothing for earlier", () => {
  const { join, turns } = openQueue();
  join("school");
  turns(1_000);
  join("newcomer");
  const next = turns(40);
  expect(next.slice(0, 2)).toContain("newcomer");
  expect(countOf(next, "school")).toBeGreaterThanOrEqual(19);
  expect(countOf(next, "newcomer")).toBeGreaterThanOrEqual(19);
});

test("doesn't let a new client overtake waiting ones", () => {
  const { queue, send, join, turns } = openQueue();
  const [ama, kofi] = [join("ama"), join("kofi")];
  join("school");
  turns(9);
  for (const client of [ama, kofi]) queue.remove(client);
  turns(100);
  for (const client of [ama, kofi]) send(client);
  for (let n = 0; n < 20; n += 1) join(`newcomer ${n}`);
  // One of three may go to the oldest request, which is the school's.
  expect(turns(3)).toEqual(expect.arrayContaining(["ama", "kofi"]));
});

test("gives a client that returns after a pause no more than a late one", () => {
  const { queue, send, join, turns } = openQueue();
  const back = join("back");
  join("school");
  turns(10);
  queue.remove(back);
  turns(1_000);
  send(back);
  const next = turns(40);
  expect(countOf(next, "school")).toBeGreaterThanOrEqual(19);
  expect(countOf(next, "back")).toBeGreaterThanOrEqual(19);
});

test("carries a client's excess use over to another queue, and nothing else", () => {
  const { queue, send, join, turns } = openQueue();
  const greedy = join("greedy");
  join("school");
  turns(100);
  greedy.used += 50_000;
  const other = new FairQueue<Client>();
  const quiet = { name: "quiet", used: 0, oldest: 0 };
  send(quiet, other);
  queue.remove(greedy);
  send(greedy, other, queue);
  expect(quiet.used).toBe(0);
  expect(greedy.used).toBeGreaterThanOrEqual(50_000);
  expect(greedy.used).toBeLessThan(53_000);
});

test("gives every fourth turn to the oldest request, whatever its client has used", () => {
  const { queue, send } = openQueue();
  const greedy = { name: "greedy", used: 1_000_000, oldest: 0 };
  send(greedy);
  for (const name of ["ama", "kofi", "esi", "yaw"]) send({ name, used: 0, oldest: 0 });
  expect(Array.from({ length: 5 }, () => queue.take()?.name)).toEqual([
    "ama",
    "kofi",
    "esi",
    "greedy",
    "yaw",
  ]);
});
