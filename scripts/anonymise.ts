import type { SupabaseClient } from "@supabase/supabase-js";
import { emptyHostedAccount } from "#server/hosted/accounts.ts";
import { hostedCalls } from "#server/hosted/calls.ts";
import { readSettings, type Settings } from "#server/lib/settings.ts";
import { countOf } from "#shared/text/count-of.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { CommandError, runCommand } from "./command.ts";
import { askToAnonymise, askToAnonymiseCaller, connectAsOwner } from "./owner-client.ts";

/*
 * npm run anonymise -- email [--yes]: anonymises a customer, on every backend, even while the shop runs. Without --yes
 * it only shows what would be forgotten. Orders stay, without a name. An account's id may be given instead of the
 * email, to repeat an interrupted run. A caller without an account is identified by email, phone number or order
 * number; --all forgets several people who share one.
 */

type Customer = { id: string; name: string | null };

/** Null when there is none; admins are refused, since the log of their actions would lose its actor. */
async function findCustomer(client: SupabaseClient, who: string): Promise<Customer | null> {
  const column = isUuid(who) ? "id" : "email";
  const found = await client
    .from("profiles")
    .select("id, full_name, user_roles(role)")
    .eq(column, who.trim().toLowerCase())
    .maybeSingle();
  if (found.error) throw new CommandError(`The customer cannot be looked up: ${found.error.message}`);
  if (!found.data) return null;
  if (found.data.user_roles.some(({ role }) => role === "admin")) {
    throw new CommandError(`${who} is an admin: take the role away first.`);
  }
  return { id: found.data.id, name: found.data.full_name };
}

/** What would be forgotten: see private.preview_anonymising. */
type Preview = Record<"quotes" | "reviews" | "consultations" | "registrations", number> & {
  orders: { number: number; name: string | null; status: string; total: number }[];
  problem: string | null;
};

/** The account, if there is one, and what would be forgotten. */
async function lookUp(who: string): Promise<{ customer: Customer | null; preview: Preview }> {
  const { client, close } = await connectAsOwner(process.env);
  try {
    const customer = isUuid(who) || who.includes("@") ? await findCustomer(client, who) : null;
    const { data, error } = await client.rpc("preview_anonymising", {
      _user_id: customer?.id ?? null,
      _who: isUuid(who) ? null : who,
    });
    if (error) throw new CommandError(error.message);
    return { customer, preview: data as Preview };
  } finally {
    await close();
  }
}

const inWords = new Intl.ListFormat("en-GB");

/** 'Ama Mensah (orders 1001 and 1004)'; the names of those who share an email or a number are folded to lower case. */
function peopleOf({ orders }: Preview): string[] {
  const people = Map.groupBy(
    orders.filter(({ name }) => name),
    ({ name }) => name?.trim().toLowerCase(),
  );
  return [...people.values()].map((own) => {
    const numbers = own.map(({ number }) => number).sort((one, other) => one - other);
    return `${own[0]?.name} (${numbers.length === 1 ? "order" : "orders"} ${inWords.format(numbers.map(String))})`;
  });
}

function describe(who: string, customer: Customer | null, preview: Preview): string[] {
  const { orders, quotes, reviews, consultations, registrations } = preview;
  const more = [
    [quotes, "quote"],
    [reviews, "review"],
    [consultations, "consultation"],
    [registrations, "registration"],
  ] as const;
  const counted = [
    countOf(orders.length, "order"),
    ...more.flatMap(([count, noun]) => (count > 0 ? [countOf(count, noun)] : [])),
  ];
  const account = customer ? [`the account (${customer.name ?? "no name"}), and `] : [];
  return [
    `This would permanently remove ${who}'s personal details: ${account.join("")}names and contact details in ${inWords.format(counted)}.`,
    ...orders
      .toSorted((one, other) => one.number - other.number)
      .map(
        ({ number, name, status, total }) =>
          `  Order ${number}: ${name ?? "without a name"}, ${status}, GH₵${total.toFixed(2)}`,
      ),
  ];
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

const usage = "Usage: npm run anonymise -- email, or a caller's phone number or order number [--yes] [--all]";

/** What has no such email or number. A phone number has more digits than an order's. */
function searched(who: string): string {
  if (isUuid(who)) return "no account has this id";
  if (who.includes("@")) return "no account, order by phone, consultation or registration has this email";
  return who.replaceAll(/\D/g, "").length <= 8
    ? "no order by phone has this number"
    : "no order by phone, consultation or registration has this number";
}

const isEmpty = ({ orders, quotes, reviews, consultations, registrations }: Preview) =>
  orders.length + quotes + reviews + consultations + registrations === 0;

await runCommand(usage, async (words) => {
  const flags = words.filter((word) => word.startsWith("-"));
  const [who, ...more] = words.filter((word) => !word.startsWith("-"));
  if (!who || more.length > 0 || flags.some((flag) => flag !== "--yes" && flag !== "--all"))
    throw new CommandError(usage);
  const settings = readSettings(process.env);
  const { customer, preview } = await lookUp(who);
  if (!customer && isEmpty(preview)) throw new CommandError(`Nothing found for ${who}: ${searched(who)}.`);
  const people = peopleOf(preview);
  const isShared = !customer && people.length > 1 && !flags.includes("--all");
  const shared = `${who} appears on orders for ${people.length} people: ${inWords.format(people)}.`;
  if (!flags.includes("--yes")) {
    console.log(describe(who, customer, preview).join("\n"));
    if (isShared) console.log(`${shared} To forget one of them, give the number of their order.`);
    console.log(
      preview.problem ??
        `Nothing has changed. To remove it: npm run anonymise -- ${JSON.stringify(who)} --yes${isShared ? " --all" : ""}`,
    );
    return;
  }
  if (preview.problem) throw new CommandError(preview.problem);
  if (isShared)
    throw new CommandError(
      `${shared} Give the number of one of their orders, or --all to forget them together.`,
    );
  const orders = customer ? await anonymise(customer.id, settings) : 0;
  const byPhone = isUuid(who) ? [] : await anonymiseCaller(who, settings);
  const entered = byPhone.length > 0 ? ` and those by phone (${byPhone.join(", ")})` : "";
  const remain = orders === 1 && entered === "" ? "remains" : "remain";
  console.log(
    `${who} has been anonymised; ${countOf(orders, "order")}${entered} ${remain} without a name. Existing backups still contain their data.`,
  );
});
