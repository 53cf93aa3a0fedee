import type { ReactNode } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import type { Route } from "./+types/root.ts";
import { ToastHost } from "./components/toast-host.tsx";
import { sessionScript } from "./features/session/session.ts";
import { PageFailure } from "./features/site/page-failure.tsx";
import { createMenuPublishers } from "./features/site/read-menu-publishers.ts";
import { SETTING_NAMES } from "./lib/browser/env.ts";
import { savedDataScript } from "./lib/browser/saved-data.ts";
import { currentShop, shopJson } from "./lib/pages/current-shop.ts";
import { earlyClickScript, useReplayedClicks } from "./lib/pages/early-clicks.ts";
import { lateScript } from "./lib/pages/late-scripts.ts";
import { pageContext } from "./lib/pages/request-context.ts";
import { type SiteSettings, useSiteSettings } from "./lib/pages/site-settings.ts";
import { displayFontUrl } from "./styles/display-font.ts";
import "./styles/app.css";

const readMenuPublishers = /* @__PURE__ */ createMenuPublishers();

export async function loader({ context }: Route.LoaderArgs) {
  const page = context.get(pageContext);
  const { backendUrl, publishableKey, siteUrl, paysOnline } = page;
  const settings: SiteSettings = { backendUrl, publishableKey, siteUrl, ...(paysOnline && { paysOnline }) };
  return { ...settings, publishers: await readMenuPublishers(page) };
}

/** The settings and menus of a running site hardly ever change: navigations need not reload them. */
export const shouldRevalidate = () => false;

export const meta: Route.MetaFunction = () => [{ title: currentShop().name }];

function markHydrated(): void {
  document.documentElement.dataset.alive = "";
}

/** Empty in the browser: the script is already in the page and React keeps it, so the bundle need not contain it again. */
const headScript = import.meta.env.SSR ? sessionScript + savedDataScript + earlyClickScript + lateScript : "";

/** The HTML document around every page, error pages included. */
export function Layout({ children }: { children: ReactNode }) {
  const settings = useSiteSettings();
  useReplayedClicks(markHydrated);
  return (
    // Scripts set attributes here that the server cannot know: whether a session is stored, and that the page is hydrated.
    <html lang="en-GB" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#14503a" />
        <meta name="format-detection" content="telephone=no" />
        <meta name={SETTING_NAMES.backendUrl} content={settings.backendUrl} />
        <meta name={SETTING_NAMES.publishableKey} content={settings.publishableKey} />
        <meta name={SETTING_NAMES.shop} content={shopJson()} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: constant text, hashed by the security policy */}
        <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: headScript }} />
        <link rel="preload" href={displayFontUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ToastHost />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** Last resort, for errors outside the layouts of the shop and the back office. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <main>
      <PageFailure error={error} />
    </main>
  );
}
