import { plainEmail } from "#server/lib/email-address.ts";
import { readSettings } from "#server/lib/settings.ts";
import { CommandError, runCommand } from "./command.ts";
import { askForAccount, connectAsOwner } from "./owner-client.ts";

/*
 * npm run admin -- email [--new-password]: makes an existing account an admin, on every backend, even while the shop
 * runs; --new-password gives it a new password, on the embedded backend.
 * npm run admin -- email --remove-second-step: for a lost phone; changes no role.
 * npm run admin -- --second-step-optional: staff no longer need a second step.
 */

const usage = `Usage: npm run admin -- email [--new-password]
       npm run admin -- email --remove-second-step
       npm run admin -- --second-step-optional`;

type Owner = Awaited<ReturnType<typeof connectAsOwner>>["client"];

async function asOwner(work: (client: Owner) => Promise<void>): Promise<void> {
  const { client, close } = await connectAsOwner(process.env);
  try {
    await work(client);
  } finally {
    await close();
  }
}

async function findAccount(client: Owner, typed: string) {
  const email = plainEmail(typed) ?? typed;
  const found = await client.from("profiles").select("id, user_roles(role)").eq("email", email).maybeSingle();
  if (found.error) throw new CommandError(`The account cannot be looked up: ${found.error.message}`);
  if (!found.data) throw new CommandError(`No account has the email ${typed}: sign up in the shop first.`);
  return found.data;
}

async function makeAdmin(client: Owner, typed: string, isQuiet: boolean): Promise<void> {
  const { id, user_roles: roles } = await findAccount(client, typed);
  if (roles.some(({ role }) => role === "admin")) {
    if (!isQuiet) console.log(`${typed} is an admin already.`);
    return;
  }
  const made = await client.from("user_roles").insert({ user_id: id, role: "admin" });
  if (made.error) throw new CommandError(`Could not make ${typed} an admin: ${made.error.message}`);
  console.log(`${typed} is now an admin.`);
}

async function removeSecondStep(client: Owner, typed: string): Promise<void> {
  const { id } = await findAccount(client, typed);
  const removed = await client.rpc("remove_second_step", { _user_id: id });
  if (removed.error) throw new CommandError(`The second step cannot be removed: ${removed.error.message}`);
  console.log(
    removed.data
      ? `The second step of ${typed} was removed, and they were signed out everywhere.`
      : `${typed} has no second step.`,
  );
}

async function makeOptional(client: Owner): Promise<void> {
  const name = "staffSecondStep";
  const found = await client.from("shop_settings").select("updated_at").eq("id", name).maybeSingle();
  const changed =
    found.error ??
    (
      await client.rpc("update_settings", {
        _values: { [name]: false },
        _seen: found.data ? { [name]: found.data.updated_at } : {},
      })
    ).error;
  if (changed) throw new CommandError(`The setting cannot be changed: ${changed.message}`);
  console.log("Staff no longer need a second step. Those who have one still use it.");
}

async function giveNewPassword(email: string): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.hosted) throw new CommandError("A hosted project's passwords are changed in its dashboard.");
  const { password } = await askForAccount(settings, email, true);
  console.log(`New password of ${email}: ${password}`);
}

await runCommand(usage, async ([typed, flag, ...more]) => {
  if (typed === "--second-step-optional" && flag === undefined) return asOwner(makeOptional);
  const flags = [undefined, "--new-password", "--remove-second-step"];
  if (!typed?.includes("@") || more.length > 0 || !flags.includes(flag)) throw new CommandError(usage);
  if (flag === "--remove-second-step") return asOwner((client) => removeSecondStep(client, typed));
  await asOwner((client) => makeAdmin(client, typed, flag !== undefined));
  if (flag) await giveNewPassword(plainEmail(typed) ?? typed);
});
