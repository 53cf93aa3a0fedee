import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { build } from "vite";

export default {
  appDirectory: "app",
  ssr: true,
  // The map of URLs is small: shipping it once saves a request per link on a slow connection. vite.router.ts leaves out the code of
  // the other mode.
  routeDiscovery: { mode: "initial" },
  // A page whose clientLoader alone could not be fetched would leave the navigation hanging.
  splitRouteModules: false,
  buildEnd: async ({ reactRouterConfig }) => {
    const client = join(reactRouterConfig.buildDirectory, "client");
    await trimRouteMap(join(client, "assets"));
    await buildServiceWorker(client);
  },
} satisfies Config;

type Route = Record<string, unknown>;

const isOffice = (id: string) => id.startsWith("routes/admin/");

/**
 * Trims the browser's map of routes, which every visitor downloads. The files that each page imports, a third of the map, are needed only
 * by the server, which has a map of its own and names these files in the page; so are flags that are false. The back office's routes go
 * into a file of their own, which only its documents load (app/entry.client.tsx waits for it): links to it from the shop open a new document.
 * @param folder where the built files are
 */
async function trimRouteMap(folder: string): Promise<void> {
  const name = (await readdir(folder)).find((file) => /^manifest-\w+\.js$/.test(file));
  if (!name) throw new Error("react-router writes the map of routes to another file now");
  const script = await readFile(join(folder, name), "utf8");
  const [start, end] = [script.indexOf("{"), script.lastIndexOf("}") + 1];
  const map = JSON.parse(script.slice(start, end)) as { routes: Record<string, Route> };
  const routes = Object.entries(map.routes);
  for (const [, route] of routes)
    for (const [name, value] of Object.entries(route))
      if (name === "imports" || value === false) delete route[name];
  const office = `export default ${JSON.stringify(Object.fromEntries(routes.filter(([id]) => isOffice(id))))}`;
  const officeName = `office-routes-${createHash("sha256").update(office).digest("hex").slice(0, 8)}.js`;
  map.routes = Object.fromEntries(routes.filter(([id]) => !isOffice(id)));
  await writeFile(join(folder, officeName), office);
  await writeFile(
    join(folder, name),
    `${script.slice(0, start)}${JSON.stringify(map)};if(/^\\/admin(?:\\/|$)/.test(location.pathname))window.officeRoutes=import("./${officeName}").then(office=>Object.assign(window.__reactRouterManifest.routes,office.default));`,
  );
}

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
