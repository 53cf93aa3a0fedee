import { readFile } from "node:fs/promises";
import { formatMinute } from "#shared/text/dates.ts";
import type { Email } from "../../emails/mail-server.ts";
import type { LinkKind } from "./links.ts";
import type { AccountsSettings } from "./parts.ts";
import { allowedRedirect } from "./redirects.ts";
import type { AccountNotice } from "./tasks.ts";

/** Emails by the name of their template in supabase/templates. */
export type Template =
  | "confirmation"
  | "recovery"
  | "moved"
  | "email-change"
  | "email-change-notice"
  | "password-changed"
  | AccountNotice["notice"];

const subjects: Record<Template, string> = {
  confirmation: "confirm your email address",
  recovery: "choose a new password",
  moved: "we have moved, please choose a new password",
  "email-change": "confirm your new email address",
  "email-change-notice": "your email address is being changed",
  "password-changed": "your password was changed",
  "new-device": "you signed in on a new device",
  "second-step-on": "signing in now needs a code",
  "second-step-off": "the second step at sign-in was removed",
  "second-step-removed": "an admin removed your second step",
  "recovery-code": "a recovery code was used",
};

/** Each link's email, and where it leads unless the client says otherwise. */
const emails: Record<LinkKind, { template: Template; landing: string }> = {
  signup: { template: "confirmation", landing: "/shop" },
  recovery: { template: "recovery", landing: "/auth/reset" },
  email_change: { template: "email-change", landing: "/" },
};

const templatesFolder = new URL("../../../supabase/templates/", import.meta.url);

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

/** Fills the `{{ .Name }}` placeholders that hosted projects use as well. */
function fill(template: string, values: Record<string, string>, asHtml: boolean): string {
  return template.replace(/\{\{ \.(\w+) \}\}/g, (placeholder, name: string) => {
    const value = values[name] ?? placeholder;
    return asHtml ? escapeHtml(value) : value;
  });
}

/** Where an HTML template names the shop. A hosted project, which doesn't know the name, leaves comments out. */
const nameMark = "<!-- shop -->";

const nameLine = (name: string, siteUrl: string) =>
  `<p style="margin: 0 0 8px"><a href="${escapeHtml(siteUrl)}" style="color: #565c52; text-decoration: none">${escapeHtml(name)}</a></p>`;

/** What every account email needs: the shop's name and its origin. */
type From = Pick<AccountsSettings, "readShop" | "siteUrl">;

async function write(
  { readShop, siteUrl }: From,
  template: Template,
  { to, ...more }: { to: string } & Record<string, string>,
): Promise<Email> {
  const { name } = await readShop();
  const read = (ending: string) => readFile(new URL(`${template}.${ending}`, templatesFolder), "utf8");
  const values = { Email: to, SiteURL: siteUrl, ...more };
  return {
    to,
    subject: `${name}: ${subjects[template]}`,
    text: `${name}\n\n${fill(await read("txt"), values, false)}`,
    html: fill(await read("html"), values, true).replace(nameMark, () => nameLine(name, siteUrl)),
  };
}

type LinkEmail = {
  kind: LinkKind;
  to: string;
  token: string;
  redirectTo: string | null;
  template?: Template | undefined;
};

/** The email with a link; `redirectTo` is the page that the client requested. */
export async function writeLinkEmail(
  from: From,
  { kind, to, token, redirectTo, template }: LinkEmail,
): Promise<Email> {
  const { landing, template: usual } = emails[kind];
  const link = new URL("/auth/v1/verify", from.siteUrl);
  link.searchParams.set("token", token);
  link.searchParams.set("type", kind);
  link.searchParams.set("redirect_to", allowedRedirect(from.siteUrl, redirectTo, landing));
  return write(from, template ?? usual, { to, ConfirmationURL: link.href });
}

/** Warns the current address that the account is to move to another one. */
export const writeChangeNotice = (from: From, to: string) => write(from, "email-change-notice", { to });

/** Tells an account's owner, who may not have been the one to change it. */
export const writePasswordNotice = (from: From, to: string) => write(from, "password-changed", { to });

/** Emails an account's owner about a change to it. */
export const writeAccountNotice = (from: From, to: string, notice: AccountNotice) =>
  write(from, notice.notice, {
    to,
    ...("left" in notice
      ? { Left: notice.left === 1 ? "1 is left" : `${notice.left || "None"} are left` }
      : {}),
    ...("device" in notice ? { Device: notice.device, Time: formatMinute(notice.at) } : {}),
  });
