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
