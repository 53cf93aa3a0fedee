import { linkPage } from "../../emails/link-page.ts";
import type { LinkKind } from "./links.ts";

type Page = LinkKind | "contested";

const words: Record<Page, { title: string; text: string; button: string }> = {
  signup: {
    title: "Confirm your email address",
    text: "One press confirms your address and signs you in.",
    button: "Confirm and sign in",
  },
  contested: {
    title: "Confirm your email address",
    text: "This address was used to sign up more than once, with different passwords. Confirm it, then choose the password for your account.",
    button: "Confirm and choose a password",
  },
  recovery: {
    title: "Choose a new password",
    text: "Continue to choose a new password for your account.",
    button: "Continue",
  },
  email_change: {
    title: "Confirm your new email address",
    text: "One press moves your account to this email address.",
    button: "Confirm the change",
  },
};

/** The page of the shop of this name that an emailed link opens. Its only form posts to the link's own URL. */
export function confirmPage(kind: Page, url: URL, shopName: string): Response {
  const { title, text, button } = words[kind];
  return linkPage({ shopName, title, text, button: { label: button, url } });
}
