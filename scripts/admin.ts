import { CommandError, runCommand } from "./command.ts";
import { connectAsOwner } from "./owner-client.ts";

/* npm run admin -- e-mail: makes an account that exists an admin, on every backend, also while the shop runs. */

await runCommand(async ([email, ...more]) => {
  if (!email?.includes("@") || more.length > 0) throw new CommandError("Usage: npm run admin -- e-mail");
  const { client, close } = await connectAsOwner(process.env);
  try {
    const found = await client
      .from("profiles")
      .select("id, user_roles(role)")
      .eq("email", email.trim().toLowerCase())
      .maybeSingle();
    if (found.error) throw new CommandError(`The account cannot be looked up: ${found.error.message}`);
    if (!found.data) {
      throw new CommandError(`There is no account with the e-mail ${email}: sign up in the shop first.`);
    }
    if (found.data.user_roles.some(({ role }) => role === "admin")) {
      console.log(`${email} is an admin already.`);
      return;
    }
    const made = await client.from("user_roles").insert({ user_id: found.data.id, role: "admin" });
    if (made.error) throw new CommandError(`The role cannot be given: ${made.error.message}`);
    console.log(`${email} is now an admin.`);
  } finally {
    await close();
  }
});
