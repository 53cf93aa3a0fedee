import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // The map of URLs is small: shipping it once saves a request on every link on a slow line.
  routeDiscovery: { mode: "initial" },
  // A page whose clientLoader alone could not be fetched would leave the navigation hanging.
  splitRouteModules: false,
} satisfies Config;
