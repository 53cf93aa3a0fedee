import { useRouteLoaderData } from "react-router";

/** What every page knows of the running site, from the root's loader. */
export type SiteSettings = { backendUrl: string; publishableKey: string; siteUrl: string };

const none: SiteSettings = { backendUrl: "", publishableKey: "", siteUrl: "" };

export function useSiteSettings(): SiteSettings {
  return useRouteLoaderData<SiteSettings>("root") ?? none;
}
