import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readSettings, type Settings } from "#server/lib/settings.ts";
import { checkBackup } from "#server/shop/backup/backup-file.ts";
import { restoreBackup } from "#server/shop/backup/restore.ts";
import { countOf } from "#shared/text/count-of.ts";
import { CommandError, runCommand } from "./command.ts";
import { describeManifest } from "./manifest-counts.ts";
import { fillHosted } from "./move-to-hosted.ts";
import { readAccounts } from "./moved-accounts.ts";
import { askForBackup, askToEmailMoved, connectAsOwner } from "./owner-client.ts";

/*
 * npm run move -- OLD [--yes]: moves a shop (books, covers, orders with their history, reviews, people, carts) to the backend
 * in the current settings, which must be new. OLD is the old shop's data folder, or a backup of it. Passwords are not
 * moved: each person gets an email to choose a new one. Without --yes it only says what would be moved, and how many
 * people would get that email.
 */

/** A backup of the old shop, made now if OLD is a data folder. */
async function backupOf(old: string, settings: Settings): Promise<string> {
  const found = await stat(old).catch(() => null);
  if (!found) throw new CommandError(`There is no ${old}`);
  if (found.isFile()) return old;
  if (!settings.hosted && old === settings.dataDir) {
    throw new CommandError("DATA_DIR names the old shop's folder: set it to the new one's");
  }
  if (!(await stat(join(old, "secrets.json")).catch(() => null))) {
    throw new CommandError(`${old} holds no shop`);
  }
  if (!(await stat(join(old, "database")).catch(() => null))) {
    throw new CommandError(
      `The database of ${old} is elsewhere: run "npm run backup" with the old settings and name that file`,
    );
  }
  const { path } = await askForBackup({ ...settings, hosted: null, databaseUrl: null, dataDir: old });
  console.log(`Backup of the old shop: ${path}`);
  return path;
}

/** A hosted project sends its ordinary email for a new password; its rate limit may stop them early. */
async function emailByProject(emails: string[], settings: Settings): Promise<number> {
  const { client } = await connectAsOwner(process.env);
  const redirectTo = `${settings.siteUrl}/auth/reset`;
  let sent = 0;
  for (const email of emails) {
    const { error } = await client.auth.resetPasswordForEmail(email, { redirectTo });
    if (error?.status === 429) break;
    if (!error) sent += 1;
  }
  return sent;
}

const usage = "Usage: npm run move -- OLD_DATA_FOLDER_OR_BACKUP [--yes]";

const moved = ["book", "order", "review", "profile"];

await runCommand(usage, async ([old, flag, ...more]) => {
  if (!old || old.startsWith("-") || (flag && flag !== "--yes") || more.length > 0)
    throw new CommandError(usage);
  const settings = readSettings(process.env);
  const path = await backupOf(resolve(old), settings);
  const accounts = await readAccounts(path);
  const emails = accounts.flatMap(({ email, canSignIn }) => (email && canSignIn ? [email] : []));
  if (!flag) {
    const { manifest } = await checkBackup(path);
    console.log(
      `This would move ${describeManifest(manifest, moved)}, and send ${countOf(emails.length, "person", "people")} an email to choose a new password.`,
    );
    console.log(`Nothing has changed. To move the shop: npm run move -- ${JSON.stringify(old)} --yes`);
    return;
  }
  const { manifest, leftOut } = settings.hosted
    ? await fillHosted(path, accounts, settings, process.env.SUPABASE_SECRET_KEY)
    : await restoreBackup(settings, path, { withPasswords: false });
  if (leftOut.length > 0)
    console.log(`Left out, because this version has no place for it: ${leftOut.join(", ")}.`);
  console.log(`Moved and compared: ${describeManifest(manifest, moved)}.`);
  const sent = settings.hosted
    ? await emailByProject(emails, settings)
    : (await askToEmailMoved(settings, emails)).sent;
  console.log(
    `${sent} of ${countOf(emails.length, "person", "people")} got an email to choose a new password.`,
  );
  if (sent < emails.length) console.log('The others choose one by "Forgot password?" on the sign-in page.');
});
