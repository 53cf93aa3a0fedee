import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** What every page needs before it comes alive. One file compresses better than its parts, and saves requests. */
const framework = /node_modules\/(react|react-dom|react-router|scheduler)\//;
/** Cards and covers, for the pages that show books. */
const books = /\/app\/features\/books\//;
/**
 * What the header, the footer and most pages of the storefront need, in one file too; the cart's panel, the backend's
 * client and the back office come when they are needed. Only names that stand here are in it.
 */
const storefront =
  /\/app\/(entry\.client|root|shop\.ts|routes\/shop\/layout|components\/(button|control|icon|menu|toast\b|typeahead|error-screen|toast-host|use-late|badge|picture|star-rating)\b|lib\/(?!backend-client|list-state|dates)|features\/(session\/(?!use-require-member)|publishers\/publisher\.ts|wishlist\/(?!use-wished)|cart\/(?!cart-panel\.|cart-line|cart-summary)|site\/(?!not-found|title-list|cambridge|cgp|publisher-intro)))/;

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
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
            codeSplitting: {
              groups: [
                { name: "framework", test: framework, priority: 2 },
                { name: "books", test: books, minShareCount: 3, priority: 0 },
                { name: "storefront", test: storefront, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
});
