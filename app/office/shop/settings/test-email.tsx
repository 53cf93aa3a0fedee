import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { noteOpeningDone, sendTestEmail } from "./setting.admin-queries.ts";

/** Sends an email to the owner, and shows what the mail server says to it. */
export function TestEmail() {
  const test = useAdminMutation({
    run: async (client) => {
      const result = await sendTestEmail(client);
      if (result.sent) await noteOpeningDone(client, "mail");
      return result;
    },
    success: () => null,
    failure: "Failed to send the test email",
    // A slow mail server has a minute to respond.
    long: true,
  });
  const { data, isPending } = test;
  return (
    <section aria-labelledby="test-email" className="mt-8 border-t border-line pt-5">
      <h2 id="test-email" className="text-20">
        Test email
      </h2>
      <p className="mt-1 mb-3 text-muted">
        Sends an email to your address for notices, as it is saved, and shows the mail server's response.
      </p>
      <Button variant="secondary" disabled={isPending} onClick={() => test.mutate(undefined)}>
        {isPending ? "Sending…" : "Send a test email"}
      </Button>
      {data && !isPending && (
        <div className="mt-4">
          <Callout tone={data.sent ? "success" : "warning"} scrollsIntoView>
            <p>{data.sent ? `The mail server took the email to ${data.to}.` : "The email was not sent."}</p>
            <p className="mt-1 font-mono text-13 wrap-anywhere">{data.response}</p>
          </Callout>
        </div>
      )}
    </section>
  );
}
