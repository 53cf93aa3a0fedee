import { createContext, createElement, type ReactNode, use } from "react";

/** A part of a page: React renders it empty if an earlier page's HTML will fill it. */
export type SharedPart = { id: number; isMade: boolean };

/** Finds the HTML of parts in other pages. `key` names everything that the part's HTML depends on. */
type FindPart = (key: string) => SharedPart;

/** The parts of a page under way. */
export type PageParts = {
  find: FindPart;
  /** Changes whenever what every page shows may have changed, such as its header; null while that is unknown. */
  frame: string | null;
};

/** Null in browsers, which always render a part's own elements. */
export const SharedParts = /* @__PURE__ */ createContext<PageParts | null>(null);

/**
 * On the server, renders its children unless an earlier page had the same part. They must not contain another part, nor anything that is
 * also named in the page's head, such as an eager picture.
 * @param name everything that the part's HTML depends on; null renders it in every page
 */
export function SharedPart({ name, children }: { name: string | null; children: ReactNode }) {
  const parts = use(SharedParts);
  if (!parts || name === null) return children;
  const { id, isMade } = parts.find(name);
  return createElement("page-part", { id }, isMade ? null : children);
}

/** A part in React's HTML; these tags never leave the server. */
const START = '<page-part id="';
const END = "</page-part>";
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

    /**
     * Keeps the parts that the page's HTML has for later pages.
     * @returns the HTML in pieces, with the empty parts filled
     */
    function fill(page: string): string[] {
      const [start = "", ...rest] = page.split(START);
      const pieces = [start];
      for (const text of rest) {
        const content = text.indexOf(">") + 1;
        const end = text.indexOf(END, content);
        const part = parts[Number.parseInt(text, 10)];
        const html = part?.html ?? text.slice(content, end);
        if (part && part.html === undefined) store(part.key, copy(html));
        pieces.push(html, text.slice(end + END.length));
      }
      return pieces;
    }

    return { find, fill };
  };
}

/** A slice would keep the whole page in memory. */
const copy = (slice: string) => Buffer.from(slice, "latin1").toString("latin1");
