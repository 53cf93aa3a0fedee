import { cp, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inject, vi } from "vitest";
import { openEmbedded } from "#server/embedded/backend.ts";
import { readSettings } from "#server/shared/settings.ts";
import { ADMIN } from "./shop-server.ts";

/**
 * A data folder in which an empty shop with `ADMIN` has run before. A first start takes seconds of both processors, so
 * whichever test file asks first makes one, and the others copy it.
 */
export async function copyPreparedFolder(dataDir: string): Promise<void> {
  const place = inject("preparedFolder");
  const [folder, done] = [join(place, "data"), join(place, "done")];
  const isMine = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isMine) {
    const settings = readSettings({
      SITE_URL: "http://shop.example",
      SHOP_DEMO: "0",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      DATA_DIR: folder,
    });
    await (await openEmbedded(settings, () => {})).stop();
    await writeFile(done, "");
  }
  await vi.waitFor(() => stat(done), { timeout: 110_000, interval: 50 });
  await cp(folder, dataDir, { recursive: true });
}
