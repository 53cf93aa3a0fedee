import { createContext, RouterContextProvider } from "react-router";
import type { BackendClient } from "#app/lib/backend/client.ts";

/** The dependencies of loaders. Nothing in it depends on the visitor. */
export type PageContext = {
  /** Reads as an anonymous visitor. */
  backend: BackendClient;
  /** The backend's URL for the browser; empty for the embedded one, which is at the page's own origin. */
  backendUrl: string;
  publishableKey: string;
  /** Origin of the site, without a trailing slash. */
  siteUrl: string;
  /** Whether customers can pay online. */
  paysOnline: boolean;
  /** Resolves when the server's thread has time for more of this page's work. */
  nextTurn: () => Promise<void>;
  logError: (message: string) => void;
  /** Marks the page as a search that found few books, which is counted each time the page is shown. */
  noteUnmet: (text: string, found: number) => void;
  /**
   * Reads data that many pages share (counts, filter values) once per state of the catalogue. `key` identifies the read
   * with its arguments.
   */
  cached: <T>(key: string, read: () => Promise<T>) => Promise<T>;
};

export const pageContext = createContext<PageContext>();

export function createPageContext(values: PageContext): RouterContextProvider {
  const provider = new RouterContextProvider();
  provider.set(pageContext, values);
  return provider;
}
