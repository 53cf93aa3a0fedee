/** Far more than any request of the shop; deeper values would overflow the stack when serialised again. */
const maxDepth = 32;

/**
 * Parses the JSON of a request.
 * @throws SyntaxError when it is not JSON, or nested more than 32 levels deep
 */
export function parseJson(text: string): unknown {
  if (depthOf(text) > maxDepth) throw new SyntaxError("The JSON is nested too deep");
  return JSON.parse(text);
}

/** Levels of brackets outside strings, counted before anything is parsed. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString && character === "\\") at += 1;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth -= 1;
  }
  return deepest;
}
