import { expect, test } from "vitest";
import { limitedMails, limitedPeers, limitedSignIns } from "./limited-attempts.ts";
import { json, stage } from "./try-gap.ts";

const wrong = () => Response.json({ msg: "Invalid login credentials" }, { status: 400 });
const signIn = "/auth/v1/token?grant_type=password";
const as = (email: string) => json({ email, password: "guess" });

test("The eleventh wrong password for one account from one address is refused in words", async () => {
  const { send } = stage({ answer: wrong });
  const gap = limitedSignIns();
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await send(gap, signIn, as("ama@example.com"))).status).toBe(400);
  }
  const refused = await send(gap, signIn, as("AMA@example.com "));
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({
    code: 429,
    error_code: "over_request_rate_limit",
    msg: "Too many attempts. Please try again in 5 minutes.",
  });
  expect(refused.headers.get("retry-after")).toBe("300");
});

test("Colleagues behind the same address, and the owner elsewhere, are not locked out by it", async () => {
  const { send } = stage({ answer: wrong });
  const gap = limitedSignIns();
  for (let attempt = 0; attempt < 12; attempt += 1) await send(gap, signIn, as("ama@example.com"));
  expect((await send(gap, signIn, as("kofi@example.com"))).status).toBe(400);
  expect((await send(gap, signIn, as("ama@example.com"), "198.51.100.7")).status).toBe(400);
});

test("A volley is counted while it runs", async () => {
  const { send, state } = stage({ answer: wrong });
  const gap = limitedSignIns();
  await Promise.all(Array.from({ length: 50 }, () => send(gap, signIn, as("ama@example.com"))));
  expect(state.passed).toHaveLength(10);
});

test("Many addresses guessing one account are stopped, yet not where its owner has signed in before", async () => {
  let isRight = true;
  const { send } = stage({ answer: () => (isRight ? Response.json({}) : wrong()) });
  const gap = limitedSignIns();
  await send(gap, signIn, as("ama@example.com"), "203.0.113.1");
  isRight = false;
  for (let peer = 0; peer < 100; peer += 1) {
    await send(gap, signIn, as("ama@example.com"), `198.51.100.${peer}`);
  }
  expect((await send(gap, signIn, as("ama@example.com"), "192.0.2.1")).status).toBe(429);
  expect((await send(gap, signIn, as("ama@example.com"), "203.0.113.1")).status).toBe(400);
});

test("After the pause the account may be tried again, and a right password clears the count", async () => {
  let isRight = false;
  const { send, state } = stage({ answer: () => (isRight ? Response.json({}) : wrong()) });
  const gap = limitedSignIns();
  for (let attempt = 0; attempt < 10; attempt += 1) await send(gap, signIn, as("ama@example.com"));
  state.now += 5 * 60_000;
  isRight = true;
  expect((await send(gap, signIn, as("ama@example.com"))).status).toBe(200);
  isRight = false;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await send(gap, signIn, as("ama@example.com"))).status).toBe(400);
  }
});

test("A refresh of a session is no sign-in", async () => {
  const { send } = stage({ answer: wrong });
  const gap = limitedSignIns();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await send(gap, "/auth/v1/token?grant_type=refresh_token", json({ refresh_token: "x" }));
    expect(answer.status).toBe(400);
  }
});

test("The hundred and first sign-up of an hour from one address is refused, one from this machine never", async () => {
  const { send } = stage();
  const gap = limitedPeers();
  for (let attempt = 0; attempt < 100; attempt += 1) {
    expect((await send(gap, "/auth/v1/signup", json({}))).status).toBe(200);
    expect((await send(gap, "/auth/v1/signup", json({}), "127.0.0.1")).status).toBe(200);
  }
  expect((await send(gap, "/auth/v1/signup", json({}))).status).toBe(429);
  expect((await send(gap, "/auth/v1/signup", json({}), "127.0.0.1")).status).toBe(200);
});

test("One mail of a kind a minute goes to an address, and six an hour", async () => {
  const { send, state } = stage();
  const gap = limitedMails();
  const ask = () => send(gap, "/auth/v1/recover", json({ email: "ama@example.com" }));
  expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(((await refused.json()) as { msg: string }).msg).toBe(
    "For security purposes, you can only request this after 60 seconds.",
  );
  for (let mail = 1; mail < 6; mail += 1) {
    state.now += 60_000;
    expect((await ask()).status).toBe(200);
  }
  state.now += 60_000;
  expect((await ask()).status).toBe(429);
});

test("A sign-up that was refused sent nothing and may be sent again at once", async () => {
  const { send } = stage({ answer: () => Response.json({}, { status: 422 }) });
  const gap = limitedMails();
  expect((await send(gap, "/auth/v1/signup", as("ama@example.com"))).status).toBe(422);
  expect((await send(gap, "/auth/v1/signup", as("ama@example.com"))).status).toBe(422);
});

test("Whoever presses twice at sign-up reads twice that it worked, and gets one mail", async () => {
  const { send, state } = stage();
  const gap = limitedMails();
  for (let press = 0; press < 3; press += 1) {
    expect((await send(gap, "/auth/v1/signup", as("ama@example.com"))).status).toBe(200);
  }
  expect(state.passed).toHaveLength(1);
});
