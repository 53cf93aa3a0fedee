import { expect, type Locator, type Page } from "@playwright/test";

/**
 * A short message with all of these words, each exactly its title or its second line. They are one query: a message disappears
 * after 4.5 s, and a slow machine could miss words that are asked for one after the other.
 */
export async function expectMessage(
  page: Page,
  ...words: [string, ...(string | RegExp)[]]
): Promise<Locator> {
  let message = page.getByRole("region", { name: "Messages" }).getByRole("listitem");
  for (const text of words) message = message.filter({ has: page.getByText(text, { exact: true }) });
  await expect(message.first()).toBeVisible();
  return message.first();
}

/** Rests the pointer on a message, which then stays, as someone who wants to click its button does. */
export async function holdMessage(page: Page, ...words: [string, ...(string | RegExp)[]]): Promise<Locator> {
  const message = await expectMessage(page, ...words);
  await message.hover();
  return message;
}
