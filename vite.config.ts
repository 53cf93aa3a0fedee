import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { keepPageWithoutCode } from "./vite.router.ts";
import { createStorefrontChunk } from "./vite.storefront.ts";
import { stylesForBrowsers } from "./vite.styles.ts";

/** What every page needs before hydration. One file compresses better than its parts, and saves requests. */
const framework = /node_modules\/(react|react-dom|react-router|scheduler)\//;
/** Covers, for pages that show books; the list of book fields, ISBNs and what titles may be are only for the server and staff. */
const books =
  /\/app\/(components\/joined-texts|features\/(book-covers|own-lists|books\/(?!book-fields|isbn|sale-states|kind-names)))/;
/** Code for selling books, kept out of pages such as lists and contact. */
const cards =
  /\/app\/(components\/star-rating|features\/(catalogue\/book-card|cart\/add-to-cart-button|wishlist\/wishlist-heart|stock-alerts\/stock-alert-button))/;
/** What reads an address of the catalogue. */
const query = /\/(app\/features\/catalogue\/catalogue-query|shared\/text\/search-text)\.ts$/;
export default defineConfig({
  plugins: [stylesForBrowsers, tailwindcss(), reactRouter(), keepPageWithoutCode],
  build: {
    // Fonts and pictures are files of their own, cached apart from the page.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The shop empties it (server/web/build.ts): the router would remove the folder itself, which may be a mount.
    emptyOutDir: false,
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
                { name: "cards", test: cards, minShareCount: 3, priority: 0 },
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
