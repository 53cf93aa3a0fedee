/** Text on one line, without characters that could start another line, hide words or reverse their order. */
export const oneLine = (text: string | null) =>
  (text ?? "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();

/**
 * A customer's text on one line. Email programs turn anything that looks like a link into one, and whoever places an
 * order chooses the recipient: a space inside keeps a website's address plain text.
 */
export const typedText = (text: string | null) =>
  oneLine(text)
    .replace(/:(?=\/\/)/g, ": ")
    .replace(/([.。．｡])(?=[\p{L}\p{N}-]{2})/gu, "$1 ");

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
