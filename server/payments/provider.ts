import type { Pesewas } from "#shared/text/money.ts";

/** A payment's outcome, as reported by the provider. */
export type Verdict = {
  /** 'pending' for anything that may still change, also when the provider does not know the payment. */
  outcome: "success" | "failed" | "reversed" | "pending";
  /** In hundredths of the currency. */
  amount: number | null;
  currency: string | null;
  /** YYYY-MM-DD */
  paidOn: string | null;
  /** The provider's own number for it. */
  id: string | null;
};

export type ProviderRefund = {
  /** The provider's own number for it. */
  id: string;
  /** The shop's id for it; null when it was made on the provider's pages. */
  ownId: string | null;
  amount: Pesewas;
  outcome: "processed" | "failed" | "pending";
};

/**
 * Whether this can be a payment's reference: any other input from the web is neither looked up nor sent to the
 * provider.
 */
export const isReference = (text: unknown): text is string =>
  typeof text === "string" && /^[\w.=-]{1,100}$/.test(text);

/** What a message from the provider is about: a payment's reference; null if the shop can ignore it. */
export type Message = { kind: "payment" | "refund"; reference: string } | null;

/** The provider has permanently refused a request. */
export class ProviderRefusal extends Error {
  override name = "ProviderRefusal";
}

/** The reference has been used before: the payment is already open. */
export class ReferenceUsed extends ProviderRefusal {
  override name = "ReferenceUsed";
}

/**
 * A service that takes customers' money for the shop. All methods throw ProviderRefusal if the provider has refused
 * for good, and any other error if the outcome is unknown.
 */
export type PaymentProvider = {
  /** Opens a payment; resolves to the address where the customer pays. */
  open: (payment: {
    reference: string;
    amount: Pesewas;
    email: string;
    returnUrl: string;
  }) => Promise<string>;
  verify: (reference: string) => Promise<Verdict>;
  /** Refunds some of a payment. Must not be called again before `listRefunds` lacks the refund. */
  refund: (refund: { ownId: string; reference: string; amount: Pesewas }) => Promise<ProviderRefund>;
  /** @param paymentId the provider's number of the payment */
  listRefunds: (paymentId: string) => Promise<ProviderRefund[]>;
  /** Reads a message that came in over the web; undefined when it is not the provider's. */
  readWebhook: (body: Uint8Array, signature: string) => Message | undefined;
};
