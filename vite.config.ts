import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { createStorefrontChunk } from "./vite.storefront.ts";

/** What every page needs before it comes alive. One file compresses better than its parts, and saves requests. */
const framework = /node_modules\/(react|react-dom|react-router|scheduler)\//;
/** Cards and covers, for the pages that show books; the list of their fields is for the server and staff. */
const books = /\/app\/features\/(books\/(?!book-fields)|catalogue\/book-card)/;
/** What reads an address of the catalogue. */
const query = /\/app\/(features\/catalogue\/catalogue-query|lib\/(search-text|uuid))\.ts$/;
/** In place of code that cannot be fetched: a page that fails, so that its ErrorBoundary shows and the frame stays. */
const failingPage = "const fail = () => { throw error; }; return { default: fail, clientLoader: fail };";

/**
 * When a route's code cannot be fetched, the router reloads the page: without a connection that leaves the customer with
 * the browser's own error page. The router has no setting for it.
 */
const keepPageWithoutCode: Plugin = {
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

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), keepPageWithoutCode],
  build: {
    // Fonts and pictures are files of their own, cached apart from the page.
    assetsInlineLimit: 0,
    target: "es2022",
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Visitors fetch the names of shared files many times over, in the map of routes.
            chunkFileNames: ({ isDynamicEntry }) =>
              isDynamicEntry ? "assets/[name]-[hash].js" : "assets/[hash].js",
            codeSplitting: {
              groups: [
                { name: "framework", test: framework, priority: 2 },
                { name: "books", test: books, minShareCount: 3, priority: 0 },
                { name: "catalogue-query", test: query, priority: 0 },
                { name: createStorefrontChunk(import.meta.dirname), debugName: "storefront", priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
});
