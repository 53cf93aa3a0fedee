import type { RawAnswer } from "../raw-request.ts";

/** What an answer must never hold, whatever was asked, unless the question held it. */
const inside: [what: string, sign: RegExp][] = [
  ["a stack trace", /\n\s+at [\w.<>[\] ]+ ?\(?(file|node|\/)[^\n]*:\d+:\d+/],
  ["a path of the program", /node_modules\/|file:\/\/\/|\/server\/embedded\//],
  ["SQL of the program", /\b(from|into|update|join) "?(public|private|auth|storage|pg_catalog)"?\."?\w/i],
  ["a broken statement", /syntax error at or near|unterminated quoted|cannot insert multiple commands/i],
  ["a password's hash", /\$2[aby]\$\d\d\$/],
  ["private settings", /jwt_secret|service_role key|BEGIN (RSA )?PRIVATE/i],
];

/** Where a browser would be after following an address from one of the shop's pages; null when it follows it nowhere. */
const originOf = (location: string, shop: string) =>
  URL.canParse(location, shop) ? new URL(location, shop).origin : null;

/** What is wrong with an answer, or null. */
export function findFault(
  response: RawAnswer,
  sent: Buffer,
  part: string,
  secrets: string[],
  origin: string,
): string | null {
  const shown = response.body.slice(0, 300).replaceAll("\n", " ");
  if (response.status >= 500) return `${response.status}: ${shown}`;
  // A broken protocol may be answered by hanging up.
  if (response.status === 0 && part !== "protocol" && part !== "paths") return "hung up without an answer";
  if (/^x-hostile:/im.test(response.head)) return "a header was smuggled into the answer";
  const location = /^location: (.*)$/im.exec(response.head)?.[1];
  if (location !== undefined && originOf(location, origin) !== origin) return `leads away to ${location}`;
  for (const secret of secrets)
    if (response.body.includes(secret) || response.head.includes(secret)) return "holds a secret or a path";
  const sentTexts = spellings(sent);
  const looked =
    part === "pages" || part === "paths"
      ? response.body.replace(/<script[\s\S]*?<\/script>/g, "")
      : response.body;
  for (const [what, sign] of inside) {
    const found = sign.exec(looked)?.[0];
    if (found && !sentTexts.some((spelling) => spelling.includes(found)))
      return `holds ${what}: ${found.slice(0, 200)}`;
  }
  return null;
}

/** A request as it was sent, and with its percent-encoding undone once and twice: answers may repeat any of these. */
function spellings(sent: Buffer): string[] {
  const undo = (bytes: Buffer) =>
    Buffer.from(
      bytes
        .toString("latin1")
        .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    );
  const once = undo(sent);
  return [sent, once, undo(once)].map((bytes) => bytes.toString("utf8"));
}
