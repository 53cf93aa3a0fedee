import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { build } from "vite";

export default {
  appDirectory: "app",
  ssr: true,
  // The map of URLs is small: shipping it once saves a request per link on a slow connection.
  routeDiscovery: { mode: "initial" },
  // A page whose clientLoader alone could not be fetched would leave the navigation hanging.
  splitRouteModules: false,
  buildEnd: ({ reactRouterConfig }) => buildServiceWorker(join(reactRouterConfig.buildDirectory, "client")),
} satisfies Config;

/** One file without imports, under a fixed name, where browsers look for updates. */
async function buildServiceWorker(folder: string): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: "es2022",
      rolldownOptions: {
        input: join(import.meta.dirname, "app/features/offline/worker.ts"),
        output: { format: "iife", entryFileNames: "service-worker.js" },
      },
    },
  });
}
