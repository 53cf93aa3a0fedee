import { createAccountsApi } from "#server/embedded/accounts/accounts-api.ts";
import { createApi } from "#server/embedded/api.ts";
import { openEmailTransport } from "#server/embedded/email-transport.ts";
import { ObjectFiles } from "#server/embedded/files.ts";
import { prepareFirstStart } from "#server/embedded/first-start.ts";
import { ensureSecrets } from "#server/embedded/secrets.ts";
import type { Settings } from "#server/shared/settings.ts";
import { openSql } from "#tests/support/test-server.ts";

/** The embedded backend's parts, put together in this process as `server/embedded/assemble.ts` does it in a process of its own. */
export async function openBackend(settings: Settings) {
  const { sql, connections, close } = await openSql("migrated");
  const { siteUrl, dataDir } = settings;
  const secrets = await ensureSecrets(dataDir);
  await prepareFirstStart(settings, sql, secrets);
  const log = () => {};
  const post = openEmailTransport(settings, log);
  const accounts = createAccountsApi({ sql, secrets, siteUrl, sendEmail: post.send, log });
  const files = new ObjectFiles(`${dataDir}/objects`);
  const api = await createApi({ sql, connections, secrets, files, accounts: accounts.answer, log });
  return {
    publishableKey: secrets.publishableKey,
    fetch: api.answer,
    stop: async () => {
      await accounts.stop();
      await api.close();
      await post.stop();
      await close();
    },
  };
}
