import { domainToASCII } from "node:url";

const maxCharacters = 254;
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The one form in which an email address is stored and compared: lower case, an international domain in its ASCII
 * form. Null for everything that is not one plain address, such as lists, quotes, comments, address literals and a
 * trailing dot: mail servers deliver many such spellings to the same mailbox.
 */
export function plainEmail(typed: string): string | null {
  const [local = "", host = "", ...more] = typed.trim().toLowerCase().split("@");
  // The conversion would decode percent signs, and cut at characters that end a host.
  if (more.length > 0 || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(host)) return null;
  const domain = domainToASCII(host);
  const labels = domain.split(".");
  const isDomain =
    labels.length > 1 && labels.every((each) => label.test(each)) && !/^\d+$/.test(labels.at(-1) ?? "");
  const email = `${local}@${domain}`;
  return localPart.test(local) && local.length <= 64 && isDomain && email.length <= maxCharacters
    ? email
    : null;
}
