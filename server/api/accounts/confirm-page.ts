import { createHash } from "node:crypto";
import { escapeHtml } from "./emails.ts";
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

const style = `
body { display: grid; min-height: 90vh; margin: 0; padding: 16px; place-items: center; background: #fbf8f1; color: #1b1f1a; font: 17px/1.5 sans-serif }
main { max-width: 28em; padding: 24px; background: #fff; border: 1px solid #e3ded1; border-radius: 10px }
h1 { margin: 0 0 16px; font-size: 25px; line-height: 1.2 }
button { min-height: 48px; padding: 12px 20px; background: #14503a; border: 0; border-radius: 8px; color: #fff; font: inherit; cursor: pointer }
button:focus-visible { outline: 3px solid #14503a; outline-offset: 3px }
p.shop { margin: 0 0 8px; color: #565c52 }
`;

const styleHash = createHash("sha256").update(style).digest("base64");

/** The page of the shop of this name that an emailed link opens. Its only form posts to the link's own URL. */
export function confirmPage(kind: Page, { pathname, search }: URL, shopName: string): Response {
  const { title, text, button } = words[kind];
  const page = `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${escapeHtml(shopName)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="shop">${escapeHtml(shopName)}</p>
<h1>${title}</h1>
<p>${text}</p>
<form method="post" action="${escapeHtml(pathname + search)}"><button type="submit">${button}</button></form>
</main>
</body>
</html>
`;
  return new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      // The address holds the token.
      "referrer-policy": "no-referrer",
    },
  });
}
