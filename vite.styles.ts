import type { Plugin } from "vite";

/** Only browsers need the style sheets, so the server's build doesn't compile them again. */
export const stylesForBrowsers: Plugin = {
  name: "styles-for-browsers",
  apply: "build",
  enforce: "pre",
  applyToEnvironment: ({ name }) => name === "ssr",
  load: { filter: { id: /\.css$/ }, handler: () => "" },
};
