import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { ClaimedEmail } from "#server/emails/claimed-email.ts";
import type { EmailQueue } from "#server/emails/email-queue.ts";
import { emailsAtOnce, startEmailWorker } from "#server/emails/email-worker.ts";
import { connectMailServer, mailFault } from "#server/emails/mail-server.ts";
import { eventually } from "#tests/support/eventually.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { type Behaviour, idsOf } from "#tests/support/smtp-server.ts";

/* The worker and its connections before a mail server with faults, over a queue in memory that hands out emails as claim_email does. */

const people = 10;
const readers = Array.from({ length: 60 }, (_, n) => `p${n % people}@school.example`);
const raw = (id: string) => `Message-ID: <${id}@shop.example>\r\nSubject: Akwaaba\r\n\r\nHello`;

/** A queue of emails to these readers, named by their number and reader: "7-p7". */
function openQueue() {
  const emails = readers.map((email, n) => {
    const claimed = {
      id: `${n}-${email.split("@")[0]}`,
      kind: "order_placed",
      audience: "customer",
      order: { email },
    };
    return { claimed: claimed as ClaimedEmail, state: "waiting", dueAt: 0 };
  });
  const find = (id: string) => emails.find(({ claimed }) => claimed.id === id);
  const queue: EmailQueue = {
    claim: async () => {
      await pause(1);
      const [first] = emails
        .filter(({ state, dueAt }) => state === "waiting" && dueAt <= Date.now())
        .sort((a, b) => a.dueAt - b.dueAt);
      if (first) first.state = "claimed";
      return first?.claimed ?? null;
    },
    recordSent: async (id) => void Object.assign(find(id) ?? {}, { state: "sent" }),
    recordFailed: async ({ id }, _reason, final, keepsPlace) =>
      void Object.assign(find(id) ?? {}, {
        state: final ? "given up" : "waiting",
        dueAt: keepsPlace ? 0 : Date.now() + 100,
      }),
    returnEmail: async ({ id }) => void Object.assign(find(id) ?? {}, { state: "waiting", dueAt: 0 }),
    queueLowStock: async () => {},
  };
  return { queue, emails, states: () => new Set(emails.map(({ state }) => state)) };
}

async function start(behaviour: Behaviour) {
  const server = await startMailServer(behaviour);
  const connection = connectMailServer(server.url, emailsAtOnce);
  const { queue, emails, states } = openQueue();
  const worker = startEmailWorker({
    queue,
    deliver: (email) =>
      connection.send({ from: "shop@shop.example", to: email.order?.email ?? "", raw: raw(email.id) }),
    responds: connection.responds,
    log: () => {},
    everyMs: 50,
  });
  onTestFinished(async () => {
    await worker.stop();
    connection.close();
  });
  return {
    server,
    emails,
    /** Waits until every email is sent, or given up. */
    settled: () => eventually(() => !states().has("waiting") && !states().has("claimed")),
  };
}

/** For each reader, the numbers of the emails that the server has accepted, in order. */
function accepted(server: { mails: string[] }): number[][] {
  const ids = idsOf(server).map((id) => id.split("-"));
  return Array.from({ length: people }, (_, person) =>
    ids.filter(([, reader]) => reader === `p${person}`).map(([number]) => Number(number)),
  );
}

const eachOnceInOrder = Array.from({ length: people }, (_, person) =>
  Array.from({ length: readers.length / people }, (_, n) => n * people + person),
);

test.each<[string, Behaviour]>([
  ["responds slowly", { latencyMs: 5 }],
  [
    "allows one connection and refuses others",
    { greet: (open) => (open > 1 ? "421 too many" : "220 ready") },
  ],
  ["allows two connections and closes others", { greet: (open) => (open > 2 ? null : "220 ready") }],
  ["closes connections that are idle between two emails", { idleMs: 1 }],
  ["ends every seventh connection with 421", { answer: (_, n) => (n % 7 === 6 ? "421 closing" : undefined) }],
])("sends every email once and in order for each person when the mail server %s", async (_, behaviour) => {
  const { server, settled } = await start(behaviour);
  await settled();
  expect(accepted(server)).toEqual(eachOnceInOrder);
});

test("opens seven connections at most, and reuses them", async () => {
  let connections = 0;
  const { server, settled } = await start({
    greet: () => {
      connections += 1;
      return "220 ready";
    },
  });
  await settled();
  expect(server.mails).toHaveLength(readers.length);
  expect(connections).toBeLessThanOrEqual(emailsAtOnce);
});

test("sends every email once and in order for each person when the mail server is gone for a while, twice", async () => {
  let isDown = false;
  let taken = 0;
  const { server, settled } = await start({
    greet: () => (isDown ? null : "220 ready"),
    beforeAccepting: async () => {
      taken += 1;
      if (taken !== 20 && taken !== 40) return;
      isDown = true;
      server.disconnect();
      setTimeout(() => {
        isDown = false;
      }, 300);
    },
  });
  await settled();
  expect(accepted(server)).toEqual(eachOnceInOrder);
});

test("delays nobody else for a person whom the mail server refuses for now, who gets every email in the end", async () => {
  const refused: string[] = [];
  const { server, settled } = await start({
    answer: (line) => {
      if (!line.includes("<p3@") || refused.length > 20) return undefined;
      refused.push(line);
      return "450 try later";
    },
  });
  await settled();
  const [order, expected] = [accepted(server), eachOnceInOrder];
  expect(order.with(3, [])).toEqual(expected.with(3, []));
  expect(order[3]?.toSorted((a, b) => a - b)).toEqual(expected[3]);
});

test("gives up emails to a person whom the mail server refuses for good, and sends all others", async () => {
  const { server, settled, emails } = await start({
    answer: (line) => (line.includes("<p4@") ? "550 no such user" : undefined),
  });
  await settled();
  expect(accepted(server)).toEqual(eachOnceInOrder.with(4, []));
  expect(emails.filter(({ state }) => state === "given up")).toHaveLength(readers.length / people);
});

test("gives up on an email for which the mail server takes too long, so that its connection serves the next one", async () => {
  const server = await startMailServer({
    beforeAccepting: (mail) => (mail.includes("<slow@") ? new Promise(() => {}) : Promise.resolve()),
  });
  const connection = connectMailServer(server.url, 1, 200);
  onTestFinished(connection.close);
  const send = (id: string) =>
    connection.send({ from: "shop@shop.example", to: "a@b.example", raw: raw(id) });
  const error = await send("slow").catch((reason) => reason);
  expect(mailFault(error)).toMatchObject({ code: "EABORT", ofServer: true });
  await send("next");
  expect(idsOf(server)).toEqual(["next"]);
});
