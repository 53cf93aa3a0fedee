import { setTimeout as pause } from "node:timers/promises";
import { cedisFromPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";
import type { CallDatabase } from "../lib/call-database.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { type PaymentProvider, type ProviderRefund, ProviderRefusal, ReferenceUsed } from "./provider.ts";

/** Amounts in cedis, as the database has them. */
type OpenPayment = {
  id: string;
  reference: string;
  amount: number;
  email: string | null;
  checkout_url: string | null;
  /** Other open payments of the order, on whose pages the customer may have paid. */
  earlier: string[];
};
type Check = {
  id: string;
  kind: "payment" | "refund";
  amount: number;
  reference: string;
  provider_id: string | null;
  transaction_id: string | null;
};
export type Settled = { state: string; order_id: string | null };
type Found = Settled & { transaction_id: string | null };

export type PaymentService = {
  /**
   * Where the customer of an order pays what is due, or the state of an earlier payment that turned out to have been
   * made.
   * @throws Refusal when nothing is due
   * @throws EarlierPaymentUnknown when the customer may already have paid
   */
  open: (orderId: string) => Promise<{ address: string } | { state: string }>;
  /** Queries the provider about a payment and records its state; null when the payment is not the shop's. */
  settle: (reference: string) => Promise<Settled | null>;
  /** The shop's own record of a payment, without a request to the provider; null when the payment is not the shop's. */
  find: (reference: string) => Promise<Settled | null>;
  /** Records all refunds of a payment that the provider knows about. */
  settleRefunds: (reference: string) => Promise<void>;
  /** Checks the next open payment or refund that is due, or requests the refund; false when none is due. */
  checkNext: () => Promise<boolean>;
};

/** The provider can't confirm whether an earlier payment has been made. */
export class EarlierPaymentUnknown extends Error {
  override name = "EarlierPaymentUnknown";
  /** Why, for the log. */
  readonly code: string | undefined;

  constructor(cause?: unknown) {
    super("It is not known whether an earlier payment has been made", { cause });
    this.code = (cause as { code?: string } | undefined)?.code;
  }
}

/**
 * A refund that could not be sent by then is left to the next worker: the database hands it out again two minutes
 * after its claim.
 */
const REFUND_DEADLINE_MS = 60_000;

/** Together longer than the provider takes to open and report a payment. */
const MAX_ATTEMPTS = 16;
const PAUSE_MS = 200;

type Parts = { provider: PaymentProvider; call: CallDatabase; siteUrl: string };

export const isMade = ({ state }: Settled) => state === "settled" || state === "needs_decision";

/** Combines the provider's reports with the database's decisions; neither is ever taken from a browser. */
export function createPaymentService({ provider, call, siteUrl }: Parts): PaymentService {
  const newPayment = async (orderId: string) =>
    (await call("open_payment", { _order_id: orderId })) as OpenPayment;
  const find = async (reference: string) =>
    (await call("find_payment", { _reference: reference })) as Found | null;

  const settle = oneAtATime(async (reference): Promise<Settled | null> => {
    const { outcome, amount, currency, paidOn, id } = await provider.verify(reference);
    return (await call("settle_payment", {
      _reference: reference,
      _outcome: outcome,
      _amount: amount === null ? null : cedisFromPesewas(amount as Pesewas),
      _currency: currency,
      _paid_on: paidOn,
      _provider_id: id,
    })) as Settled | null;
  });

  async function address({ id, reference, amount, email }: OpenPayment): Promise<string> {
    if (!email) throw new ProviderRefusal("The order has no email address");
    const returnUrl = `${siteUrl}/payments/return`;
    const opened = await provider.open({ reference, amount: pesewasFromCedis(amount), email, returnUrl });
    await call("note_checkout", { _payment_id: id, _checkout_url: opened });
    return opened;
  }

  const settleEarlierPayment = (reference: string) =>
    settle(reference).catch((error) => {
      throw new EarlierPaymentUnknown(error);
    });

  /** The payment opened before: made by now, refused, or to be continued. */
  async function resume({ reference, checkout_url }: OpenPayment) {
    const settled = await settleEarlierPayment(reference);
    if (settled && isMade(settled)) return { state: settled.state };
    return settled?.state === "open" && checkout_url ? { address: checkout_url } : null;
  }

  /** The URL of the payment that a concurrent request of the same customer is opening; null if it does not appear in time. */
  async function findConcurrentCheckout(orderId: string): Promise<string | null> {
    for (let attempt = 1; ; attempt++) {
      const { checkout_url } = await newPayment(orderId);
      if (checkout_url || attempt === MAX_ATTEMPTS) return checkout_url;
      await pause(PAUSE_MS);
    }
  }

  async function open(orderId: string) {
    const payment = await newPayment(orderId);
    for (const reference of payment.earlier) {
      const settled = await settleEarlierPayment(reference);
      if (settled && isMade(settled)) return { state: settled.state };
    }
    if (payment.checkout_url) {
      const before = await resume(payment);
      if (before) return before;
      return { address: await address(await newPayment(orderId)) };
    }
    try {
      return { address: await address(payment) };
    } catch (error) {
      if (!(error instanceof ReferenceUsed)) throw error;
    }
    const again = await findConcurrentCheckout(orderId);
    if (again) return { address: again };
    // Its URL was lost, so no one can pay there.
    await call("settle_payment", { _reference: payment.reference, _outcome: "failed" });
    return { address: await address(await newPayment(orderId)) };
  }

  const recordRefund = (reference: string, { id, ownId, amount, outcome }: ProviderRefund) =>
    call("settle_refund", {
      _reference: reference,
      _refund_id: ownId,
      _provider_id: id,
      _amount: cedisFromPesewas(amount),
      _outcome: outcome,
    });

  async function recordRefunds(reference: string, transactionId: string): Promise<ProviderRefund[]> {
    const refunds = await provider.listRefunds(transactionId);
    for (const refund of refunds) await recordRefund(reference, refund);
    return refunds;
  }

  /** Only a refund that the provider does not list is sent: it may have been sent by a worker that has died since. */
  async function makeRefund({ id, reference, amount, provider_id, transaction_id }: Check): Promise<void> {
    if (!transaction_id) return;
    const [claimedAt, claimedOn] = [performance.now(), Date.now()];
    const recorded = await recordRefunds(reference, transaction_id);
    if (provider_id || recorded.some(({ ownId }) => ownId === id)) return;
    // One clock stops while the machine sleeps, the other may be set back.
    if (Math.max(performance.now() - claimedAt, Date.now() - claimedOn) > REFUND_DEADLINE_MS) return;
    const refund = { ownId: id, reference, amount: pesewasFromCedis(amount) };
    try {
      await recordRefund(reference, await provider.refund(refund));
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error;
      await call("settle_refund", {
        _reference: reference,
        _refund_id: id,
        _provider_id: null,
        _amount: amount,
        _outcome: "failed",
      });
    }
  }

  return {
    // Clicks are serialized: later ones continue with the payment that the first one opened.
    open: oneAtATime(open),
    settle,
    find,
    settleRefunds: oneAtATime(async (reference) => {
      const found = await find(reference);
      if (found?.transaction_id) await recordRefunds(reference, found.transaction_id);
    }),
    checkNext: async () => {
      const check = (await call("claim_payment_check", {})) as Check | null;
      if (!check) return false;
      if (check.kind === "refund") await makeRefund(check);
      else await settle(check.reference);
      return true;
    },
  };
}
