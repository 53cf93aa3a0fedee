import { randomInt, randomUUID } from "node:crypto";
import { encode } from "uqr";
import type { Sql } from "../../database/sql.ts";
import { networkOf } from "../../lib/network.ts";
import { Refusal } from "../../lib/refusal.ts";
import { type OpenSession, requireSession } from "./bearer.ts";
import { textOf } from "./fields.ts";
import { type Limit, secondStepLimits } from "./limits.ts";
import type { Call, Context } from "./parts.ts";
import { hashCode, isSameText } from "./recovery-codes.ts";
import { invalid, tooManyAttempts } from "./refusals.ts";
import { addRefreshToken, describeSession, endSessions, noteWay } from "./sessions.ts";
import { storeTask } from "./tasks.ts";
import { findStep, newSecret, openSecret, otpauthUri, sealSecret, toBase32 } from "./totp.ts";
import { findById } from "./users.ts";

/** How long a challenge is valid, as on a hosted project. */
const challengeMs = 5 * 60_000;
/** How long after entering a code a session may remove the second step or make new recovery codes. */
const freshMs = 10 * 60_000;
const maxUnverified = 5;

type FactorRow = {
  id: string;
  friendly_name: string | null;
  status: "unverified" | "verified";
  secret: string;
};

const factorNotFound = () => new Refusal(404, "mfa_factor_not_found", "Factor not found");

const wrongCode = () => new Refusal(422, "mfa_verification_failed", "This code is wrong. Try the next one.");

const insufficient = (message: string) => new Refusal(401, "insufficient_aal", message);

async function findFactor(sql: Sql, userId: string, factorId: string, lock = ""): Promise<FactorRow> {
  const [factor] = await sql.query<FactorRow>(
    `select id, friendly_name, status, secret from auth.mfa_factors
     where id = $1::text::uuid and user_id = $2::text::uuid ${lock}`,
    [factorId, userId],
  );
  if (!factor) throw factorNotFound();
  return factor;
}

async function findVerified(sql: Sql, userId: string): Promise<FactorRow | null> {
  const [factor] = await sql.query<FactorRow>(
    `select id, friendly_name, status, secret from auth.mfa_factors
     where user_id = $1::text::uuid and status = 'verified'`,
    [userId],
  );
  return factor ?? null;
}

/**
 * @throws Refusal unless the session has passed the second step within the last ten minutes: an open session is not
 * enough to remove it
 */
async function requireFreshStep(context: Context, session: OpenSession): Promise<void> {
  if (session.level !== "aal2") throw insufficient("Enter a code from your app first.");
  const [way] = await context.sql.query<{ at: number }>(
    `select (extract(epoch from max(updated_at)) * 1000)::float8 as at from auth.mfa_amr_claims
     where session_id = $1::text::uuid and authentication_method in ('totp', 'recovery_code')`,
    [session.sessionId],
  );
  if (!way?.at || context.now() - way.at > freshMs)
    throw insufficient("Enter a new code from your app first.");
}

/** Changing the password or email address needs the second step, as on a hosted project. */
export async function requireStepIfSetUp(context: Context, session: OpenSession): Promise<void> {
  if (session.level === "aal2" || !(await findVerified(context.sql, session.user.id))) return;
  throw insufficient("AAL2 session is required to update email or password when MFA is enabled.");
}

/** A QR code as SVG; supabase-js makes a data URL of it. */
function drawQr(text: string): string {
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${size} ${size}' shape-rendering='crispEdges'><rect width='100%25' height='100%25' fill='white'/><path d='${path.join("")}'/></svg>`;
}

/** POST /factors: begins to set up an authenticator app. It counts only after its first code. */
export async function enroll(context: Context, call: Call): Promise<Response> {
  const session = await requireSession(context, call);
  const { user } = session;
  if (textOf(call.fields, "factor_type") !== "totp") throw invalid("factor_type must be totp.");
  const name = (textOf(call.fields, "friendly_name") ?? "").trim().slice(0, 60);
  const issuer = (textOf(call.fields, "issuer") ?? (await context.readShop()).name).slice(0, 60);
  const waitMs = await context.limits.waitMs([{ key: `enroll ${user.id}`, most: 20, windowMs: 60 * 60_000 }]);
  if (waitMs > 0) throw tooManyAttempts(waitMs);
  const id = randomUUID();
  const secret = newSecret();
  await context.sql.transaction(async (sql) => {
    await findById(sql, user.id, "for update");
    // One at a time: to switch phones, remove this one first, which needs a code.
    if (await findVerified(sql, user.id))
      throw new Refusal(
        422,
        "too_many_enrolled_mfa_factors",
        "A second step is already set up. Remove it to set up another one.",
      );
    await sql.query(
      `delete from auth.mfa_factors where user_id = $1::text::uuid and id not in (
         select id from auth.mfa_factors where user_id = $1::text::uuid order by created_at desc limit ${maxUnverified - 1})`,
      [user.id],
    );
    await sql.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
       values ($1::text::uuid, $2::text::uuid, nullif($3, ''), 'totp', 'unverified', $4::text::timestamptz, $4::text::timestamptz, $5)`,
      [
        id,
        user.id,
        name,
        new Date(context.now()).toISOString(),
        sealSecret(secret, id, context.secrets.jwtSecret),
      ],
    );
  });
  const uri = otpauthUri(secret, issuer, user.email ?? user.id);
  return Response.json({
    id,
    type: "totp",
    friendly_name: name || undefined,
    totp: { qr_code: drawQr(uri), secret: toBase32(secret), uri },
  });
}

/** POST /factors/:id/challenge: a code is verified against it. */
export async function challenge(context: Context, call: Call): Promise<Response> {
  const { user } = await requireSession(context, call);
  const factor = await findFactor(context.sql, user.id, call.factorId);
  const id = randomUUID();
  const at = new Date(context.now()).toISOString();
  await context.sql.query(
    `with old as (delete from auth.mfa_challenges where factor_id = $2::text::uuid
                    and created_at < $3::text::timestamptz - interval '${challengeMs} milliseconds'),
          noted as (update auth.mfa_factors set last_challenged_at = $3::text::timestamptz where id = $2::text::uuid)
     insert into auth.mfa_challenges (id, factor_id, created_at) values ($1::text::uuid, $2::text::uuid, $3::text::timestamptz)`,
    [id, factor.id, at],
  );
  return Response.json({
    id,
    type: "totp",
    expires_at: Math.floor((context.now() + challengeMs) / 1000),
  });
}

/** Counts a guess before comparing it, so that simultaneous guesses count too. */
async function countGuess(context: Context, limits: Limit[]): Promise<void> {
  const waitMs = await context.limits.waitMs(limits);
  if (waitMs > 0) throw tooManyAttempts(waitMs);
}

/** Raises a session to the second step in the caller's transaction; returns it as the client stores it. */
async function raise(context: Context, sql: Sql, session: OpenSession, way: "totp" | "recovery_code") {
  const { user, sessionId: id } = session;
  const at = new Date(context.now()).toISOString();
  const raised = await sql.query(
    "update auth.sessions set aal = 'aal2', updated_at = $2::text::timestamptz where id = $1::text::uuid returning id",
    [id, at],
  );
  const row = await findById(sql, user.id);
  if (raised.length === 0 || !row) throw new Refusal(403, "session_not_found", "This session has ended.");
  await noteWay(sql, id, way, at);
  const [current] = await sql.query<{ token: string }>(
    "select token from auth.refresh_tokens where session_id = $1::text::uuid and not revoked",
    [id],
  );
  const refreshToken =
    current?.token ?? (await addRefreshToken(sql, { id, userId: user.id, parent: null, at }));
  return describeSession(context, sql, row, { id, refreshToken });
}

/**
 * POST /factors/:id/verify: a code of the app. The first one activates the account's second step and ends its other
 * sessions, which have not passed it. Each code works once, even from two connections at the same moment.
 */
export async function verifyFactor(context: Context, call: Call): Promise<Response> {
  const session = await requireSession(context, call);
  const { user } = session;
  const code = (textOf(call.fields, "code") ?? "").replaceAll(/\s/g, "");
  const challengeId = textOf(call.fields, "challenge_id") ?? "";
  const limits = secondStepLimits(user.id, networkOf(call.clientIp));
  await countGuess(context, limits);
  const outcome = await context.sql.transaction(async (sql) => {
    await findById(sql, user.id, "for update");
    const factor = await findFactor(sql, user.id, call.factorId, "for update");
    const secret = openSecret(factor.secret, factor.id, context.secrets.jwtSecret);
    const step = findStep(secret, code, context.now());
    const [open] = await sql.query(
      `select from auth.mfa_challenges where id::text = $1 and factor_id = $2::text::uuid
         and created_at >= $3::text::timestamptz - interval '${challengeMs} milliseconds'`,
      [challengeId, factor.id, new Date(context.now()).toISOString()],
    );
    if (!open)
      throw new Refusal(
        422,
        "mfa_challenge_expired",
        "MFA challenge has expired, verify against another challenge or create a new challenge.",
      );
    if (step === null) throw wrongCode();
    const [taken] = await sql.query(
      `insert into private_shop.used_steps as used (factor_id, step) values ($1::text::uuid, $2::text::bigint)
       on conflict (factor_id) do update set step = excluded.step where used.step < excluded.step returning factor_id`,
      [factor.id, String(step)],
    );
    if (!taken) throw wrongCode();
    await sql.query("delete from auth.mfa_challenges where factor_id = $1::text::uuid", [factor.id]);
    if (factor.status === "unverified") await switchOn(context, sql, session, factor);
    return raise(context, sql, session, "totp");
  });
  await uncountGuess(context, limits);
  context.tasks.soon();
  return Response.json(outcome);
}

/** Like a correct password, it resets the network's counter and doesn't count as a guess for the account. */
async function uncountGuess({ limits: counts }: Context, [pair, ...wider]: Limit[]): Promise<void> {
  if (pair) await counts.forget(pair.key);
  await counts.takeBack(wider);
}

async function switchOn(context: Context, sql: Sql, session: OpenSession, factor: FactorRow): Promise<void> {
  const { user, sessionId } = session;
  if (await findVerified(sql, user.id))
    throw new Refusal(422, "too_many_enrolled_mfa_factors", "A second step is already set up.");
  await sql.query(
    "update auth.mfa_factors set status = 'verified', updated_at = $2::text::timestamptz where id = $1::text::uuid",
    [factor.id, new Date(context.now()).toISOString()],
  );
  await sql.query("delete from auth.mfa_factors where user_id = $1::text::uuid and status = 'unverified'", [
    user.id,
  ]);
  await endSessions(sql, user.id, sessionId);
  if (user.email)
    await storeTask(sql, { kind: "account-notice", notice: "second-step-on", email: user.email });
}

/** DELETE /factors/:id: removes the second step, shortly after a code. */
export async function unenroll(context: Context, call: Call): Promise<Response> {
  const session = await requireSession(context, call);
  const { user, sessionId } = session;
  const found = await findFactor(context.sql, user.id, call.factorId);
  if (found.status === "verified") await requireFreshStep(context, session);
  await context.sql.transaction(async (sql) => {
    await findById(sql, user.id, "for update");
    const factor = await findFactor(sql, user.id, call.factorId, "for update");
    // It may have been verified since it was read.
    if (factor.status !== found.status) throw factorNotFound();
    await sql.query("delete from auth.mfa_factors where id = $1::text::uuid", [factor.id]);
    if (factor.status === "unverified") return;
    await sql.query("update auth.sessions set aal = 'aal1' where user_id = $1::text::uuid", [user.id]);
    await sql.query(
      `delete from auth.mfa_amr_claims where authentication_method in ('totp', 'recovery_code')
         and session_id in (select id from auth.sessions where user_id = $1::text::uuid)`,
      [user.id],
    );
    await endSessions(sql, user.id, sessionId);
    if (user.email)
      await storeTask(sql, { kind: "account-notice", notice: "second-step-off", email: user.email });
  });
  context.tasks.soon();
  return Response.json({ id: found.id });
}

const codeCount = 10;
/** Without 0, 1, i, l and o, which look alike on paper. */
const codeLetters = "abcdefghjkmnpqrstuvwxyz23456789";
const randomLetters = () =>
  Array.from({ length: 5 }, () => codeLetters[randomInt(codeLetters.length)]).join("");

/** GET /factors/recovery-codes: how many are left. */
export async function countRecoveryCodes(context: Context, call: Call): Promise<Response> {
  const { user } = await requireSession(context, call);
  const factor = await findVerified(context.sql, user.id);
  if (!factor) throw factorNotFound();
  const [row] = await context.sql.query<{ left: number }>(
    "select count(*)::int as left from private_shop.recovery_codes where factor_id = $1::text::uuid",
    [factor.id],
  );
  return Response.json({ id: factor.id, type: "recovery_code", total: codeCount, remaining: row?.left ?? 0 });
}

/** POST /factors/recovery-codes and …/regenerate: ten new codes, shown once; earlier ones stop working. */
export async function makeRecoveryCodes(context: Context, call: Call): Promise<Response> {
  const session = await requireSession(context, call);
  await requireFreshStep(context, session);
  const codes = Array.from({ length: codeCount }, () => `${randomLetters()}-${randomLetters()}`);
  const id = await context.sql.transaction(async (sql) => {
    await findById(sql, session.user.id, "for update");
    const factor = await findVerified(sql, session.user.id);
    if (!factor) throw factorNotFound();
    await sql.query("delete from private_shop.recovery_codes where factor_id = $1::text::uuid", [factor.id]);
    await sql.query(
      `insert into private_shop.recovery_codes (factor_id, code_hash)
       select $1::text::uuid, value from jsonb_array_elements_text($2::text::jsonb)`,
      [factor.id, JSON.stringify(codes.map((code) => hashCode(context.secrets.jwtSecret, factor.id, code)))],
    );
    return factor.id;
  });
  return Response.json({ id, type: "recovery_code", total: codeCount, codes });
}

/** POST /factors/recovery-codes/verify: a recovery code instead of the app's. Each counts once. */
export async function verifyRecoveryCode(context: Context, call: Call): Promise<Response> {
  const session = await requireSession(context, call);
  const { user } = session;
  const typed = textOf(call.fields, "code") ?? "";
  const limits = secondStepLimits(user.id, networkOf(call.clientIp));
  await countGuess(context, limits);
  const outcome = await context.sql.transaction(async (sql) => {
    await findById(sql, user.id, "for update");
    const factor = await findVerified(sql, user.id);
    const factorId = factor?.id ?? randomUUID();
    const hash = hashCode(context.secrets.jwtSecret, factorId, typed);
    const stored = await sql.query<{ hash: string }>(
      "select code_hash as hash from private_shop.recovery_codes where factor_id = $1::text::uuid",
      [factorId],
    );
    // Compares all of them, so that the time doesn't depend on which one matches.
    const matches = stored.filter((code) => isSameText(code.hash, hash));
    if (matches.length === 0) throw wrongCode();
    await sql.query(
      "delete from private_shop.recovery_codes where factor_id = $1::text::uuid and code_hash = $2",
      [factorId, hash],
    );
    if (user.email)
      await storeTask(sql, {
        kind: "account-notice",
        notice: "recovery-code",
        email: user.email,
        left: stored.length - 1,
      });
    return raise(context, sql, session, "recovery_code");
  });
  await uncountGuess(context, limits);
  context.tasks.soon();
  return Response.json(outcome);
}
