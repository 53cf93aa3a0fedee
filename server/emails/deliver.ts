import type { Shop } from "#shared/owner/settings.ts";
import { plainEmail } from "../lib/email-address.ts";
import type { Settings } from "../lib/settings.ts";
import type { ClaimedEmail, EmailSubscription } from "./claimed-email.ts";
import { dateFile } from "./consultation-emails.ts";
import { unsubscribeUrl } from "./event-emails.ts";
import { compose, type Mail } from "./mail-server.ts";
import { ownerAddress } from "./read-shop.ts";
import { writeEmail } from "./write-email.ts";

export type EmailSettings = Pick<Settings, "siteUrl" | "mailFrom" | "shopEmail"> &
  Partial<Pick<Settings, "paystack">>;

/** No one can receive email at this address; trying again would not help. */
export class NoRecipient extends Error {
  override name = "NoRecipient";
}

/**
 * Names the order, quote or consultation in each email's headers, so that the outbox's files about it can be found when
 * its customer is anonymised.
 */
export const orderHeader = "X-Shop-Order";

/** Hosts of made-up addresses never exist (RFC 2606). */
const reachable = (address: string | null) => {
  const plain = address ? plainEmail(address) : null;
  return plain?.endsWith(".invalid") ? null : plain;
};

/** For the email program's unsubscribe button, which posts to the address (RFC 8058). */
const listHeaders = (siteUrl: string, subscription: EmailSubscription) => ({
  "List-Unsubscribe": `<${unsubscribeUrl(siteUrl, subscription)}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** Only purchase orders need the PDF library, which takes memory once loaded. */
async function filesOf({ kind, purchase, consultation }: ClaimedEmail, siteUrl: string, shop: Shop) {
  const hasDate =
    kind === "consultation_dated" || (kind === "consultation_cancelled" && consultation?.has_calendar_file);
  if (hasDate && consultation) return [dateFile(consultation, siteUrl, shop)];
  return purchase ? (await import("./purchase-files.ts")).purchaseFiles(purchase, shop) : [];
}

/** The address of an email's reader as the database has it; null for the owner, or if there is none. */
export function readerOf(email: ClaimedEmail): string | null {
  if (email.audience === "owner") return null;
  if (email.audience === "recipient") return email.order?.recipient_email ?? null;
  if (email.audience === "supplier") return email.purchase?.email ?? null;
  return customerOf(email);
}

const customerOf = ({ order, quote, consultation, alert, registration, subscription, role }: ClaimedEmail) =>
  (order ?? quote ?? consultation ?? alert ?? registration ?? subscription ?? role)?.email ?? null;

/**
 * Encodes an email. The same row always gives the same Message-ID and date, so that a receiver can drop a second copy.
 * @throws NoRecipient
 */
export async function prepareEmail(
  email: ClaimedEmail,
  { siteUrl, mailFrom, shopEmail, paystack }: EmailSettings,
  shop: Shop,
): Promise<Mail> {
  const owner = ownerAddress(shop, shopEmail);
  const about = email.order ?? email.quote ?? email.consultation;
  const toOwner = email.audience === "owner";
  const to = reachable(toOwner ? owner : readerOf(email));
  if (!to) throw new NoRecipient();
  const replyTo = reachable(toOwner ? customerOf(email) : owner);
  const head = {
    messageId: `<${email.id}@${mailFrom.split("@").at(-1)}>`,
    date: new Date(email.created_at),
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(about ? { [orderHeader]: about.id } : {}),
      ...(email.subscription ? listHeaders(siteUrl, email.subscription) : {}),
    },
    ...(replyTo ? { replyTo } : {}),
  };
  const sender = { name: shop.name, address: mailFrom };
  const written = {
    to,
    ...writeEmail(email, siteUrl, shop, Boolean(paystack)),
    attachments: await filesOf(email, siteUrl, shop),
  };
  return { from: mailFrom, to, raw: await compose(sender, written, head) };
}
