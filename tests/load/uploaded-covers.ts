import { setTimeout as pause } from "node:timers/promises";
import { signInMember } from "#tests/support/factories.ts";
import { coverEveryBook } from "#tests/support/photo-covers.ts";
import { connect } from "#tests/support/shop-client.ts";
import { ADMIN, type ShopServer } from "#tests/support/shop-server.ts";

type Catalogue = {
  /** For a table's column. */
  covers: "demo" | "uploaded";
  /** Prepares the shop, once the catalogue before it has been measured. */
  open: () => Promise<void>;
};

/** The catalogues that pages are measured with, in the order in which one shop can have them. */
export const catalogues = (shop: ShopServer): Catalogue[] => [
  { covers: "demo", open: async () => {} },
  { covers: "uploaded", open: () => uploadEveryCover(shop) },
];

async function uploadEveryCover(shop: ShopServer): Promise<void> {
  const { client } = await signInMember(await connect(shop, "2001:db8::24"), ADMIN.email, ADMIN.password);
  await coverEveryBook(client);
  const showsThem = async (path: string) =>
    (await (await fetch(shop.url + path)).text()).includes("/covers/book-cover-");
  // Pages follow the catalogue within a second.
  while (!(await showsThem("/shop"))) await pause(100);
}
