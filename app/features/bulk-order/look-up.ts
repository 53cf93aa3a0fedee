import { matchBookLines } from "#app/features/booklists/booklists.queries.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { candidateTexts, type Match, type Matches, missingText, type PadLine } from "./pad.ts";

/**
 * The books that the lines' texts match. Most lines need only the first call; further calls look up the titles of unknown ISBNs, and the
 * other ways in which a line may be meant. No call has more texts than there are lines, so the pad's limit is the database's. The last
 * text of a line names the line, so that the shop can count what it doesn't have.
 * @throws BackendFailure
 */
export async function lookUp(lines: readonly PadLine[]): Promise<Matches> {
  const client = await getBackend();
  const matches = new Map<string, Match>();
  const isKnown = (text: string) => (matches.get(text)?.matches ?? 0) > 0;
  let open = lines.map((line) => ({ line, candidates: candidateTexts(line) }));
  for (let index = 0; open.length > 0; index++) {
    const texts = new Map<string, string | null>();
    for (const { line, candidates } of open) {
      const text = candidates[index] ?? "";
      const isLast = index + 1 === candidates.length;
      if (!matches.has(text)) texts.set(text, texts.get(text) ?? (isLast ? missingText(line) : null));
    }
    const unread = [...texts].map(([text, line]) => (line === null ? text : { text, line }));
    const found = unread.length > 0 ? await matchBookLines(client, unread) : [];
    for (const [n, text] of [...texts.keys()].entries())
      matches.set(text, found[n] ?? { matches: 0, books: [] });
    open = open.filter(({ candidates }) => index + 1 < candidates.length && !candidates.some(isKnown));
  }
  return matches;
}
