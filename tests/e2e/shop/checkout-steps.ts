import type { Page } from "@playwright/test";
import { fillCart } from "#tests/support/factories.ts";
import { expect, type Member } from "#tests/support/test.ts";

export const panel = (page: Page) => page.getByRole("dialog", { name: "Shopping Cart" });
export const placeOrder = (page: Page) => page.getByRole("button", { name: "Place Order" });

export async function fillIn(page: Page) {
  await page.getByLabel("Full Name").fill("Esi Owusu");
  await page.getByLabel("Email").fill("esi@school.example");
  await page.getByLabel("Phone").fill("+233 20 765 4321");
  await page.getByLabel("Address", { exact: true }).fill("5 Castle Road");
  await page.getByLabel("City").fill("Cape Coast");
}

export async function openCheckout(page: Page) {
  await page.goto("/checkout");
  await expect(placeOrder(page)).toBeVisible();
}

/** Has a customer order a book, up to the last click. */
export async function fillInOrder(page: Page, member: Member, bookId: string, quantity = 1) {
  await fillCart(member.client, bookId, quantity);
  await openCheckout(page);
  await fillIn(page);
}

export async function ordersOf(member: Member) {
  const { data, error } = await member.client
    .from("orders")
    .select("id, total_amount, status, shipping_address, recipient_name, recipient_phone");
  if (error) throw error;
  return data;
}
