import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyOrderForm } from "#app/features/delivery/delivery-form.ts";
import { changeDraft, forgetDraft, hasDraft, readDraft } from "./checkout-draft.ts";

let stored: Map<string, string>;
afterEach(() => void vi.unstubAllGlobals());
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});

const form = { ...emptyOrderForm, fullName: "Ama Mensah" };

test("A draft has a new order id each time until it is saved, and then keeps it after a reload", () => {
  const draft = readDraft("ama");
  expect(draft).toEqual({
    userId: "ama",
    orderId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    sent: false,
    form: emptyOrderForm,
  });
  expect(readDraft("ama").orderId).not.toBe(draft.orderId);
  changeDraft(draft, { form });
  expect(readDraft("ama")).toEqual({ ...draft, form });
  changeDraft(draft, { sent: true });
  expect(readDraft("ama")).toEqual({ ...draft, form, sent: true });
  expect([...stored.keys()]).toEqual(["adwene-checkout"]);
});

test("A draft can be saved unchanged", () => {
  const draft = readDraft("ama");
  changeDraft(draft);
  expect(readDraft("ama")).toEqual(draft);
});

test("A change to a new order's draft copies nothing from the previous one", () => {
  const earlier = readDraft("ama");
  changeDraft(earlier, { form, sent: true });
  const later = {
    ...earlier,
    orderId: "0b5c1f1e-0000-4000-8000-00000000000a",
    sent: false,
    form: emptyOrderForm,
  };
  changeDraft(later, {});
  expect(readDraft("ama")).toEqual(later);
});

test("A draft exists from its first save until the order is placed, and only for its user", () => {
  const draft = readDraft("ama");
  expect(hasDraft("ama")).toBe(false);
  changeDraft(draft);
  expect([hasDraft("ama"), hasDraft("kofi")]).toEqual([true, false]);
  forgetDraft();
  expect(hasDraft("ama")).toBe(false);
});

test("Another user's draft is deleted, not just ignored", () => {
  changeDraft(readDraft("ama"), { form });
  expect(readDraft("kofi")).toMatchObject({ userId: "kofi", form: emptyOrderForm });
  expect(stored.size).toBe(0);
});

test("A draft of an earlier release gets the newer fields, empty", () => {
  const orderId = "0b5c1f1e-0000-4000-8000-00000000000a";
  stored.set(
    "adwene-checkout",
    JSON.stringify({ userId: "ama", orderId, sent: false, form: { city: "Accra" } }),
  );
  expect(readDraft("ama")).toMatchObject({
    orderId,
    form: { ...emptyOrderForm, city: "Accra" },
  });
});

test("A forgotten draft is deleted, and an unreadable one is ignored", () => {
  changeDraft(readDraft("ama"), { form });
  forgetDraft();
  expect(readDraft("ama").form).toEqual(emptyOrderForm);
  stored.set("adwene-checkout", "{ half");
  expect(readDraft("ama").form).toEqual(emptyOrderForm);
});

test("The checkout works without storage", () => {
  const denied = () => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("sessionStorage", { getItem: denied, setItem: denied, removeItem: denied });
  const draft = readDraft("ama");
  expect(() => changeDraft(draft, { form })).not.toThrow();
  expect(() => forgetDraft()).not.toThrow();
  expect(draft.userId).toBe("ama");
});
