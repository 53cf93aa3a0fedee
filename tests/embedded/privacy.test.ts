import bcrypt from "bcrypt";
import { expect, test } from "vitest";
import { newCustomer, newFolder } from "./shop-folder.ts";

test("A refused order's address, phone and name are in no line that the backend prints", async () => {
  const folder = await newFolder();
  const backend = await folder.open();
  const { client, id } = await newCustomer(backend, folder, "ama@example.com");
  const order = {
    user_id: id,
    status: "pending",
    shipping_address: "7 Secret Street",
    recipient_name: "Nana Hidden",
    recipient_phone: "+233200000007",
  };
  const answers = [
    await client.from("orders").insert({ ...order, total_amount: 1 }), // The cart is empty.
    await client.from("orders").insert({ ...order, total_amount: "much" as never }), // No number.
    await client.from("orders").insert({ ...order, total_amount: 1, status: "shipped" }), // Not for a customer to set.
    await client
      .from("profiles")
      .update({ phone: "Nana Hidden".repeat(10) })
      .eq("id", id), // Too long.
    await client.from("profiles").update({ email: "secret@example.com" }).eq("id", id), // No right.
  ];
  for (const { error } of answers) expect(error).not.toBeNull();
  const printed = folder.lines.join("\n");
  for (const secret of [
    "Secret Street",
    "Hidden",
    "200000007",
    "ama@example.com",
    "secret@example.com",
    id,
  ]) {
    expect(printed).not.toContain(secret);
  }
});

test("Passwords are hashed by native code, off the event loop, and without an install script", async () => {
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 1);
  await Promise.all([bcrypt.hash("one", 11), bcrypt.hash("two", 11)]);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(3);
});
