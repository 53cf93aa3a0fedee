import { provideShop } from "#app/lib/pages/current-shop.ts";
import { firstShop, pageValues } from "#shared/owner/settings.ts";

/* Outside a page, the shop's words are those of the owner's files. */
provideShop(() => ({ shop: firstShop, json: pageValues(firstShop) }));
