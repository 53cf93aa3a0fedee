import { createContext } from "react";

/** A part of a page: React renders it empty if an earlier page's HTML will fill it. */
export type SharedPart = { id: number; isMade: boolean };

/** Finds the HTML of parts in other pages. `key` names everything that the part's HTML depends on. */
export type FindPart = (key: string) => SharedPart;

/** Null in browsers, which always render a part's own elements. */
export const SharedParts = /* @__PURE__ */ createContext<FindPart | null>(null);

/** How a part starts in React's HTML; the attribute never leaves the server. */
const START = '<article data-part="';
const END = "</article>";
/** About 1,500 book cards. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Keeps the HTML of parts that many pages show, because rendering book cards takes longer than the rest of a page. The
 * pages are the same to the byte with and without it, so that hydration finds what it expects.
 * @returns starts a page
 */
export function createSharedParts(maxCharacters = MAX_CHARACTERS) {
  const made = new Map<string, string>();
  let characters = 0;

  function drop(key: string, html: string): void {
    made.delete(key);
    characters -= key.length + html.length;
  }

  function store(key: string, html: string): void {
    if (made.has(key)) return;
    made.set(key, html);
    characters += key.length + html.length;
    for (const [oldest, its] of made) {
      if (characters <= maxCharacters) break;
      drop(oldest, its);
    }
  }

  return () => {
    const parts: { key: string; html: string | undefined }[] = [];

    const find: FindPart = (key) => {
      const html = made.get(key);
      if (html !== undefined) {
        // Moved to the end: the parts that nobody has used for longest are dropped first.
        made.delete(key);
        made.set(key, html);
      }
      return { id: parts.push({ key, html }) - 1, isMade: html !== undefined };
    };

    /** Fills the empty parts of the page's HTML and keeps the others for later pages. */
    function fill(page: string): string {
      const [start = "", ...rest] = page.split(START);
      return rest.reduce((whole, text) => {
        const attributes = text.indexOf('"') + 1;
        const part = parts[Number(text.slice(0, attributes - 1))];
        const content = text.indexOf(">") + 1;
        if (part?.html === undefined) {
          if (part) store(part.key, copy(text.slice(content, text.indexOf(END, content))));
          return `${whole}<article${text.slice(attributes)}`;
        }
        return `${whole}<article${text.slice(attributes, content)}${part.html}${text.slice(content)}`;
      }, start);
    }

    return { find, fill };
  };
}

/** A slice would keep the whole page in memory. */
const copy = (slice: string) => Buffer.from(slice, "latin1").toString("latin1");
