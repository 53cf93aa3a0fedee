import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * What nearly every page of the storefront starts with. These files and all that they import (not what they load
 * later) go into one chunk: it compresses better than its parts, and saves requests.
 */
export const storefrontRoots = [
  "app/entry.client.tsx",
  "app/root.tsx",
  "app/routes/shop/layout.tsx",
  "app/routes/shop/page-area.tsx",
  "app/components/picture.tsx",
  "app/components/control.ts",
  "app/components/badge.tsx",
  "app/features/site/head.ts",
  "app/features/site/lazy-not-found.tsx",
  "app/components/page-intro.tsx",
  "shared/text/count-of.ts",
  "app/lib/pages/own-path.ts",
  "shared/text/uuid.ts",
  "app/lib/react/use-hydrated.ts",
  "app/features/stock-alerts/use-stock-alerts.ts",
];

type Module = { importers: readonly string[] };

/**
 * Names the chunk of a module for the bundler: "storefront" if a root imports it, directly or not, else none.
 * @throws Error if one of the roots does not exist: a renamed file would otherwise leave the chunk unnoticed
 */
export function createStorefrontChunk(
  projectFolder: string,
  roots = storefrontRoots,
): (id: string, bundle: { getModuleInfo: (id: string) => Module | null }) => "storefront" | null {
  const missing = roots.filter((root) => !existsSync(join(projectFolder, root)));
  if (missing.length > 0)
    throw new Error(`The storefront's chunk names missing files: ${missing.join(", ")}`);
  const rootIds = new Set(roots.map((root) => join(projectFolder, root)));
  return (id, bundle) => {
    const seen = new Set<string>();
    const isReached = (module: string): boolean => {
      if (rootIds.has(module.replace(/\?.*$/, ""))) return true;
      if (seen.has(module)) return false;
      seen.add(module);
      return bundle.getModuleInfo(module)?.importers.some(isReached) ?? false;
    };
    const isOurs = ["app/", "shared/"].some((folder) => id.startsWith(join(projectFolder, folder)));
    return isOurs && isReached(id) ? "storefront" : null;
  };
}
