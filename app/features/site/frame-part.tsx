import { type ReactNode, use } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { SharedPart, SharedParts } from "#app/lib/shared-parts.ts";
import { publicPages } from "./navigation.ts";

const memberPages = ["/search", "/auth", "/wishlist", "/orders", "/account"];
const destinations = /* @__PURE__ */ new Set([...publicPages.map(({ to }) => to), ...memberPages]);

/** The page, if header or footer may mark it as the current one: they are the same on all other pages. */
export const markedPage = (pathname: string): string =>
  destinations.has(pathname.toLowerCase()) || /^\/products\//i.test(pathname) ? pathname : "";

/** On the server, the page's header or footer: rendered once for all pages that have the same. */
export function FramePart({ name, children }: { name: "header" | "footer"; children: ReactNode }) {
  const frame = use(SharedParts)?.frame ?? null;
  const settings = useRouteLoaderData<unknown>("root");
  const page = markedPage(useLocation().pathname);
  return <SharedPart name={frame && JSON.stringify([name, frame, page, settings])}>{children}</SharedPart>;
}
