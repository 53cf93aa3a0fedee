import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // The map of URLs is small: shipping it once saves a request on every link on a slow line.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
