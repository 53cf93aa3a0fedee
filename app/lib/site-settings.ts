import { useRouteLoaderData } from "react-router";

/** The running site's settings, from the root loader. */
export type SiteSettings = { backendUrl: string; publishableKey: string; siteUrl: string };

const none: SiteSettings = { backendUrl: "", publishableKey: "", siteUrl: "" };

export function useSiteSettings(): SiteSettings {
  return useRouteLoaderData<SiteSettings>("root") ?? none;
}
