import { provideShop } from "#app/owner/current-shop.ts";
import { firstShop, pageValues } from "#app/owner/settings.ts";

/* Outside a page, the shop's words are those of the owner's files. */
provideShop(() => ({ shop: firstShop, json: pageValues(firstShop) }));
