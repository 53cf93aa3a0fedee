import { type ReactNode, use } from "react";
import { type Params, useLocation, useParams, useRouteLoaderData } from "react-router";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { SharedPart, SharedParts } from "#app/lib/pages/shared-parts.ts";

/**
 * The page, if the menus may mark it as the current one. They have no link to a book, to a list or to a page that doesn't exist, so
 * those share a header.
 */
export const markedPage = (pathname: string, params: Params): string =>
  Object.keys(params).length === 0 || /^\/products\//i.test(pathname) ? pathname : "";

/** On the server, the page's header or footer: rendered once for all pages that have the same. */
export function FramePart({ name, children }: { name: "header" | "footer"; children: ReactNode }) {
  const frame = use(SharedParts)?.frame ?? null;
  const settings = useRouteLoaderData<unknown>("root");
  const page = markedPage(useLocation().pathname, useParams());
  const part = frame && JSON.stringify([name, frame, page, settings, currentShop()]);
  return <SharedPart name={part}>{children}</SharedPart>;
}
