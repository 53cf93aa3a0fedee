import type { IncomingMessage } from "node:http";
import { asNewDocument, oneSlash, pageOfData } from "#shared/calls/router-data.ts";
import type { PageForm } from "./page-forms.ts";

/** The header in which the router of an open page names its build (sent by app/lib/browser/release.ts). */
const RELEASE_HEADER = "x-release";

/**
 * What an open page of another build gets when its router requests the data of the next page: a redirect that opens
 * that page as a new document. Old code might misread the new data.
 * @param release names the current build; null in development
 */
export function respondToOlderPage(
  { method, url = "", headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  release: string | null,
): PageForm | null {
  const clientRelease = headers[RELEASE_HEADER];
  if (method !== "GET" || !clientRelease || !release || clientRelease === release || !url.startsWith("/"))
    return null;
  const page = pageOfData(new URL(oneSlash(url), "http://shop"));
  if (page === null) return null;
  return { status: 204, head: Object.entries(asNewDocument(page)).flat(), body: null };
}
