import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // The map of URLs is small: shipping it once saves a request on every link on a slow line.
  routeDiscovery: { mode: "initial" },
  // A page whose clientLoader alone could not be fetched would leave the navigation hanging.
  splitRouteModules: false,
  buildEnd: ({ reactRouterConfig }) => trimRouteMap(join(reactRouterConfig.buildDirectory, "client/assets")),
} satisfies Config;

/**
 * Takes out of the browser's map of routes which files each page imports: a third of it, and needed by the server alone, which has a
 * map of its own and names these files in the page.
 * @param folder where the built files are
 */
async function trimRouteMap(folder: string): Promise<void> {
  const name = (await readdir(folder)).find((file) => /^manifest-\w+\.js$/.test(file));
  if (!name) throw new Error("react-router writes the map of routes to another file now");
  const script = await readFile(join(folder, name), "utf8");
  const [start, end] = [script.indexOf("{"), script.lastIndexOf("}") + 1];
  const map = JSON.parse(script.slice(start, end)) as { routes: Record<string, { imports?: string[] }> };
  for (const route of Object.values(map.routes)) delete route.imports;
  await writeFile(join(folder, name), script.slice(0, start) + JSON.stringify(map) + script.slice(end));
}
