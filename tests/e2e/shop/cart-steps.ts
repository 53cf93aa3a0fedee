import type { Page } from "@playwright/test";
import { expect } from "#tests/support/test.ts";

export const cartButton = (page: Page) => page.getByRole("button", { name: /^Shopping cart/ });
export const panel = (page: Page) => page.getByRole("dialog", { name: "Shopping Cart" });
export const quantity = (page: Page, title: string) =>
  panel(page).getByRole("textbox", { name: `Quantity of ${title}` });

export async function openCart(page: Page) {
  await cartButton(page).click();
  await expect(panel(page)).toBeVisible();
}
