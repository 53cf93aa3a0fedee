import { createContext, RouterContextProvider } from "react-router";
import type { BackendClient } from "./backend-client.ts";

/** What a loader may know about where it runs. Nothing in it depends on who asks. */
export type PageContext = {
  /** Reads as an anonymous visitor. */
  backend: BackendClient;
  /** Where the browser finds the backend; equals `siteUrl` for the embedded one. */
  backendUrl: string;
  publishableKey: string;
  /** Origin of the site, without a trailing slash. */
  siteUrl: string;
  /**
   * Reads what is the same for many pages (counts, the values to filter by) once per state of the catalogue.
   * `key` names the reading with its arguments.
   */
  remember: <T>(key: string, read: () => Promise<T>) => Promise<T>;
};

export const pageContext = createContext<PageContext>();

export function createPageContext(values: PageContext): RouterContextProvider {
  const provider = new RouterContextProvider();
  provider.set(pageContext, values);
  return provider;
}
