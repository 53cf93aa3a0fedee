import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBusyRetryingFetch } from "#app/lib/backend/retry-busy.ts";
import { uploadCover } from "#app/office/catalogue/covers/cover.admin-queries.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import type { Database } from "#shared/calls/database.types.ts";
import type { Client } from "#tests/support/factories.ts";
import { jpegOfSize } from "#tests/support/jpeg.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { ADMIN, type ShopServer, START_MS } from "#tests/support/shop-server.ts";

const COVERS = 30;

let shop: ShopServer;
let key: string;
beforeAll(async () => {
  shop = await startPreparedShop("empty");
  key = (await readSecrets(shop.dataDir))?.publishableKey ?? "";
}, START_MS);
afterAll(() => shop?.stop());

/** An admin's client, as the back office has it with this `fetch`. */
async function signIn(send: typeof fetch): Promise<Client> {
  const client = createClient<Database>(shop.url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: send },
  });
  const { error } = await client.auth.signInWithPassword(ADMIN);
  if (error) throw error;
  return client;
}

test("stores all 30 covers of 4.9 MB that an admin uploads at once, despite the limit of 24 MB per network", async () => {
  const busy: number[] = [];
  const counted: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.status === 503) busy.push(response.status);
    return response;
  };
  const admin = await signIn(createBusyRetryingFetch(counted));
  const cover = new Blob([jpegOfSize(4_900_000)], { type: "image/jpeg" });
  const addresses = await Promise.all(
    Array.from({ length: COVERS }, (_, n) => uploadCover(admin, cover, Date.now() + n)),
  );
  console.log(`${COVERS} covers at once: ${busy.length} requests were sent again`);
  expect(busy.length).toBeGreaterThan(0);
  // One after the other: the shop also sends only so much to a network at a time.
  for (const address of addresses) expect((await (await fetch(address)).blob()).size).toBe(cover.size);
});
