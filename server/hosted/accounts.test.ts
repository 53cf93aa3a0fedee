import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Refusal } from "../lib/refusal.ts";
import { closeHostedAccount } from "./accounts.ts";

const id = "11111111-1111-4111-8111-111111111111";
const project = { url: "https://project.example", secretKey: "sb_secret_x" };
const user = { id, email: "ama@example.com", user_metadata: { full_name: "Ama", phone: "0244123456" } };

/** The requests to the project, in order. */
let steps: unknown[];
let responses: Response[];
beforeEach(() => {
  steps = [];
  responses = [Response.json(user), Response.json(user)];
  const fake = vi.spyOn(globalThis, "fetch").mockImplementation(async (address, init = {}) => {
    const body = init.body ? JSON.parse(String(init.body)) : null;
    steps.push([init.method, String(address), new Headers(init.headers).get("apikey"), body]);
    return responses.shift() ?? Response.error();
  });
  onTestFinished(() => fake.mockRestore());
});

const call = async (name: string, values: object) => void steps.push([name, values]);
const address = `${project.url}/auth/v1/admin/users/${id}`;

test("A customer's account is locked first, then emptied permanently, and the shop's rows are anonymised last", async () => {
  await closeHostedAccount(id, project, call);
  const password = expect.stringMatching(/^[\w-]{43}$/);
  expect(steps).toEqual([
    ["close_account", { _user_id: id }],
    ["GET", address, project.secretKey, null],
    [
      "PUT",
      address,
      project.secretKey,
      {
        email: `${id}@nobody.invalid`,
        email_confirm: true,
        password,
        ban_duration: "876000h",
        user_metadata: { full_name: null, phone: null },
      },
    ],
    ["anonymise_customer", { _user_id: id }],
  ]);
});

test("An account that may not be closed now is left as it is", async () => {
  const refused = new Refusal(409, "order_not_delivered", "Order 7 is on its way.");
  await expect(closeHostedAccount(id, project, () => Promise.reject(refused))).rejects.toBe(refused);
  expect(steps).toEqual([]);
});

test.each([
  ["read", []],
  ["emptied", [Response.json(user)]],
])(
  "When the account cannot be %s, the shop's rows keep the name, so that closing can be retried",
  async (what, first) => {
    responses = [...first, Response.json({ msg: "Not now" }, { status: 409 })];
    await expect(closeHostedAccount(id, project, call)).rejects.toThrow(
      `The account cannot be ${what}: Not now`,
    );
    expect(steps).not.toContainEqual(["anonymise_customer", { _user_id: id }]);
  },
);

test("An account without details of its own is emptied as well", async () => {
  responses = [Response.json({ ...user, user_metadata: undefined }), Response.json(user)];
  await closeHostedAccount(id, project, call);
  expect(steps).toHaveLength(4);
});
