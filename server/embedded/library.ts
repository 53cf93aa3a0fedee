import { App, setExperimental } from "@supabase/lite";
import type { Letter } from "../mail.ts";
import type { Engine } from "./engine.ts";
import { isRefusal, toAnswerableError } from "./errors.ts";
import type { ObjectFiles } from "./files.ts";
import { createMailer } from "./mailer.ts";
import { requestScope } from "./scope.ts";
import type { Secrets } from "./secrets.ts";
import { StartError } from "./start-error.ts";

export type LibraryParts = {
  engine: Engine;
  secrets: Secrets;
  siteUrl: string;
  files: ObjectFiles;
  send: (letter: Letter) => Promise<void>;
};

/** A session's token is good for an hour, as on a hosted project. */
const tokenSeconds = 3600;

/** The token in a mail's link is the hash of this many random digits: too many to guess. */
const codeDigits = 32;

/** The library as this shop uses it: data, accounts and files, no studio, no fallback page. */
export function createLibrary(parts: LibraryParts): App {
  setExperimental("storage", true);
  const app = new App({
    connection: parts.engine.connection,
    api: { enabled: true, schemas: ["public"], max_rows: 1000, pg_safe_update: true },
    auth: {
      enabled: true,
      jwt_secret: parts.secrets.jwtSecret,
      jwt_expiry: tokenSeconds,
      publishable_key: parts.secrets.publishableKey,
      secret_key: parts.secrets.secretKey,
      site_url: parts.siteUrl,
      additional_redirect_urls: [`${parts.siteUrl}/**`],
      minimum_password_length: 6,
      enable_refresh_token_rotation: true,
      email: { enable_signup: true, enable_confirmations: true, otp_length: codeDigits },
    },
    storage: { enabled: true, file_size_limit: "5MiB" },
    db: { migrations: { enabled: false } },
    studio: { enabled: false },
    options: { server: { disableStudio: true, disableFallback: true } },
  } as ConstructorParameters<typeof App>[0]);
  app._storageAdapter = parts.files;
  app._mailer = createMailer(parts.siteUrl, parts.send);
  keepRights(app);
  const normalize = parts.engine.connection.normalizeDbError.bind(parts.engine.connection);
  parts.engine.connection.normalizeDbError = (thrown) => {
    const error = normalize(thrown);
    const scope = requestScope.getStore();
    if (scope && isRefusal(error)) scope.refusal = error;
    return toAnswerableError(error);
  };
  return app as unknown as App;
}

/**
 * At its first request the library grants everything to everybody and leaves the rest to row level security, which
 * would undo the migrations' column rights. Saying that this has happened already prevents it. The field is
 * private, so its presence is checked; `checkRights` proves the effect.
 */
function keepRights(app: { connection: unknown }): void {
  const connection = app.connection as { rlsState?: string };
  if (connection.rlsState !== "unknown") {
    throw new StartError("This version of @supabase/lite does not fit: its rlsState has changed");
  }
  connection.rlsState = "active";
}

/** Sends the mail of a new account once more; the code itself stands in none of the shop's mails. */
export async function sendConfirmation(app: App, email: string, tokenHash: string): Promise<void> {
  await app._mailer?.sendConfirmation(email, tokenHash, "");
}
