import { readFile } from "node:fs/promises";
import { shop } from "#app/shop.ts";
import type { Email } from "../../shared/mail-server.ts";
import type { LinkKind } from "./links.ts";
import { allowedRedirect } from "./redirects.ts";

/** Emails by the name of their template in supabase/templates. */
export type Template = "confirmation" | "recovery" | "moved" | "email-change" | "email-change-notice";

const subjects: Record<Template, string> = {
  confirmation: "confirm your email address",
  recovery: "choose a new password",
  moved: "we have moved, please choose a new password",
  "email-change": "confirm your new email address",
  "email-change-notice": "your email address is being changed",
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

/** Fills the `{{ .Name }}` places that hosted projects use as well. */
function fill(template: string, values: Record<string, string>, asHtml: boolean): string {
  return template.replace(/\{\{ \.(\w+) \}\}/g, (place, name: string) => {
    const value = values[name] ?? place;
    return asHtml ? escapeHtml(value) : value;
  });
}

async function write(template: Template, to: string, values: Record<string, string>): Promise<Email> {
  const read = (ending: string) => readFile(new URL(`${template}.${ending}`, templatesFolder), "utf8");
  return {
    to,
    subject: `${shop.name}: ${subjects[template]}`,
    text: fill(await read("txt"), values, false),
    html: fill(await read("html"), values, true),
  };
}

type LinkEmail = {
  kind: LinkKind;
  to: string;
  token: string;
  redirectTo: string | null;
  template?: Template | undefined;
};

/** The email with a link; `redirectTo` is the page that the client asked for. */
export async function writeLinkEmail(
  siteUrl: string,
  { kind, to, token, redirectTo, template }: LinkEmail,
): Promise<Email> {
  const { landing, template: usual } = emails[kind];
  const link = new URL("/auth/v1/verify", siteUrl);
  link.searchParams.set("token", token);
  link.searchParams.set("type", kind);
  link.searchParams.set("redirect_to", allowedRedirect(siteUrl, redirectTo, landing));
  return write(template ?? usual, to, { ConfirmationURL: link.href, SiteURL: siteUrl });
}

/** Warns the current address that the account is to move to another one. */
export const writeChangeNotice = (siteUrl: string, to: string) =>
  write("email-change-notice", to, { SiteURL: siteUrl });
