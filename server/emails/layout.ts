import type { Shop } from "#shared/owner/settings.ts";
import { escapeHtml } from "./typed-text.ts";

/** A part of an email. All texts are plain: the layout escapes them. */
export type Block =
  | { kind: "text"; text: string }
  /** Names and values, such as a phone number. */
  | { kind: "facts"; facts: [name: string, value: string][] }
  /** A list with an amount per line, and optionally a total. */
  | { kind: "lines"; lines: { text: string; note: string; amount: string }[]; total?: string }
  | { kind: "link"; label: string; url: string };

export type Letter = { heading: string; blocks: Block[] };

const muted = "color: #565c52";
const cell = "padding: 8px 0; border-bottom: 1px solid #e3ded1; vertical-align: top";
const table =
  'role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin: 16px 0; font: inherit"';

const contact = (siteUrl: string, { name, legalName, registrationNumber, address, phones, email }: Shop) =>
  [
    name,
    [legalName, registrationNumber && `registration number ${registrationNumber}`].filter(Boolean).join(", "),
    address.join(", "),
    [...phones, email].filter(Boolean).join(", "),
    siteUrl,
    `Terms: ${siteUrl}/terms`,
    `Privacy: ${siteUrl}/privacy`,
  ].filter(Boolean);

function textOf(block: Block): string {
  if (block.kind === "text") return block.text;
  if (block.kind === "facts") return block.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
  if (block.kind === "link") return `${block.label}:\n${block.url}`;
  const lines = block.lines.map(({ text, note, amount }) => `${text}${note && ` (${note})`}: ${amount}`);
  return [...lines, ...(block.total ? [`Total: ${block.total}`] : [])].join("\n");
}

const isolated = (text: string) => `<bdi>${escapeHtml(text)}</bdi>`;

function htmlOf(block: Block): string {
  if (block.kind === "text") return `<p style="margin: 0 0 16px">${escapeHtml(block.text)}</p>`;
  if (block.kind === "link")
    return `<p style="margin: 24px 0"><a href="${escapeHtml(block.url)}" style="display: inline-block; padding: 12px 20px; background: #14503a; color: #ffffff; text-decoration: none; border-radius: 8px">${escapeHtml(block.label)}</a></p>`;
  if (block.kind === "facts")
    return block.facts
      .map(
        ([name, value]) =>
          `<p style="margin: 0 0 8px"><span style="font-size: 15px; ${muted}">${escapeHtml(name)}</span><br>${isolated(value)}</p>`,
      )
      .join("\n");
  const lines = block.lines.map(
    ({ text, note, amount }) =>
      `<tr><td style="${cell}; overflow-wrap: anywhere">${isolated(text)}${note && `<br><span style="font-size: 15px; ${muted}">${isolated(note)}</span>`}</td><td align="right" style="${cell}; padding-left: 16px; white-space: nowrap">${escapeHtml(amount)}</td></tr>`,
  );
  const total = block.total
    ? `<tr><td style="padding: 8px 0"><strong>Total</strong></td><td align="right" style="padding: 8px 0; white-space: nowrap"><strong>${escapeHtml(block.total)}</strong></td></tr>`
    : "";
  return `<table ${table}>\n${lines.join("\n")}\n${total}</table>`;
}

/**
 * An email as text and HTML, in the style of the account emails (supabase/templates). No pictures, because many
 * people have them turned off.
 */
export function layOut(
  { heading, blocks }: Letter,
  siteUrl: string,
  shop: Shop,
): { text: string; html: string } {
  const footer = contact(siteUrl, shop);
  return {
    text: `${[heading, ...blocks.map(textOf), footer.join("\n")].join("\n\n")}\n`,
    html: `<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(heading)}</title>
  </head>
  <body style="margin: 0; padding: 32px 16px; background: #fbf8f1; color: #1b1f1a; font: 17px/1.5 sans-serif">
    <div style="max-width: 32em; margin: 0 auto; padding: 24px; background: #ffffff; border: 1px solid #e3ded1; border-radius: 10px">
      <h1 style="margin: 0 0 16px; font-size: 25px; line-height: 1.2">${escapeHtml(heading)}</h1>
${blocks.map(htmlOf).join("\n")}
      <p style="margin: 24px 0 0; font-size: 15px; ${muted}">${footer.map(escapeHtml).join("<br>")}</p>
    </div>
  </body>
</html>
`,
  };
}
