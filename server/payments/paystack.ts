import { createHmac, timingSafeEqual } from "node:crypto";
import type { Pesewas } from "#shared/text/money.ts";
import { isUuid } from "#shared/text/uuid.ts";
import type { Settings } from "../lib/settings.ts";
import {
  isReference,
  type Message,
  type PaymentProvider,
  type ProviderRefund,
  ProviderRefusal,
  ReferenceUsed,
  type Verdict,
} from "./provider.ts";

/* Paystack, as its API reference describes it: https://paystack.com/docs/api. Amounts are in pesewas. */

const timeoutMs = 20_000;

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
const idOf = (value: unknown) => (typeof value === "number" ? String(value) : textOf(value));

/** Paystack did not respond, or not as its reference describes. */
class ProviderFault extends Error {
  override name = "ProviderFault";
  /** For the log. */
  readonly code: string;

  constructor(fault: string) {
    super(fault);
    this.code = `Paystack: ${fault}`;
  }
}

const outcomes: Readonly<Record<string, Verdict["outcome"]>> = {
  success: "success",
  failed: "failed",
  reversed: "reversed",
};

function readVerdict(data: unknown, reference: string): Verdict {
  if (!isFields(data) || data.reference !== reference) throw new ProviderFault("another transaction");
  // Every transaction is "abandoned" until its customer begins to pay.
  const outcome = outcomes[String(data.status)] ?? "pending";
  const id = idOf(data.id);
  // Without Paystack's number a payment couldn't be refunded, so Paystack is queried again instead.
  if (id === null && (outcome === "success" || outcome === "reversed")) throw new ProviderFault("no id");
  return {
    outcome,
    amount: Number.isSafeInteger(data.amount) ? (data.amount as number) : null,
    currency: textOf(data.currency)?.slice(0, 10) ?? null,
    paidOn: /^\d{4}-\d\d-\d\d/.exec(textOf(data.paid_at) ?? textOf(data.paidAt) ?? "")?.[0] ?? null,
    id,
  };
}

const refundOutcomes: Readonly<Record<string, ProviderRefund["outcome"]>> = {
  processed: "processed",
  failed: "failed",
};

function readRefund(data: unknown): ProviderRefund {
  const id = isFields(data) ? idOf(data.id) : null;
  if (!isFields(data) || id === null || !Number.isSafeInteger(data.amount))
    throw new ProviderFault("no refund");
  const note = textOf(data.merchant_note);
  return {
    id,
    ownId: note && isUuid(note) ? note : null,
    amount: data.amount as Pesewas,
    outcome: refundOutcomes[String(data.status)] ?? "pending",
  };
}

/** @throws SyntaxError when it is not JSON */
function readMessage(body: Uint8Array): Message {
  const message: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
  if (!isFields(message) || !isFields(message.data)) return null;
  const { event, data } = message as { event: unknown; data: Fields };
  if (event === "charge.success" && isReference(data.reference))
    return { kind: "payment", reference: data.reference };
  if (String(event).startsWith("refund.") && isReference(data.transaction_reference))
    return { kind: "refund", reference: data.transaction_reference };
  return null;
}

export function connectPaystack({ secretKey, url }: NonNullable<Settings["paystack"]>): PaymentProvider {
  /**
   * Paystack's response with its status.
   * @throws ProviderFault when there is none, or not one that its reference describes
   */
  async function request(method: "GET" | "POST", path: string, fields?: Fields) {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
      ...(fields ? { body: JSON.stringify(fields) } : {}),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body: unknown = await response.json().catch(() => null);
    if (!isFields(body) || response.status >= 500 || response.status === 401 || response.status === 429)
      throw new ProviderFault(
        response.status === 401 ? "the secret key is refused" : `status ${response.status}`,
      );
    return {
      done: response.ok && body.status === true,
      message: textOf(body.message) ?? "",
      data: body.data,
    };
  }

  return {
    open: async ({ reference, amount, email, returnUrl }) => {
      const payment = { reference, amount, email, currency: "GHS", callback_url: returnUrl };
      const { done, message, data } = await request("POST", "/transaction/initialize", payment);
      if (!done && /duplicate/i.test(message)) throw new ReferenceUsed();
      if (!done) throw new ProviderRefusal();
      const address = isFields(data) ? textOf(data.authorization_url) : null;
      if (!address || !/^https?:\/\//.test(address)) throw new ProviderFault("no address");
      return address;
    },
    verify: async (reference) => {
      const { done, data } = await request("GET", `/transaction/verify/${encodeURIComponent(reference)}`);
      if (done) return readVerdict(data, reference);
      return { outcome: "pending", amount: null, currency: null, paidOn: null, id: null };
    },
    refund: async ({ ownId, reference, amount }) => {
      const refund = { transaction: reference, amount, currency: "GHS", merchant_note: ownId };
      const { done, data } = await request("POST", "/refund", refund);
      if (!done) throw new ProviderRefusal();
      return { ...readRefund(data), ownId };
    },
    listRefunds: async (paymentId) => {
      const query = new URLSearchParams({ transaction: paymentId, perPage: "100" });
      const { done, data } = await request("GET", `/refund?${query}`);
      if (!done || !Array.isArray(data)) throw new ProviderFault("no list");
      return data.map(readRefund);
    },
    readWebhook: (body, signature) => {
      const expected = createHmac("sha512", secretKey).update(body).digest();
      const given = /^[0-9a-f]{128}$/i.test(signature) ? Buffer.from(signature, "hex") : Buffer.alloc(64);
      return timingSafeEqual(given, expected) ? readMessage(body) : undefined;
    },
  };
}
