import { Counter, peerKey } from "./counter.ts";
import { accountError, emailOf, type Gap, readFields } from "./gap.ts";
import { lookAlike } from "./repeated-signup.ts";

const minute = 60_000;

/*
 * The library has no limits. A school sits behind one address, so limits per peer are wide and the narrow ones
 * count one account from one peer: whoever guesses a password locks out himself, not his colleagues, and not the
 * account's owner somewhere else.
 */
const perAccountAndPeer = 10;
const perAccount = 100;
const perPeer = 300;

/** In words, rounded up. */
function inWords(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds < 90) return `${seconds} second${seconds === 1 ? "" : "s"}`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

export function tooMany(waitMs: number): Response {
  const message = `Too many attempts. Please try again in ${inWords(waitMs)}.`;
  return accountError(429, "over_request_rate_limit", message, {
    "retry-after": String(Math.ceil(waitMs / 1000)),
  });
}

/** Password sign-ins: only wrong ones count in the end, but all while they run, so that a volley is counted. */
export function limitedSignIns(): Gap {
  const pairs = new Counter(perAccountAndPeer, 5 * minute);
  const accounts = new Counter(perAccount, 15 * minute);
  const peers = new Counter(perPeer, 5 * minute);
  const trusted = new Counter(1, 30 * 24 * 60 * minute);
  return async (exchange, next, { now }) => {
    const { url, request } = exchange;
    if (url.pathname !== "/auth/v1/token" || url.searchParams.get("grant_type") !== "password") {
      return next(exchange);
    }
    const email = emailOf(await readFields(request));
    const peer = peerKey(exchange.peer);
    const pair = `${email} ${exchange.peer}`;
    // Where the owner has signed in before, an attack from elsewhere does not lock him out.
    const known = trusted.waitMs(pair, now()) > 0;
    const waitMs = Math.max(
      pairs.waitMs(pair, now()),
      known ? 0 : accounts.waitMs(email, now()),
      peer ? peers.waitMs(peer, now()) : 0,
    );
    if (waitMs > 0) return tooMany(waitMs);
    const counted: [Counter, string][] = [
      [pairs, pair],
      [accounts, email],
      ...(peer ? [[peers, peer] as [Counter, string]] : []),
    ];
    for (const [counter, key] of counted) counter.add(key, now());
    const answer = await next(exchange);
    if (answer.status !== 400 && answer.status !== 422)
      for (const [counter, key] of counted) counter.takeBack(key);
    if (answer.ok) {
      pairs.forget(pair);
      trusted.add(pair, now());
    }
    return answer;
  };
}

/** New accounts and used links, per peer. */
export function limitedPeers(): Gap {
  const limits: Record<string, Counter> = {
    "/auth/v1/signup": new Counter(100, 60 * minute),
    "/auth/v1/recover": new Counter(100, 60 * minute),
    "/auth/v1/resend": new Counter(100, 60 * minute),
    "/auth/v1/verify": new Counter(100, 10 * minute),
  };
  return async (exchange, next, { now }) => {
    const counter = limits[exchange.url.pathname];
    const peer = peerKey(exchange.peer);
    if (!counter || !peer) return next(exchange);
    const waitMs = counter.waitMs(peer, now());
    if (waitMs > 0) return tooMany(waitMs);
    counter.add(peer, now());
    return next(exchange);
  };
}

const mailCalls = ["/auth/v1/signup", "/auth/v1/recover", "/auth/v1/resend"];

/**
 * Mails to one address: one of a kind a minute and six an hour, whether an account exists or not, so that the limit
 * tells nobody who has one. A call that fails sends nothing and does not count.
 */
export function limitedMails(): Gap {
  const perMinute = new Counter(1, minute);
  const perHour = new Counter(6, 60 * minute);
  return async (exchange, next, { now }) => {
    const { pathname } = exchange.url;
    if (!mailCalls.includes(pathname)) return next(exchange);
    const fields = await readFields(exchange.request);
    const email = emailOf(fields);
    if (!email) return next(exchange);
    const key = `${pathname === "/auth/v1/recover" ? "recover" : "signup"} ${email}`;
    const waitMs = Math.max(perMinute.waitMs(key, now()), perHour.waitMs(key, now()));
    // The address has just been signed up, and the first mail is on its way.
    if (waitMs > 0 && pathname === "/auth/v1/signup") return lookAlike(email, fields.data, now());
    if (waitMs > 0) {
      return accountError(
        429,
        "over_email_send_rate_limit",
        `For security purposes, you can only request this after ${inWords(waitMs)}.`,
        { "retry-after": String(Math.ceil(waitMs / 1000)) },
      );
    }
    perMinute.add(key, now());
    perHour.add(key, now());
    const answer = await next(exchange);
    if (!answer.ok) {
      perMinute.takeBack(key);
      perHour.takeBack(key);
    }
    return answer;
  };
}
