import { createHash } from "node:crypto";
import { escapeHtml } from "./typed-text.ts";

type LinkPage = {
  shopName: string;
  title: string;
  text: string;
  /** Its form posts to the link's own URL; without it, the page only has a message. */
  button?: { label: string; url: URL };
  /** A path of the shop for the link at the end. */
  link?: { label: string; path: string };
  status?: number;
};

const style = `
body { display: grid; min-height: 90vh; margin: 0; padding: 16px; place-items: center; background: #fbf8f1; color: #1b1f1a; font: 17px/1.5 sans-serif }
main { max-width: 28em; padding: 24px; background: #fff; border: 1px solid #e3ded1; border-radius: 10px }
h1 { margin: 0 0 16px; font-size: 25px; line-height: 1.2 }
button { min-height: 48px; padding: 12px 20px; background: #14503a; border: 0; border-radius: 8px; color: #fff; font: inherit; cursor: pointer }
button:focus-visible, a:focus-visible { outline: 3px solid #14503a; outline-offset: 3px }
a { color: #14503a }
p.shop { margin: 0 0 8px; color: #565c52 }
`;

/** With 503, so that mail programs and download managers don't retry at once. */
const RETRY_SECONDS = 30;

const styleHash = createHash("sha256").update(style).digest("base64");

/**
 * The page that a link in an email opens. Opening it changes nothing, because mail scanners open links too: its button does. It needs
 * no script.
 */
export function linkPage({ shopName, title, text, button, link, status = 200 }: LinkPage): Response {
  const form = button
    ? `<form method="post" action="${escapeHtml(button.url.pathname + button.url.search)}"><button type="submit">${escapeHtml(button.label)}</button></form>\n`
    : "";
  const more = link ? `<p><a href="${escapeHtml(link.path)}">${escapeHtml(link.label)}</a></p>\n` : "";
  const page = `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · ${escapeHtml(shopName)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="shop">${escapeHtml(shopName)}</p>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${form}${more}</main>
</body>
</html>
`;
  return new Response(page, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      // The address holds the token.
      "referrer-policy": "no-referrer",
      ...(status === 503 && { "retry-after": String(RETRY_SECONDS) }),
    },
  });
}
