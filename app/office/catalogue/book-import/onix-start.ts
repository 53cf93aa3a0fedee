/** So many bytes are before a message's first element, with its comments and document type. */
export const ONIX_START_BYTES = 65_536;

/**
 * Whether a file is an ONIX message, whatever its name says and whichever of its two sets of tags it has.
 * @param start the file's first bytes
 */
export function isOnix(start: Uint8Array): boolean {
  // In UTF-16 every other byte is zero.
  const text = new TextDecoder("latin1").decode(start.subarray(0, ONIX_START_BYTES)).replaceAll("\0", "");
  return /^(?:ï»¿|ÿþ|þÿ)?\s*</.test(text) && /<(?:!DOCTYPE\s+)?(?:[\w.-]+:)?ONIXmessage\b/i.test(text);
}
