import { refusalOf } from "../../database/errors.ts";
import { ownerConnections } from "../../database/pool.ts";
import { reasonOf } from "../../lib/disk-full.ts";
import { isRule, Refusal } from "../../lib/refusal.ts";
import { createAccountQueue, type QueueMetrics } from "./account-queue.ts";
import { checkParameters, readBody } from "./fields.ts";
import { createLimits } from "./limits.ts";
import { type OwnersAccount, ownersAccount } from "./owner.ts";
import { type AccountsSettings, type Call, type Context, queueClient } from "./parts.ts";
import { createPasswords } from "./passwords.ts";
import { refresh } from "./refresh.ts";
import { accountsRefusalResponse, unavailable } from "./refusals.ts";
import {
  challenge,
  countRecoveryCodes,
  enroll,
  makeRecoveryCodes,
  unenroll,
  verifyFactor,
  verifyRecoveryCode,
} from "./second-step.ts";
import { createSignIn } from "./sign-in.ts";
import { createSignInThrottle, type SignInThrottle } from "./sign-in-throttle.ts";
import { recover, resend, signUp } from "./sign-up.ts";
import { createTasks } from "./tasks.ts";
import { changeUser, logOut, showUser } from "./user.ts";
import { followLink, showLink } from "./verify.ts";
import { doTask } from "./work.ts";

const base = "/auth/v1/";

/** What the hosted accounts API reports about itself, where it applies here. */
const settings = {
  external: { email: true, phone: false, anonymous_users: false },
  disable_signup: false,
  mailer_autoconfirm: false,
  phone_autoconfirm: false,
};

const factorPath = /^factors\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/|$)/i;

type CallHandler = (call: Call) => Promise<Response>;
type Handler = (context: Context, call: Call) => Promise<Response>;

/** The calls by method and path; anything else is a 404. */
function listCalls(context: Context, throttle: SignInThrottle): Record<string, CallHandler> {
  const signIn = createSignIn(context, throttle);
  /** What only reads and writes takes one turn. What hashes a password takes its turns itself. */
  const inTurn =
    (handle: Handler): CallHandler =>
    (call) =>
      context.connections.run(queueClient(call), () => handle(context, call));
  const refreshInTurn = inTurn(refresh);
  return {
    "POST signup": (call) => signUp(context, call),
    "POST token": async (call) => {
      const grant = call.url.searchParams.get("grant_type");
      if (grant === "password") return signIn(call);
      if (grant === "refresh_token") return refreshInTurn(call);
      throw new Refusal(400, "unsupported_grant_type", "This grant_type is not offered.");
    },
    "GET verify": inTurn(showLink),
    "HEAD verify": async () => new Response(null),
    "POST verify": inTurn(followLink),
    "POST recover": inTurn(recover),
    "POST resend": inTurn(resend),
    "POST logout": inTurn(logOut),
    "GET user": inTurn(showUser),
    "PUT user": (call) => changeUser(context, call),
    "POST factors": inTurn(enroll),
    "POST factors/:id/challenge": inTurn(challenge),
    "POST factors/:id/verify": inTurn(verifyFactor),
    "DELETE factors/:id": inTurn(unenroll),
    "GET factors/recovery-codes": inTurn(countRecoveryCodes),
    "POST factors/recovery-codes": inTurn(makeRecoveryCodes),
    "POST factors/recovery-codes/regenerate": inTurn(makeRecoveryCodes),
    "POST factors/recovery-codes/verify": inTurn(verifyRecoveryCode),
    "GET health": async () => Response.json({ name: "GoTrue", description: "The shop's own accounts API" }),
    "GET settings": async () => Response.json(settings),
  };
}

function notServed(calls: Record<string, CallHandler>, name: string): Refusal {
  const allowed = Object.keys(calls).flatMap((call) => (call.endsWith(` ${name}`) ? call.split(" ", 1) : []));
  return allowed.length > 0
    ? new Refusal(405, "method_not_allowed", "This method is not allowed here.", null, {
        allow: allowed.join(", "),
      })
    : new Refusal(404, "not_found", "There is nothing at this address.");
}

/** The database's rules refuse; any other failure of its is the server's fault. */
function refusalOfCall(thrown: unknown, log: (line: string) => void): Refusal {
  if (thrown instanceof Refusal) return thrown;
  const refusal = refusalOf(thrown, "anon");
  if (refusal && isRule(refusal))
    return new Refusal(Number(refusal.code.slice(2)), "refused", refusal.message);
  log(`accounts: a request failed (${reasonOf(thrown)})`);
  return unavailable();
}

export type AccountsApi = {
  /** Handles a request to /auth/v1; `clientIp` is the browser's address, empty for the shop itself. */
  handle: (request: Request, clientIp: string) => Promise<Response>;
  /** See `ownersAccount`. */
  ownersAccount: (fields: Record<string, unknown>) => Promise<OwnersAccount>;
  /** How many passwords are hashed, wait and were refused. */
  hashMetrics: () => QueueMetrics;
  /** Finishes work left after responses, such as emails. No request may follow. */
  stop: () => Promise<void>;
};

/** Accounts: the part of a hosted project's API (Supabase Auth) that the shop uses. */
export function createAccountsApi(parts: AccountsSettings): AccountsApi {
  const {
    sql,
    secrets,
    siteUrl,
    readShop,
    sendEmail,
    lookEveryMs = null,
    leads,
    machines,
    log,
    now = Date.now,
    taskDelayMs = [50, 350],
    signInPauseMs = 1000,
    passwordRounds,
    hashPassword,
  } = parts;
  const limits = createLimits(sql, secrets.jwtSecret, now);
  const passwords = createPasswords(secrets.jwtSecret, passwordRounds, hashPassword);
  const connections = createAccountQueue(ownerConnections - 2);
  const dependencies = { sql, secrets, siteUrl, readShop, log, now, limits, connections, passwords };
  const tasks = createTasks({
    sql,
    work: (transaction, task) => doTask(dependencies, transaction, task),
    sendEmail,
    lookEveryMs,
    leads,
    log,
    delayMs: taskDelayMs,
  });
  const context = { ...dependencies, tasks };
  const calls = listCalls(context, createSignInThrottle(signInPauseMs, machines));
  tasks.start();
  return {
    handle: async (request, clientIp) => {
      const sinceMs = performance.now();
      try {
        const url = new URL(request.url);
        const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : "";
        const factorId = factorPath.exec(path)?.[1] ?? "";
        const name = factorId ? path.replace(factorId, ":id") : path;
        const call = Object.hasOwn(calls, `${request.method} ${name}`) && calls[`${request.method} ${name}`];
        if (!call) throw notServed(calls, name);
        checkParameters(url);
        return await call({ request, url, clientIp, sinceMs, fields: await readBody(request), factorId });
      } catch (error) {
        return accountsRefusalResponse(refusalOfCall(error, log));
      }
    },
    ownersAccount: (fields) => ownersAccount(context, fields),
    hashMetrics: passwords.metrics,
    stop: tasks.stop,
  };
}
