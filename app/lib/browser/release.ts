declare global {
  interface Window {
    __reactRouterManifest?: { version: string };
  }
}

/** The name of the build that the open page belongs to, as the router knows it. */
export const releaseName = () => window.__reactRouterManifest?.version ?? "";

/**
 * Sends the page's build with the router's requests for the data of the next page, so that the server can tell a page of an
 * older build to open it as a new document (server/web/newer-release.ts). The router has no setting for it.
 */
export function sendReleaseWithData(): void {
  const { fetch } = window;
  window.fetch = (input, init) => {
    if (!(input instanceof URL && input.pathname.endsWith(".data"))) return fetch(input, init);
    return fetch(input, { ...init, headers: { ...init?.headers, "X-Release": releaseName() } });
  };
}
