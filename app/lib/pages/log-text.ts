const MAX_LENGTH = 200;

/** Characters that could start a new line in a log, hide text in it or change its direction; and the escape character. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]/gu;

/** A visitor's text, such as a path, made safe for one log line: cut to 200 characters, unprintable ones escaped. */
export function logText(text: string): string {
  const escaped = text
    .slice(0, MAX_LENGTH)
    .replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return text.length > MAX_LENGTH ? `${escaped}…` : escaped;
}
