import { countOf } from "#app/lib/count-of.ts";
import { isUuid } from "#app/lib/uuid.ts";
import { emptyHostedAccount } from "#server/hosted/accounts.ts";
import { hostedCalls } from "#server/hosted/calls.ts";
import { readSettings, type Settings } from "#server/lib/settings.ts";
import { CommandError, runCommand } from "./command.ts";
import { askToAnonymise, askToAnonymiseCaller, connectAsOwner } from "./owner-client.ts";

/*
 * npm run anonymise -- email: anonymises a customer, on every backend, even while the shop runs. Orders stay, without
 * a name. An account's id may be given instead of the email, to repeat an interrupted run. A caller without an
 * account is identified by email, phone number or order number.
 */

/**
 * The account's id, null when there is none; admins are refused, since the log of their actions would lose its actor.
 */
async function findCustomer(who: string): Promise<string | null> {
  const { client, close } = await connectAsOwner(process.env);
  try {
    const column = isUuid(who) ? "id" : "email";
    const found = await client
      .from("profiles")
      .select("id, user_roles(role)")
      .eq(column, who.trim().toLowerCase())
      .maybeSingle();
    if (found.error) throw new CommandError(`The customer cannot be looked up: ${found.error.message}`);
    if (!found.data) return null;
    if (found.data.user_roles.some(({ role }) => role === "admin")) {
      throw new CommandError(`${who} is an admin: take the role away first.`);
    }
    return found.data.id;
  } finally {
    await close();
  }
}

/** A hosted project's account first: the profile follows its address. */
async function anonymiseHosted(id: string, url: string, secretKey: string): Promise<number> {
  const call = hostedCalls(url, secretKey);
  try {
    await emptyHostedAccount(id, { url, secretKey });
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
  try {
    return (await call("anonymise_customer", { _user_id: id })) as number;
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(
      `The account is closed, but the shop's data has not been anonymised: ${message}. Run the command again with ${id}`,
    );
  }
}

async function anonymise(id: string, settings: Settings): Promise<number> {
  if (!settings.hosted) return (await askToAnonymise(settings, id)).orders;
  return anonymiseHosted(id, settings.hosted.url, process.env.SUPABASE_SECRET_KEY ?? "");
}

/** The numbers of the orders that staff entered for this caller, who has no account. */
async function anonymiseCaller(who: string, settings: Settings): Promise<number[]> {
  if (!settings.hosted) return askToAnonymiseCaller(settings, who);
  const { client, close } = await connectAsOwner(process.env);
  try {
    const { data, error } = await client.rpc("anonymise_caller", { _who: who });
    if (error) throw new CommandError(error.message);
    return (data as { number: number }[]).map(({ number }) => number);
  } finally {
    await close();
  }
}

const usage = "Usage: npm run anonymise -- email, or a caller's phone number or order number";

/** A phone number has more digits. */
const isOrderNumber = (who: string) => who.replaceAll(/\D/g, "").length <= 8;

const searched =
  "Registrations for events, requests for consultations and the list of new events were searched too: what was found there is deleted.";

await runCommand(usage, async ([who, ...more]) => {
  if (!who || who.startsWith("-") || more.length > 0) throw new CommandError(usage);
  const settings = readSettings(process.env);
  const isAccount = isUuid(who) || who.includes("@");
  const id = isAccount ? await findCustomer(who) : null;
  const orders = id ? await anonymise(id, settings) : 0;
  const byPhone = isUuid(who) ? [] : await anonymiseCaller(who, settings);
  if (!id && byPhone.length === 0)
    throw new CommandError(
      isAccount
        ? `No account and no order by phone has the email ${who}. ${searched}`
        : `No order by phone has the number ${who}.${isOrderNumber(who) ? "" : ` ${searched}`}`,
    );
  const entered = byPhone.length > 0 ? ` and those by phone (${byPhone.join(", ")})` : "";
  const remain = orders === 1 && entered === "" ? "remains" : "remain";
  console.log(
    `${who} has been anonymised; ${countOf(orders, "order")}${entered} ${remain} without a name. Existing backups still contain their data.`,
  );
});
