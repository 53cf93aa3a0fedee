import { useRouteLoaderData } from "react-router";

/** The running site's settings, from the root loader. */
export type SiteSettings = {
  backendUrl: string;
  publishableKey: string;
  siteUrl: string;
  /** Whether customers can pay online. */
  paysOnline?: boolean;
};

const none: SiteSettings = { backendUrl: "", publishableKey: "", siteUrl: "" };

export function useSiteSettings(): SiteSettings {
  return useRouteLoaderData<SiteSettings>("root") ?? none;
}
