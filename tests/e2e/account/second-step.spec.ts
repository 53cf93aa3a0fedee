import { dataOf } from "#tests/support/factories.ts";
import { appCode, freshStep } from "#tests/support/second-step.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";

const shots = process.env.SHOTS;

for (const width of [360, 1280]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("staff set up a second step, sign in with it, with a recovery code, and remove it", async ({
      page,
      context,
      admin,
      member,
      signIn,
      consoleLines,
    }) => {
      consoleLines.expect(/Failed to check the code \(BackendFailure: 422/);
      consoleLines.expect(/Failed to check the code \(TypeError: Failed to fetch/);
      const shot = async (name: string) => {
        if (shots) await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true });
      };
      await dataOf(admin.client.rpc("change_duties", { _user_id: member.id, _give: ["orders"] }));
      await signIn(context, member);
      // It waits for the next code of the app, twice at most.
      test.setTimeout(180_000);
      await page.goto("/account");
      const section = page.getByRole("region", { name: "Sign-in and security" });
      await expect(section.getByText("This device")).toBeVisible();
      await section.getByRole("button", { name: "Set Up" }).click();
      await expect(section.getByRole("img", { name: /QR code/ })).toBeVisible();
      const secret = ((await section.locator(".select-all").textContent()) ?? "").replaceAll(" ", "");
      await shot("set-up");
      const code = section.getByLabel("6-digit code from your app");
      await expect(code).toHaveAttribute("autocomplete", "one-time-code");
      await code.fill("12345");
      await section.getByRole("button", { name: "Turn On" }).click();
      await expect(section.getByText("Enter the six digits that your app shows")).toBeVisible();
      await freshStep();
      await code.fill(appCode(secret, -1));
      await section.getByRole("button", { name: "Turn On" }).click();
      const codes = section.getByRole("listitem").filter({ hasText: /^[a-z2-9]{5}-[a-z2-9]{5}$/ });
      await expect(codes).toHaveCount(10);
      const [recovery = ""] = await codes.allTextContents();
      await shot("codes");
      await expectAccessibleAtWidths(page, [width]);
      await section.getByRole("button", { name: "I've Saved Them" }).click();
      await expect(section.getByText("Recovery codes left: 10")).toBeVisible();

      // The password alone leads to the code, in the back office too.
      await context.clearCookies();
      await page.evaluate(() => localStorage.clear());
      await page.goto("/auth");
      const signInWithPassword = async () => {
        await page.getByLabel("Email").fill(member.email);
        await page.getByLabel("Password", { exact: true }).fill(member.password);
        await page.locator("form").getByRole("button", { name: "Sign In" }).click();
        await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
      };
      await signInWithPassword();
      await page.goto("/admin");
      await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
      await shot("code");
      await expectAccessibleAtWidths(page, [width]);
      const typed = page.getByLabel("6-digit code from your app");
      const wrong = appCode(secret) === "111111" ? "222222" : "111111";
      await typed.fill(`${wrong.slice(0, 3)} ${wrong.slice(3)}`);
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByText("This code is wrong or has already been used")).toBeVisible();
      // Without a connection, the input stays.
      const now = appCode(secret);
      await typed.fill(now);
      await context.setOffline(true);
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("button", { name: "Continue" })).toBeEnabled();
      await expect(typed).toHaveValue(now);
      await context.setOffline(false);
      await typed.fill(appCode(secret));
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page).toHaveURL(/\/shop/);
      await page.goto("/admin/orders");
      await expect(page.getByRole("heading", { name: /^Order/, level: 1 })).toBeVisible();

      await page.evaluate(() => localStorage.clear());
      await page.goto("/auth");
      await signInWithPassword();
      await page.getByRole("button", { name: "Use a recovery code" }).click();
      await page.getByLabel("Recovery code").fill(recovery.toUpperCase());
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page).toHaveURL(/\/shop/);
      await page.goto("/account");
      await expect(section.getByText("Recovery codes left: 9")).toBeVisible();
      await shot("account");
      const others = section.getByRole("button", { name: /^End: / });
      const before = await others.count();
      expect(before).toBeGreaterThan(0);
      await others.first().click();
      await expect(others).toHaveCount(before - 1);
      await section.getByRole("button", { name: "Remove" }).click();
      await freshStep();
      await section.getByLabel("6-digit code from your app").fill(appCode(secret, 1));
      await section.getByRole("button", { name: "Remove" }).click();
      await expect(section.getByRole("button", { name: "Set Up" })).toBeVisible();
    });
  });
}
