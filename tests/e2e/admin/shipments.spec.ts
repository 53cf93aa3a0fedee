import { randomUUID } from "node:crypto";
import { addBook, placeOrder, stockOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { listMails } from "#tests/support/outbox.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import {
  chooseStatus,
  giveRole,
  numberOf,
  openAdmin,
  openOrder,
  otherBrowser,
  sendStatusEmailsAtOnce,
} from "./back-office.ts";

test("staff send some copies of an order, undo one parcel, and cancel what is left", async ({
  page,
  context,
  browser,
  shop,
  admin,
  member,
  signIn,
}) => {
  const book = await addBook(admin.client, { stock_quantity: 10, price: 20 });
  const order = await placeOrder(member, book, 5);
  const number = await numberOf(admin, order);
  const { error: unpaid } = await admin.client.rpc("record_payment", {
    _payment_id: randomUUID(),
    _order_id: order,
    _kind: "payment",
    _method: "cash",
    _amount: 50,
    _paid_on: "2026-11-01",
  });
  expect(unpaid).toBeNull();
  await signIn(context, admin);
  await page.setViewportSize({ width: 360, height: 740 });
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: /^View details/ }).click();
  const details = page.getByRole("dialog", { name: "Order Details" });

  // All copies are those that are left, until staff change it.
  await details.getByRole("button", { name: "Send Some Copies" }).click();
  const form = page.getByRole("dialog", { name: "Send some copies" });
  await expect(form.getByText(/^These are all that are left/)).toBeVisible();
  const copies = form.getByLabel(`Copies of ${book.title} in this parcel, at most 5`);
  await copies.fill("6");
  await expect(form.getByText("Enter a number up to 5")).toBeVisible();
  await copies.fill("3");
  await expect(form.getByText(/^2 copies are then left to send/)).toBeVisible();
  await expectAccessibleAtWidths(page);
  await copies.fill("5");
  await form.getByRole("button", { name: "Send 5 Copies" }).click();
  await expectMessage(page, "5 copies sent");
  await expect(page.getByText("The order is now shipped.")).toBeVisible();
  await expect(details.getByRole("button", { name: "Send Some Copies" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await expectMessage(page, "Shipment undone");
  await expect(details.getByText(/^Undone on .* by/)).toBeVisible();

  await sendStatusEmailsAtOnce(admin);
  await details.getByRole("button", { name: "Send Some Copies" }).click();
  await copies.fill("3");
  await form.getByLabel("Carrier").fill("VIP Jeoun");
  await form.getByLabel("Driver's phone").fill("0244112233");
  await form.getByRole("button", { name: "Send 3 Copies" }).click();
  await expectMessage(page, "3 copies sent");
  await expect(details.getByText("2 left to send", { exact: true })).toBeVisible();
  await expect(details.getByText("Sent in part")).toBeVisible();
  const subject = `some books of order ${number} are on their way`;
  const mails = async () =>
    (await listMails(shop.dataDir)).filter((mail) => mail.subject.includes(subject)).map(({ text }) => text);
  await expect.poll(mails).toEqual([expect.stringContaining(`${book.title}: 3 copies`)]);
  for (const words of ["VIP Jeoun", `${book.title}: 2 copies`]) expect((await mails())[0]).toContain(words);
  await sendStatusEmailsAtOnce(admin, false);

  const theirs = await otherBrowser(browser, signIn, member);
  await theirs.goto(`/order-confirmation/${order}`);
  const sent = theirs.getByRole("region", { name: "Some of your books are on their way" });
  await expect(sent.getByText(`3 × ${book.title}`)).toBeVisible();
  await expect(sent.getByRole("link", { name: "+233 24 411 2233" })).toBeVisible();
  await expect(sent.getByText(`2 × ${book.title}`)).toBeVisible();
  await expect(theirs.getByText("Some books sent")).toBeVisible();
  await expect(theirs.getByText("Sent in part")).toBeVisible();
  await theirs.goto("/orders");
  await expect(theirs.getByRole("link", { name: `Order ${number}` })).toContainText("pendingSent in part");
  await expectAccessibleAtWidths(theirs);
  await theirs.goBack();
  await theirs.getByRole("button", { name: "Cancel Order" }).click();
  await expect(theirs.getByText(/Some of its books have already been sent/)).toBeVisible();
  await expect(
    theirs.getByText("We'll contact you about the refund for the books that were not sent."),
  ).toBeVisible();
  await theirs.getByRole("button", { name: "Keep order" }).click();
  await theirs.getByRole("link", { name: "Delivery note" }).click();
  const note = theirs.getByRole("article", { name: "Delivery note" });
  await expect(note).toHaveCount(1);
  await expect(note).toContainText("3 of the order's 5 copies");
  await expectAccessibleAtWidths(theirs);

  await details.getByRole("link", { name: "Delivery note" }).first().click();
  await expect(page.getByText("3 of the order's 5 copies")).toBeVisible();
  await page.goto(`/admin/orders/${order}/packing-list`);
  await expect(page.getByText("To pack: 2 of the order's 5 copies.")).toBeVisible();

  // Once the rest has left too, its parcel is the last one.
  const setStatus = async (status: string) => {
    const { error } = await admin.client.from("orders").update({ status }).eq("id", order);
    expect(error).toBeNull();
  };
  await setStatus("shipped");
  await page.goto(`/admin/orders/${order}/delivery-note`);
  await expect(page.getByText("2 of the order's 5 copies")).toBeVisible();
  await theirs.reload();
  await expect(note).toHaveCount(2);
  await expect(note.last()).toContainText("2 of the order's 5 copies");
  await expectAccessibleAtWidths(theirs);
  await theirs.getByRole("link", { name: "Back to the order" }).click();
  await theirs.getByRole("button", { name: "Cancel Order" }).click();
  await expect(theirs.getByText("We'll contact you about the refund.", { exact: true })).toBeVisible();
  await theirs.context().close();
  await setStatus("processing");

  const listed = await openOrder(page, order);
  await expect(listed.getByText("Sent in part")).toBeVisible();
  await listed.getByRole("button", { name: /^View details/ }).click();
  await expect(details.getByText("2 left to send", { exact: true })).toBeVisible();
  await expectAccessibleAtWidths(page);
  await chooseStatus(details, "Cancelled");
  const question = page.getByRole("dialog", { name: `Set order ${number} to Cancelled?` });
  await expect(question.getByText("2 copies go back on sale.")).toBeVisible();
  await expect(question.getByText(/^Copies that were sent stay with the customer/)).toBeVisible();
  await expect(
    question.getByText(/^GH₵50.00 has been paid. Refund what was paid for the books/),
  ).toBeVisible();
  await question.getByRole("button", { name: "Set 1 Order to Cancelled" }).click();
  await expectMessage(page, "1 order set to cancelled");
  expect(await stockOf(admin.client, book.id)).toBe(7);
  await details.getByRole("button", { name: "Return to stock" }).click();
  await expect(page.getByLabel(`Copies of ${book.title} that came back, at most 3`)).toBeVisible();

  await openAdmin(page, `/admin/activity?q=${number}`, "Activity");
  await expect(page.getByText("Copies sent", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("Shipment undone", { exact: true })).toBeVisible();
});

test("staff stop the email about a parcel, and learn of one that has left when they undo its parcel", async ({
  page,
  context,
  shop,
  admin,
  newMember,
  signIn,
}) => {
  const [member, staff] = [await newMember(), await newMember()];
  await sendStatusEmailsAtOnce(admin, false);
  const order = await placeOrder(member, await addBook(admin.client, { stock_quantity: 10 }), 5);
  const number = await numberOf(admin, order);
  // Whose bar has no emails of another test.
  await giveRole(admin, staff.id, "admin");
  await signIn(context, staff);
  const details = page.getByRole("dialog", { name: "Order Details" });
  const sendCopies = async (copies: string) => {
    await details.getByRole("button", { name: "Send Some Copies" }).click();
    const form = page.getByRole("dialog", { name: "Send some copies" });
    await form.getByLabel(/^Copies of/).fill(copies);
    await form.getByRole("button", { name: `Send ${copies} Copies` }).click();
    await expectMessage(page, `${copies} copies sent`);
  };
  const row = await openOrder(page, order);
  const showDetails = () => row.getByRole("button", { name: /^View details/ }).click();
  await showDetails();
  await sendCopies("3");
  const emails = details.getByRole("table", { name: "Emails" });
  await expect(emails).toContainText(/Some copies sentLeaves in \d+ s/);
  await page.keyboard.press("Escape");

  const bar = page.getByRole("region", { name: "Emails about to leave" });
  const rowOfBar = bar.getByText(new RegExp(`Order ${number}: 3 copies sent. Its email leaves in \\d+ s.`));
  await expect(rowOfBar).toBeVisible();
  await expectAccessibleAtWidths(page);
  await bar.getByRole("button", { name: `Undo: order ${number}` }).click();
  await expectMessage(page, "Shipment undone");
  await expect(rowOfBar).toHaveCount(0);

  await showDetails();
  await expect(details.getByText(/^Undone on/)).toBeVisible();
  await sendCopies("2");
  await emails.getByRole("button", { name: "Don't send: Some copies sent", exact: true }).click();
  // The recipient's too.
  await expectMessage(page, "2 emails stopped");
  const sendAgain = emails.getByRole("button", { name: "Send again: Some copies sent", exact: true });
  await expect(sendAgain).toBeVisible();
  await details.getByRole("button", { name: "Undo: 2 copies sent" }).click();
  await expectMessage(page, "Shipment undone");
  await expect(sendAgain).toHaveCount(0);

  await sendStatusEmailsAtOnce(admin);
  await sendCopies("4");
  const told = async (subject: string) =>
    (await listMails(shop.dataDir)).filter((mail) => mail.subject.includes(subject)).length;
  await expect.poll(() => told(`some books of order ${number} are on their way`)).toBe(1);
  await sendStatusEmailsAtOnce(admin, false);
  await details.getByRole("button", { name: "Undo: 4 copies sent" }).click();
  await expectMessage(page, "Shipment undone");
  await expect(page.getByText(/^The customer was told of this parcel on/)).toBeVisible();
  await expect(emails).toContainText(/Parcel taken backLeaves in \d+ s/);
  await expect(sendAgain).toHaveCount(0);
  await expectAccessibleAtWidths(page);
  await page.keyboard.press("Escape");
  await expect(bar.getByText(new RegExp(`Order ${number}: parcel of 4 copies taken back`))).toBeVisible();
  await expect(bar.getByRole("button", { name: `Undo: order ${number}` })).toHaveCount(0);
});
