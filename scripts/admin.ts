import { plainEmail } from "#server/lib/email-address.ts";
import { readSettings } from "#server/lib/settings.ts";
import { CommandError, runCommand } from "./command.ts";
import { askForAccount, connectAsOwner } from "./owner-client.ts";

/*
 * npm run admin -- email [--new-password]: makes an existing account an admin, on every backend, even while the shop
 * runs; --new-password gives it a new password, on the embedded backend.
 */

const usage = "Usage: npm run admin -- email [--new-password]";

async function giveNewPassword(email: string): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.hosted) throw new CommandError("A hosted project's passwords are changed in its dashboard.");
  const { password } = await askForAccount(settings, email, true);
  console.log(`New password of ${email}: ${password}`);
}

await runCommand(usage, async ([typed, flag, ...more]) => {
  if (!typed?.includes("@") || more.length > 0 || ![undefined, "--new-password"].includes(flag))
    throw new CommandError(usage);
  const email = plainEmail(typed) ?? typed;
  const { client, close } = await connectAsOwner(process.env);
  try {
    const found = await client
      .from("profiles")
      .select("id, user_roles(role)")
      .eq("email", email)
      .maybeSingle();
    if (found.error) throw new CommandError(`The account cannot be looked up: ${found.error.message}`);
    if (!found.data) {
      throw new CommandError(`No account has the email ${typed}: sign up in the shop first.`);
    }
    if (found.data.user_roles.some(({ role }) => role === "admin")) {
      if (!flag) console.log(`${typed} is an admin already.`);
    } else {
      const made = await client.from("user_roles").insert({ user_id: found.data.id, role: "admin" });
      if (made.error) throw new CommandError(`The role cannot be given: ${made.error.message}`);
      console.log(`${typed} is now an admin.`);
    }
  } finally {
    await close();
  }
  if (flag) await giveNewPassword(email);
});
