/** Text on one line, without characters that could begin another line, hide words or turn their order around. */
export const oneLine = (text: string | null) =>
  (text ?? "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();

/**
 * What a customer typed, on one line. Mail programs make a link of anything that looks like one, and anyone who places an order
 * chooses who gets the email: with a space in it, an address of a website stays text.
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
