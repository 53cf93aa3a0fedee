import { createAccountsApi } from "#server/api/accounts/accounts-api.ts";
import { createApi } from "#server/api/api.ts";
import { ObjectFiles } from "#server/api/storage/stored-files.ts";
import { openEmailTransport } from "#server/emails/email-transport.ts";
import { ensureSecrets } from "#server/lib/secrets.ts";
import type { Settings } from "#server/lib/settings.ts";
import { guardBooklistCodes } from "#server/shop/code-guesses.ts";
import { prepareFirstStart } from "#server/shop/first-start.ts";
import { shopIn } from "#server/shop/services.ts";
import { openSql } from "#tests/support/test-server.ts";

/** The embedded backend's parts, put together as `server/shop/assemble.ts` does it, over a database of the tests. */
export async function openBackend(settings: Settings) {
  const { sql, connections, close } = await openSql("migrated");
  const { siteUrl, dataDir } = settings;
  const secrets = await ensureSecrets(dataDir);
  await prepareFirstStart(settings, sql, secrets);
  const log = () => {};
  const post = openEmailTransport({ ...settings, readShop: shopIn(sql) }, log);
  const accounts = createAccountsApi({
    sql,
    secrets,
    siteUrl,
    readShop: shopIn(sql),
    sendEmail: post.send,
    log,
  });
  const files = new ObjectFiles(`${dataDir}/objects`);
  const api = await createApi({
    sql,
    connections,
    secrets,
    siteUrl,
    files,
    accounts: accounts.handle,
    guards: guardBooklistCodes(sql, secrets.jwtSecret),
    log,
  });
  return {
    publishableKey: secrets.publishableKey,
    fetch: api.handle,
    stop: async () => {
      await accounts.stop();
      await api.close();
      await post.stop();
      await close();
    },
  };
}
