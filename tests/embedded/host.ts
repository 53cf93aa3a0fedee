import { createClient } from "@supabase/supabase-js";
import { readSecrets } from "#server/lib/secrets.ts";
import { readSettings } from "#server/lib/settings.ts";
import { openBackend } from "#server/open-backend.ts";

/* A web process that a test can kill: it opens the backend, writes a book, says so and waits. */

const dataDir = process.argv[2] ?? "";
const settings = {
  DATA_DIR: dataDir,
  SHOP_DEMO: "0",
  ADMIN_EMAIL: "owner@shop.example",
  ADMIN_PASSWORD: "password",
};
const backend = await openBackend(readSettings(settings), (line) => {
  throw new Error(line);
});
const secrets = await readSecrets(dataDir);
const owner = createClient("http://shop.example", secrets?.secretKey ?? "", {
  global: { fetch: (input, init) => backend.fetch(new Request(input, init)) },
});
const { error } = await owner.from("books").insert({ title: "Written by the host", price: 1 });
if (error) throw error;
console.log("ready");
