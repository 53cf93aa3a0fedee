import { matchBookLines } from "#app/features/booklists/booklists.queries.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { findMatch, lookupTexts, type Match, type Matches, type PadLine } from "./pad.ts";

/**
 * The books that the lines' texts match: one call, and a second one for the titles of lines whose ISBN is unknown.
 * @throws BackendFailure
 */
export async function lookUp(lines: readonly PadLine[]): Promise<Matches> {
  const client = await getBackend();
  const matches = new Map<string, Match>();
  const ask = async (texts: readonly string[]) => {
    const unknown = [...new Set(texts)].filter((text) => !matches.has(text));
    if (unknown.length === 0) return;
    const found = await matchBookLines(client, unknown);
    for (const [place, text] of unknown.entries())
      matches.set(text, found[place] ?? { matches: 0, books: [] });
  };
  await ask(lines.flatMap((line) => lookupTexts(line).slice(0, 1)));
  await ask(lines.filter((line) => findMatch(line, matches) === null).flatMap(lookupTexts));
  return matches;
}
