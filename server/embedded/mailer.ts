import { readFile } from "node:fs/promises";
import type { App } from "@supabase/lite";
import { shop } from "#app/shop.ts";
import type { Letter } from "../mail.ts";
import { requestScope } from "./scope.ts";

type Mailer = NonNullable<App["_mailer"]>;

/** Mails by the name of their template in supabase/templates. */
type Kind = "confirmation" | "recovery" | "email-change";

const subjects: Record<Kind, string> = {
  confirmation: "confirm your e-mail address",
  recovery: "choose a new password",
  "email-change": "confirm your new e-mail address",
};

/** The verify endpoint's own word for each mail, and where its link leads unless the client says otherwise. */
const links: Record<Kind, { type: string; landing: string }> = {
  confirmation: { type: "signup", landing: "/shop" },
  recovery: { type: "recovery", landing: "/auth/reset" },
  "email-change": { type: "email_change", landing: "/" },
};

const templatesFolder = new URL("../../supabase/templates/", import.meta.url);

const escaped: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Fills the `{{ .Name }}` places that hosted projects use as well. */
function fill(template: string, values: Record<string, string>, asHtml: boolean): string {
  return template.replace(/\{\{ \.(\w+) \}\}/g, (place, name: string) => {
    const value = values[name] ?? place;
    return asHtml ? value.replace(/[&<>"]/g, (sign) => escaped[sign] ?? sign) : value;
  });
}

/** Only the shop's own pages: a mail of ours must never lead elsewhere. */
export function allowedRedirect(siteUrl: string, asked: string | null, landing: string): string {
  if (asked && URL.canParse(asked) && new URL(asked).origin === new URL(siteUrl).origin) return asked;
  return new URL(landing, siteUrl).href;
}

async function write(kind: Kind, siteUrl: string, to: string, tokenHash: string): Promise<Letter> {
  const { type, landing } = links[kind];
  const link = new URL("/auth/v1/verify", siteUrl);
  link.searchParams.set("token", tokenHash);
  link.searchParams.set("type", type);
  link.searchParams.set(
    "redirect_to",
    allowedRedirect(siteUrl, requestScope.getStore()?.redirectTo ?? null, landing),
  );
  const values = { ConfirmationURL: link.href, SiteURL: siteUrl };
  const read = (ending: string) => readFile(new URL(`${kind}.${ending}`, templatesFolder), "utf8");
  return {
    to,
    subject: `${shop.name}: ${subjects[kind]}`,
    text: fill(await read("txt"), values, false),
    html: fill(await read("html"), values, true),
  };
}

/**
 * The library's mails in the shop's words, with links that lead where the client asked (the library always leads
 * to the site's start page).
 */
export function createMailer(siteUrl: string, send: (letter: Letter) => Promise<void>): Mailer {
  const mail = async (kind: Kind, to: string, tokenHash: string) => {
    if (requestScope.getStore()?.mute) return;
    await send(await write(kind, siteUrl, to, tokenHash));
  };
  const unused = async () => {
    throw new Error("This mail is not offered");
  };
  return {
    sendConfirmation: (to, tokenHash) => mail("confirmation", to, tokenHash),
    sendRecovery: (to, tokenHash) => mail("recovery", to, tokenHash),
    sendEmailChange: (to, tokenHash) => mail("email-change", to, tokenHash),
    sendMagicLink: unused,
    sendReauthentication: unused,
  };
}
