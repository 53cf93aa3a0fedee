import { ownShop } from "#shared/owner/own-shop.ts";
import { firstShop } from "#shared/owner/settings.ts";

/** The demo's words that no other shop may say: a figure such as '6' is part of many other words, and Greater Accra is a region. */
export const demoWords: readonly string[] = Object.keys(ownShop)
  .flatMap((name) => firstShop[name as keyof typeof ownShop])
  .filter((words) => words.length > 2 && !["Accra", "Ghana"].includes(words))
  .concat("Adwene");

const inHtml = (words: string) => words.replaceAll("&", "&amp;").replaceAll("'", "&#x27;");

/** Those of the demo's words that a text or a document has. */
export const demoWordsIn = (text: string): string[] =>
  demoWords.filter((words) => text.includes(words) || text.includes(inHtml(words)));
