import { useRef } from "react";
import { useOnLocation } from "#app/lib/use-on-location.ts";
import { getBackend } from "./backend.ts";
import { forgetReturnUnless, historyEntry, rememberPlace } from "./sign-in-return.ts";

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
