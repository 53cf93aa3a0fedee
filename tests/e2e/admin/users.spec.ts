import { holdBack } from "#tests/support/intercept.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("the table shows name, email, role badge and date, and searches by name, email and phone", async ({
  page,
  newMember,
}) => {
  const [named, nameless] = [await newMember(), await newMember()];
  await named.client
    .from("profiles")
    .update({ full_name: "Searched Person", phone: "024 777 8899" })
    .eq("id", named.id);
  await nameless.client.from("profiles").update({ full_name: null }).eq("id", nameless.id);
  await openAdmin(page, "/admin/users", "User Management");
  await expect(page.getByText("Manage user accounts and permissions.")).toBeVisible();
  const table = page.getByRole("table", { name: "Users" });
  for (const name of ["Name", "Email", "Role", "Joined"])
    await expect(table.getByRole("columnheader", { name, exact: true })).toBeVisible();

  const search = page.getByRole("searchbox", { name: "Search name, email or phone" });
  for (const typed of ["searched per", named.email, "0247778899"]) {
    // From an empty list, so that the row can only be the answer.
    await search.fill("nobody has this name");
    await expect(page.getByText("No users found", { exact: true })).toBeVisible();
    await search.fill(typed);
    const row = table.getByRole("row").filter({ hasText: named.email });
    await expect(row).toContainText("Searched Person");
    await expect(row.getByRole("cell").nth(1)).toContainText("+233 24 777 8899");
    await expect(row.getByRole("cell").nth(2)).toHaveText("User");
    await expect(row.getByRole("cell").nth(3)).toHaveText(/^\d{1,2} \w+ \d{4}$/);
  }
  await search.fill(nameless.email);
  await expect(table.getByRole("row").filter({ hasText: nameless.email })).toContainText("Not provided");
});

test("changes a role after a question that names the person and what they may do; badge and filter follow", {
  tag: "@gate",
}, async ({ page, admin, member }) => {
  await openAdmin(page, `/admin/users?q=${member.email}`, "User Management");
  const row = page.getByRole("row").filter({ hasText: member.email });
  const selector = row.getByRole("combobox");
  const roles = () =>
    admin.client
      .from("user_roles")
      .select("role")
      .eq("user_id", member.id)
      .then(({ data }) => data?.map(({ role }) => role));
  await expect(selector.getByRole("option")).toHaveText(["User", "Moderator", "Admin"]);
  await expect(row.getByRole("button", { name: /^Change role/ })).toHaveCount(0);
  // One letter chooses, and changes nothing yet.
  await selector.press("a");
  await expect(selector).toHaveValue("admin");
  await expect(row).toContainText("An admin may do everything");
  await row.getByRole("button", { name: /^Change role .* to Admin$/ }).click();
  const question = page.getByRole("alertdialog", { name: /^Change the role of .* to Admin\?$/ });
  await expect(question).toContainText("An admin may do everything");
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(await roles()).toEqual([]);

  await selector.selectOption("moderator");
  await expect(row).toContainText("may see reviews with their authors, and hide or show them. Nothing else.");
  await row.getByRole("button", { name: /^Change role .* to Moderator$/ }).click();
  const release = await holdBack(page, /rest\/v1\/user_roles/);
  await page.getByRole("alertdialog").getByRole("button", { name: "Make Moderator" }).click();
  await expect(selector).toBeDisabled();
  release();
  await expectMessage(page, "User role updated to moderator");
  await expect(selector).toBeEnabled();
  await expect(row.getByRole("cell").nth(2)).toHaveText("ModeratorReviews");
  expect(await roles()).toEqual(["moderator"]);

  await page.getByLabel("Filter by role").selectOption("moderator");
  await expect(page).toHaveURL(/role=moderator/);
  await expect(row).toBeVisible();
  await selector.selectOption("user");
  await row.getByRole("button", { name: /^Change role/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Make User" }).click();
  await expectMessage(page, "User role updated to user");
  await expect(page.getByText("No users found", { exact: true })).toBeVisible();
});

test("a change that fails says so, with the reason", async ({ page, member, consoleLines }) => {
  consoleLines.expect(/^Failed to update user role/);
  await openAdmin(page, `/admin/users?q=${member.email}`, "User Management");
  const row = page.getByRole("row").filter({ hasText: member.email });
  await page.route(/rest\/v1\/user_roles/, (route) => route.abort());
  await row.getByRole("combobox").selectOption("admin");
  await row.getByRole("button", { name: /^Change role/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Make Admin" }).click();
  await expectMessage(
    page,
    "Failed to update user role",
    "We can't reach the shop right now. Please try again in a moment.",
  );
  await expect(row.getByRole("combobox")).toHaveValue("user");
});

test("a list that cannot be read says so, and tries again", async ({ page }) => {
  await page.route(/rpc\/admin_list_users/, (route) =>
    route.fulfill({ status: 400, json: { message: "x" } }),
  );
  await openAdmin(page, "/admin/users", "User Management");
  await expect(page.getByText("Failed to load users: Failed to fetch users")).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByRole("table", { name: "Users" }).getByRole("row").nth(1)).toBeVisible();
});
