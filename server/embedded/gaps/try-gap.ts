import type { Backstage, Gap, Next } from "./gap.ts";

/** For the tests of the gaps: a clock, a database that answers what it is told, and a record of what went on. */
export function stage(options: { answer?: () => Response; rows?: (text: string) => unknown[] } = {}) {
  const state = {
    now: 1_700_000_000_000,
    passed: [] as Request[],
    statements: [] as { text: string; values: unknown[] }[],
    mails: [] as { email: string; tokenHash: string }[],
  };
  const backstage = {
    sql: {
      query: async (text: string, values: unknown[] = []) => {
        state.statements.push({ text, values });
        return options.rows?.(text) ?? [];
      },
    },
    secrets: { jwtSecret: "a secret", publishableKey: "sb_publishable_key", secretKey: "sb_secret_key" },
    sendConfirmation: async (email: string, tokenHash: string) => void state.mails.push({ email, tokenHash }),
    now: () => state.now,
  } as unknown as Backstage;
  const library: Next = async ({ request }) => {
    state.passed.push(request);
    return options.answer?.() ?? Response.json({});
  };
  const send = (gap: Gap, path: string, init: RequestInit = {}, peer = "203.0.113.9") => {
    const request = new Request(new URL(path, "http://shop.example"), init);
    return gap({ request, url: new URL(request.url), peer }, library, backstage);
  };
  return { state, send };
}

/** A request's body and headers as supabase-js sends JSON. */
export const json = (fields: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(fields),
});
