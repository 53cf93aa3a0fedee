import { useRef } from "react";
import { RETURN_KEY } from "#app/lib/browser/env.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import { useOnLocation } from "#app/lib/react/use-on-location.ts";
import { getBackend } from "./backend.ts";

const item = createStoredItem("tab", RETURN_KEY);

/** What a visitor clicked when they were asked to sign in. */
export type Intent = { list: "cart" | "wishlist" | "stock-alerts"; bookId: string };

/** A form attribute for the intent; before hydration the head script stores it with the book's id, which an element around it has. */
export const intentAttribute = (list: Intent["list"]) => ({ "data-intent": list });

/** Of the element around a book's forms. One for all of them, because a page of books has two forms for each. */
export const bookAttribute = (bookId: string) => ({ "data-book": bookId });

/**
 * Remembers where the visitor is and what they clicked, until they sign in or go elsewhere. Stored in this tab and never
 * in a URL, so that no one can send a link that adds a book to someone's cart.
 */
export function rememberIntent(intent: Intent): void {
  const { pathname, search } = window.location;
  write(pathname + search, window.scrollY, historyEntry(), `${intent.list}:${intent.bookId}`);
}

/** Remembers the page from which the visitor opened the sign-in page, unless they clicked something there. */
export function rememberPlace(path: string, entry: number | null): void {
  if (!readReturn()) write(path, 0, entry, "");
}

export function forgetReturn(): void {
  item.remove();
}

/** Forgets the page once the visitor opens another one. */
export function forgetReturnUnless(path: string): void {
  const stored = readReturn();
  if (stored && stored.path !== path) forgetReturn();
}

/** The index that the router gives each history entry. */
export function historyEntry(): number | null {
  const entry: unknown = window.history.state?.idx;
  return typeof entry === "number" ? entry : null;
}

type Stored = {
  path: string;
  top: number;
  entry: number | null;
  document: number;
  intent: string;
  at: number;
};

function write(path: string, top: number, entry: number | null, intent: string): void {
  const stored: Stored = { path, top, entry, document: performance.timeOrigin, intent, at: Date.now() };
  item.write(stored);
}

export function readReturn(): Stored | null {
  const stored = item.read() as Partial<Stored> | null;
  if (typeof stored?.path !== "string" || typeof stored.at !== "number") return null;
  const { path, at, top = 0, entry = null, document = 0, intent = "" } = stored;
  return { path, top: Number(top), entry, document, intent: String(intent), at };
}

/** While a visitor types, not while the page starts, which it would slow down. */
function fetchBackendOnFocus(): void {
  // If it fails, submitting the form reports the error.
  const fetchBackend = () => void getBackend().catch(() => undefined);
  if (document.activeElement instanceof HTMLInputElement) fetchBackend();
  else document.addEventListener("focusin", fetchBackend, { once: true });
}

/**
 * Remembers the shop page from which a visitor opens the sign-in page, until they open another page. There the
 * backend's client is fetched once they begin to type.
 */
export function useReturnPlace(): void {
  const shopPlace = useRef<{ path: string; entry: number | null } | null>(null);

  useOnLocation(({ pathname, search }) => {
    if (pathname.startsWith("/auth")) {
      if (shopPlace.current) rememberPlace(shopPlace.current.path, shopPlace.current.entry);
      fetchBackendOnFocus();
      return;
    }
    const path = pathname + search;
    forgetReturnUnless(path);
    // From any other page, signing in leads to the shop (spec section 2).
    shopPlace.current = pathname === "/shop" ? { path, entry: historyEntry() } : null;
  });
}
