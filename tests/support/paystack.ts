import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

/*
 * Stands in for Paystack, as its documentation describes it: initialize, verify, refund, list of refunds, the page where the customer
 * pays, and messages to the shop, which are sent again until they are answered with 200.
 * https://paystack.com/docs/api/transaction, …/api/refund, …/payments/webhooks, …/payments/verify-payments
 */

export const paystackKey = "sk_test_0123456789abcdef";

export type Transaction = {
  id: number;
  reference: string;
  status: "abandoned" | "ongoing" | "success" | "failed" | "reversed";
  /** In pesewas. */
  amount: number;
  currency: string;
  email: string;
  callback: string;
};

type Refund = {
  id: number;
  transaction: number;
  reference: string;
  amount: number;
  status: string;
  merchant_note: string;
};

/** How it does not answer: with 500, with nothing, or only after it has done what was asked. */
export type Fault = "500" | "silence" | "done, then 500" | "done, and answered after half a second";

export type Paystack = {
  url: string;
  transactions: Map<string, Transaction>;
  refunds: Refund[];
  /** The requests it got, as "POST /transaction/initialize". */
  asked: string[];
  /** Of the next request whose path begins so. */
  failNext: (path: string, fault: Fault) => void;
  /** The customer has paid. Without a message unless `send` is called. */
  approve: (reference: string, paid?: Partial<Pick<Transaction, "amount" | "currency">>) => void;
  refuse: (reference: string) => void;
  /** How refunds go on; 'processed' when left out. */
  finishRefunds: (status?: "processed" | "failed") => void;
  /** A refund made on Paystack's own pages. */
  refundByHand: (reference: string, amount: number) => void;
  /** Where messages go by themselves when a customer pays on the page; nowhere before this is said. */
  sendTo: (shop: string) => void;
  /** Posts a message there, signed; answers the status. */
  tell: (event: string, reference: string) => Promise<number>;
  /** Posts a message to a shop, signed unless it is said how; answers the status. */
  send: (
    shop: string,
    event: string,
    reference: string,
    how?: { signature?: string; body?: string },
  ) => Promise<number>;
  stop: () => Promise<void>;
};

const sign = (body: string, key = paystackKey) => createHmac("sha512", key).update(body).digest("hex");

const page = (transaction: Transaction) => `<!doctype html><html lang="en"><title>Paystack's stand-in</title>
  <h1>Pay GHS ${(transaction.amount / 100).toFixed(2)}</h1>
  <form method="post"><button name="do" value="approve">Approve</button>
  <button name="do" value="refuse">Refuse</button><button name="do" value="wait">Approve later</button></form></html>`;

export async function startPaystack(port = 0): Promise<Paystack> {
  let shop = "";
  const transactions: Paystack["transactions"] = new Map();
  const refunds: Refund[] = [];
  const asked: string[] = [];
  const faults: { path: string; fault: Fault }[] = [];
  let lastId = 4_099_260_000;

  const find = (reference: string): Transaction => {
    const transaction = transactions.get(reference);
    if (!transaction) throw new Error(`There is no transaction ${reference}`);
    return transaction;
  };
  const addRefund = (transaction: Transaction, amount: number, merchant_note: string): Refund => {
    lastId += 1;
    const { reference } = transaction;
    const refund = {
      id: lastId,
      transaction: transaction.id,
      reference,
      amount,
      status: "pending",
      merchant_note,
    };
    refunds.push(refund);
    return refund;
  };
  const refundedOf = ({ id }: Transaction) =>
    refunds
      .filter(({ transaction, status }) => transaction === id && status !== "failed")
      .reduce((sum, { amount }) => sum + amount, 0);

  type Answer = [status: number, message: string, data?: unknown];

  function initialize(fields: Record<string, unknown>): Answer {
    const { reference, amount, email, currency, callback_url } = fields;
    if (typeof reference !== "string" || !/^[\w.=-]+$/.test(reference)) return [400, "Invalid reference"];
    if (transactions.has(reference)) return [400, "Duplicate Transaction Reference"];
    if (!Number.isSafeInteger(amount) || Number(amount) < 10) return [400, "Invalid Amount Sent"];
    if (!/^\S+@\S+\.\S+$/.test(String(email))) return [400, "Invalid Email Address Passed"];
    if (currency !== "GHS") return [403, "Currency not supported by merchant"];
    lastId += 1;
    const payment = { id: lastId, reference, status: "abandoned", amount: Number(amount), currency } as const;
    transactions.set(reference, { ...payment, email: String(email), callback: String(callback_url) });
    const data = { authorization_url: `${url}/pay/${reference}`, access_code: randomUUID(), reference };
    return [200, "Authorization URL created", data];
  }

  function verify(reference: string): Answer {
    const found = transactions.get(reference);
    if (!found) return [400, "Transaction reference not found."];
    const { callback: _, email, ...transaction } = found;
    const paid_at = found.status === "success" ? new Date().toISOString() : null;
    const rest = {
      domain: "test",
      channel: "mobile_money",
      gateway_response: found.status,
      customer: { email },
    };
    return [200, "Verification successful", { ...transaction, ...rest, paid_at }];
  }

  function refund(fields: Record<string, unknown>): Answer {
    const transaction = transactions.get(String(fields.transaction));
    if (!transaction) return [400, "Transaction not found"];
    const amount = Number(fields.amount);
    if (transaction.status !== "success") return [400, "Transaction has not been completed"];
    if (amount + refundedOf(transaction) > transaction.amount)
      return [400, "Refund amount cannot be more than transaction amount"];
    const made = addRefund(transaction, amount, String(fields.merchant_note));
    return [200, "Refund has been queued for processing", { ...made, transaction }];
  }

  function answer(request: IncomingMessage, body: string): Answer {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://paystack");
    if (request.headers.authorization !== `Bearer ${paystackKey}`) return [401, "Invalid key"];
    if (pathname === "/transaction/initialize") return initialize(JSON.parse(body));
    if (pathname.startsWith("/transaction/verify/"))
      return verify(decodeURIComponent(pathname.split("/").at(-1) ?? ""));
    if (pathname !== "/refund") return [404, "Not found"];
    if (request.method === "POST") return refund(JSON.parse(body));
    const transactionId = Number(searchParams.get("transaction"));
    return [200, "Refunds retrieved", refunds.filter(({ transaction }) => transaction === transactionId)];
  }

  const paystack: Omit<Paystack, "url" | "stop"> = {
    transactions,
    refunds,
    asked,
    failNext: (path, fault) => void faults.push({ path, fault }),
    approve: (reference, paid = {}) => void Object.assign(find(reference), { status: "success", ...paid }),
    refuse: (reference) => void Object.assign(find(reference), { status: "failed" }),
    finishRefunds: (status = "processed") => {
      for (const each of refunds) if (each.status === "pending") each.status = status;
    },
    refundByHand: (reference, amount) => void addRefund(find(reference), amount, "Refunded on the dashboard"),
    sendTo: (address) => {
      shop = address;
    },
    tell: (event, reference) => paystack.send(shop, event, reference),
    send: async (address, event, reference, { signature, body } = {}) => {
      const data = event.startsWith("refund.")
        ? { transaction_reference: reference, status: event.split(".")[1] }
        : { reference, status: "success" };
      const message = body ?? JSON.stringify({ event, data });
      const response = await fetch(`${address}/payments/paystack`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-paystack-signature": signature ?? sign(message) },
        body: message,
      });
      await response.body?.cancel();
      return response.status;
    },
  };

  /** Again until it is answered with 200: after three minutes there, sooner here. */
  async function deliver(reference: string): Promise<void> {
    for (let tries = 0; tries < 20; tries += 1) {
      if (shop && (await paystack.tell("charge.success", reference).catch(() => 0)) === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** The page where the customer pays. */
  async function pay(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const transaction = transactions.get((request.url ?? "").split("/").at(-1) ?? "");
    if (!transaction) return void response.writeHead(404).end();
    if (request.method !== "POST")
      return void response.writeHead(200, { "content-type": "text/html" }).end(page(transaction));
    const choice = new URLSearchParams(body).get("do");
    const { reference, callback } = transaction;
    if (choice === "approve") {
      paystack.approve(reference);
      void deliver(reference);
    } else if (choice === "refuse") paystack.refuse(reference);
    else transaction.status = "ongoing";
    response.writeHead(302, { location: `${callback}?trxref=${reference}&reference=${reference}` }).end();
  }

  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { pathname } = new URL(request.url ?? "/", "http://paystack");
    if (pathname.startsWith("/pay/")) return pay(request, response, body);
    const endpoint = `${request.method} ${pathname}`;
    asked.push(endpoint);
    const at = faults.findIndex(({ path }) => endpoint.startsWith(path));
    const [fault] = at === -1 ? [] : faults.splice(at, 1);
    if (fault?.fault === "500") return void response.writeHead(500).end("<h1>Bad gateway</h1>");
    if (fault?.fault === "silence") return void request.socket.destroy();
    const [status, message, data] = answer(request, body);
    if (fault?.fault === "done, and answered after half a second") await pause(500);
    else if (fault) return void response.writeHead(500).end("<h1>Bad gateway</h1>");
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ status: status < 300, message, data }));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...paystack,
    url,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
