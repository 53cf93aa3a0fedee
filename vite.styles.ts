import type { Plugin } from "vite";

/** Style sheets are files for browsers: compiling them for the server as well would only take time. */
export const stylesForBrowsers: Plugin = {
  name: "styles-for-browsers",
  apply: "build",
  enforce: "pre",
  applyToEnvironment: ({ name }) => name === "ssr",
  load: { filter: { id: /\.css$/ }, handler: () => "" },
};
