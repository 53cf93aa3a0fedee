import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Backend } from "#server/api/backend.ts";
import { callOver } from "#server/lib/call-database.ts";
import { readSettings } from "#server/lib/settings.ts";
import { startPayments } from "#server/payments/payments.ts";
import { createSite } from "#server/web/site.ts";
import { type OwnApi, openOwnApi } from "./own-api.ts";
import { type Paystack, paystackKey, startPaystack } from "./paystack.ts";

/** The web server in this process, without pages, over a database of its own, and a stand-in for Paystack. */
export type PayingShop = {
  url: string;
  api: OwnApi;
  paystack: Paystack;
  /** An order of GH₵100 of a new customer. */
  newOrder: () => Promise<{ id: string; customer: string }>;
  /** Clicks 'Pay now' in a person's name. */
  pay: (orderId: string, as?: string) => Promise<{ status: number; body: Record<string, string> }>;
  /** Clicks it, and answers the reference that was opened. */
  payFor: (order: { id: string; customer: string }) => Promise<string>;
  /** Comes back from Paystack; answers where to. */
  comeBack: (reference: string) => Promise<string | null>;
  /** A new customer's order that is paid online, and the id of its payment. */
  newPaidOrder: () => Promise<{ id: string; customer: string; reference: string; payment: string }>;
  /** Posts a message of Paystack's; answers the status. */
  hear: (event: string, reference: string) => Promise<number>;
  /** What an order's customer has paid, and the state. */
  summaryOf: (orderId: string) => Promise<Record<string, unknown> | undefined>;
  /** An order's rows, sorted. */
  rowsOf: (orderId: string) => Promise<string[]>;
  /** Lets the worker come to everything that is open. */
  makeDue: () => Promise<unknown>;
  stop: () => Promise<void>;
};

export async function openPayingShop(): Promise<PayingShop> {
  const [api, paystack] = [await openOwnApi(), await startPaystack()];
  const { sql } = api;
  const passed = ({ headers }: Request) => ({ authorization: headers.get("authorization") ?? "" });
  const backend: Backend = {
    kind: "embedded",
    notices: [],
    browserOrigin: null,
    publishableKey: "sb_publishable_test",
    ready: async () => true,
    stop: async () => {},
    closeAccount: null,
    call: callOver((path, body) => api.ask(path, { key: "secret", body })),
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      return api.ask(pathname + search, { headers: passed(request) });
    },
  };
  let answer: (request: Request, bindings: never) => Response | Promise<Response>;
  const server = createServer(getRequestListener((request, bindings) => answer(request, bindings as never)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = readSettings({
    SITE_URL: url,
    PAYSTACK_SECRET_KEY: paystackKey,
    PAYSTACK_URL: paystack.url,
  });
  const payments = startPayments(settings, backend, 50);
  const pages = async () => new Response("a page", { status: 404 });
  answer = createSite({ settings, backend, pages, payments: payments.routes }).fetch as typeof answer;

  const pay: PayingShop["pay"] = async (orderId, as) => {
    const headers = as ? { authorization: `Bearer ${api.tokenOf(as)}` } : undefined;
    const response = await fetch(`${url}/payments/orders/${orderId}`, {
      method: "POST",
      ...(headers ? { headers } : {}),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const newOrder: PayingShop["newOrder"] = async () => {
    const customer = await api.newPerson();
    const [row] = await sql.query<{ id: string }>(
      "insert into public.orders (user_id, total_amount, recipient_email) values ($1::text::uuid, 100, 'ama@school.example') returning id",
      [customer],
    );
    return { id: String(row?.id), customer };
  };
  const payFor: PayingShop["payFor"] = async ({ id, customer }) => {
    const { body } = await pay(id, customer);
    return String(body.address?.split("/").at(-1));
  };
  const comeBack: PayingShop["comeBack"] = async (reference) => {
    const response = await fetch(`${url}/payments/return?trxref=${reference}&reference=${reference}`, {
      redirect: "manual",
    });
    return response.status === 303 ? response.headers.get("location") : null;
  };
  return {
    url,
    api,
    paystack,
    newOrder,
    pay,
    payFor,
    comeBack,
    newPaidOrder: async () => {
      const order = await newOrder();
      const reference = await payFor(order);
      paystack.approve(reference);
      await comeBack(reference);
      const [row] = await sql.query<{ id: string }>("select id from public.payments where reference = $1", [
        reference,
      ]);
      return { ...order, reference, payment: String(row?.id) };
    },
    hear: (event, reference) => paystack.send(url, event, reference),
    summaryOf: async (orderId) =>
      (await sql.query("select * from private.order_payments where order_id = $1::text::uuid", [orderId]))[0],
    rowsOf: async (orderId) => {
      const rows = await sql.query<{ name: string }>(
        `select concat_ws(' ', kind, amount, state, reason) as name from public.payments
          where order_id = $1::text::uuid order by 1`,
        [orderId],
      );
      return rows.map(({ name }) => name);
    },
    makeDue: () => sql.exec("update public.payments set check_at = clock_timestamp() where state = 'open'"),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await payments.stop();
      await paystack.stop();
      await api.close();
    },
  };
}
