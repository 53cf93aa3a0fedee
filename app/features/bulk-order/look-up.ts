import { matchBookLines } from "#app/features/booklists/booklists.queries.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { candidateTexts, type Match, type Matches, type PadLine } from "./pad.ts";

/**
 * The books that the lines' texts match. Most lines need only the first call; further calls look up the titles of unknown ISBNs, and the
 * other ways in which a line may be meant. No call has more texts than there are lines, so the pad's limit is the database's.
 * @throws BackendFailure
 */
export async function lookUp(lines: readonly PadLine[]): Promise<Matches> {
  const client = await getBackend();
  const matches = new Map<string, Match>();
  const isKnown = (text: string) => (matches.get(text)?.matches ?? 0) > 0;
  let open = lines.map(candidateTexts);
  for (let index = 0; open.length > 0; index++) {
    const texts = [...new Set(open.map((candidates) => candidates[index] ?? ""))];
    const unread = texts.filter((text) => !matches.has(text));
    const found = unread.length > 0 ? await matchBookLines(client, unread) : [];
    for (const [n, text] of unread.entries()) matches.set(text, found[n] ?? { matches: 0, books: [] });
    open = open.filter((candidates) => index + 1 < candidates.length && !candidates.some(isKnown));
  }
  return matches;
}
