import type { Plugin } from "vite";

/** In place of code that cannot be fetched: a page that fails, so that its ErrorBoundary shows and the frame stays. */
const failingPage = "const fail = () => { throw error; }; return { default: fail, clientLoader: fail };";

/**
 * When a route's code cannot be fetched, the router reloads the page: without a connection that leaves the customer with
 * the browser's own error page. The router has no setting for it.
 */
export const keepPageWithoutCode: Plugin = {
  name: "keep-page-without-code",
  apply: "build",
  transform: {
    filter: { id: /react-router\/dist\/.*\/routeModules\.js$/ },
    handler(code) {
      const changed = code
        .replace(/console\.error\([^;]*reloading page[^;]*;\s*console\.error\(error\);/, "")
        .replace(/window\.location\.reload\(\);\s*return new Promise\([^;]*;/, failingPage);
      if (!changed.includes(failingPage))
        this.error("react-router fetches the code of routes differently now");
      return changed;
    },
  },
};

/**
 * Leaves out how the router discovers routes as links appear: react-router.config.ts ships the map of all routes at once, and
 * visitors would download that code for nothing.
 */
export const dropRouteDiscovery: Plugin = {
  name: "drop-route-discovery",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /react-router\/dist\/.*\/dom\/ssr\/fog-of-war\.js$/ },
    handler(code) {
      const [start, end] = ["getPatchRoutesOnNavigationFunction", "getManifestPath"].map((name) =>
        code.indexOf(`function ${name}(`),
      ) as [number, number];
      const dropped = code.slice(start, end);
      if (start < 0 || end < start || !dropped.includes("function useFogOFWarDiscovery("))
        this.error("react-router discovers routes differently now");
      const stubs = "function getPatchRoutesOnNavigationFunction() {}\nfunction useFogOFWarDiscovery() {}\n";
      return code.slice(0, start) + stubs + code.slice(end);
    },
  },
};

const noInstrumentation = `
export const getRouteInstrumentationUpdates = () => ({});
export const instrumentClientSideRouter = (router) => router;
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
// Imported by code for the server, of which nothing reaches a browser.
export const instrumentHandler = undefined, instrumentationResultMetaContext = undefined;
`;

/** Leaves out how the router reports to monitoring tools: the shop gives it none, and visitors would download that code for nothing. */
export const dropInstrumentation: Plugin = {
  name: "drop-instrumentation",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /react-router\/dist\/.*\/router\/instrumentation\.js$/ },
    handler: () => ({ code: noInstrumentation, map: null }),
  },
};

const rscContext = "let rsc = useIsRSCRouterContext();";

/** Leaves out how the router prefetches pages of React Server Components: the shop has none. */
export const dropServerComponents: Plugin = {
  name: "drop-server-components",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /react-router\/dist\/.*\/dom\/ssr\/components\.js$/ },
    handler(code) {
      if (!code.includes(rscContext)) this.error("react-router prefetches pages differently now");
      return code.replace(rscContext, "const rsc = false;");
    },
  },
};
