import { useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { InputField } from "#app/components/field.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { getBackend } from "#app/features/session/backend.ts";
import type { Staff } from "#app/features/session/staff.queries.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { readSetting } from "#app/lib/browser/env.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { saveFile } from "#app/lib/browser/save-file.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { checkCode } from "./code-step.tsx";
import {
  beginSetUp,
  enterCode,
  finishSetUp,
  isWrongCode,
  makeRecoveryCodes,
  type NewApp,
  readSecondStep,
  removeSecondStep,
} from "./second-step.queries.ts";
import { showAccountFailure } from "./show-account-failure.ts";

type Mode = "view" | "set-up" | "remove" | "new-codes";

/** Staff's second step at sign-in: setting it up, its recovery codes, and removing it. */
export function SecondStep({ userId, missing }: { userId: string; missing: Staff["missing"] }) {
  const [mode, setMode] = useState<Mode>("view");
  const [app, setApp] = useState<NewApp | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isRequired] = useState(missing === "factor");
  const [busy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const read = useRead(userId, async () => readSecondStep(await getBackend()), {
    onFailure: (error) => logFailure("Failed to read the second step", error),
  });

  async function begin() {
    if (busy) return;
    setBusy(true);
    try {
      requireConnection();
      setApp(await beginSetUp(await getBackend(), currentShop().name));
      setMode("set-up");
    } catch (error) {
      showAccountFailure("Failed to start setting up the second step", error);
    } finally {
      setBusy(false);
    }
  }

  function finish(made: readonly string[] | null) {
    setCodes(made);
    setApp(null);
    setMode("view");
    read.retry();
    heading.current?.focus();
  }

  if (missing === "code")
    return <Callout tone="warning">Enter your code first: sign out and sign in again.</Callout>;
  if (read.status === "loading" && mode === "view" && !codes) return <Skeleton className="h-32" />;
  if (read.status === "failed")
    return <LoadFailed text="We couldn't load your second step." onTryAgain={read.retry} />;
  const { isSetUp = false, codesLeft = null } = read.result ?? {};
  return (
    <div className="grid gap-4">
      <h3 ref={heading} tabIndex={-1} className="text-20 outline-none">
        Second step at sign-in
      </h3>
      {isRequired && !isSetUp && (
        <Callout tone="warning">
          The shop requires a second step for staff. Set it up to open the back office.
        </Callout>
      )}
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {mode === "view" && !codes && (
        <>
          <p>
            {isSetUp
              ? "Signing in needs your password and a code from your app."
              : "With a second step, signing in needs your password and a code from an app on your phone, so someone who learns your password still can't get in. Google Authenticator, Aegis and most password managers can show these codes."}
          </p>
          {isSetUp && codesLeft !== null && (
            <p>
              {codesLeft === 0 ? "No recovery codes are left" : `Recovery codes left: ${codesLeft}`}. Each
              lets you sign in once without your phone.
            </p>
          )}
          {isSetUp && codesLeft === null && (
            <p className="text-15 text-muted">
              This shop doesn't support recovery codes. If you lose your phone, an admin can remove the second
              step.
            </p>
          )}
          <div className="flex flex-wrap gap-3">
            {!isSetUp && (
              <Button busy={busy} onClick={() => void begin()}>
                Set Up
              </Button>
            )}
            {isSetUp && codesLeft !== null && (
              <Button variant="secondary" onClick={() => setMode("new-codes")}>
                New Recovery Codes
              </Button>
            )}
            {isSetUp && (
              <Button variant="danger" onClick={() => setMode("remove")}>
                Remove
              </Button>
            )}
          </div>
        </>
      )}
      {mode === "set-up" && app && (
        <>
          <NewAppSecret app={app} />
          <CodeForm
            button="Turn On"
            busyLabel="Turning on…"
            failure="Failed to turn the second step on"
            onCancel={() => setMode("view")}
            send={async (code) => {
              const backend = await getBackend();
              await finishSetUp(backend, app.factorId, code);
              showToast("success", "Signing in now needs a code");
              // The app is already active; without codes, the page offers to make them.
              finish(await makeRecoveryCodes(backend).catch(() => null));
            }}
          />
        </>
      )}
      {mode === "new-codes" && (
        <CodeForm
          button="Make New Codes"
          busyLabel="Making codes…"
          failure="Failed to make recovery codes"
          lead="Your current codes will stop working."
          onCancel={() => setMode("view")}
          send={async (code) => {
            const backend = await getBackend();
            await enterCode(backend, code);
            finish(await makeRecoveryCodes(backend));
          }}
        />
      )}
      {mode === "remove" && (
        <CodeForm
          button="Remove"
          busyLabel="Removing…"
          failure="Failed to remove the second step"
          lead="After that, your password alone lets you in. Your other devices are signed out."
          onCancel={() => setMode("view")}
          send={async (code) => {
            await removeSecondStep(await getBackend(), code);
            showToast("success", "The second step was removed");
            finish(null);
          }}
        />
      )}
    </div>
  );
}

const isHosted = () => readSetting("backendUrl") !== "";

/** What a hosted project's accounts can't do. */
export function HostedNote() {
  if (!isHosted()) return null;
  return (
    <p className="mt-4 text-15 text-muted">
      A device that you sign out here may keep working for up to an hour, and no email is sent about a sign-in
      on a new device.
    </p>
  );
}

function NewAppSecret({ app }: { app: NewApp }) {
  return (
    <ol className="grid list-decimal gap-4 pl-5">
      <li>
        <p>Scan this QR code with your app.</p>
        <img
          src={app.picture}
          alt="QR code for your app. You can type the code below instead."
          width={208}
          height={208}
          className="mt-3 border border-line bg-white"
        />
        <p className="mt-3">
          On this phone:{" "}
          <a href={app.uri} className="inline-flex min-h-11 items-center font-semibold text-green underline">
            open your app
          </a>
          , or type this code into it:
        </p>
        <p className="figures mt-1 text-17 font-semibold wrap-anywhere select-all">
          {app.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
        </p>
      </li>
      <li>Type the six digits that the app shows.</li>
    </ol>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join("\n");
  return (
    <div className="grid gap-3 rounded-card border border-line p-4">
      <p className="font-semibold">Your recovery codes</p>
      <p>
        Each lets you in once without your phone. They are shown only now: print them, or save them where you
        can find them without your phone.
      </p>
      <ul className="figures grid grid-cols-1 gap-x-6 gap-y-1 text-17 font-semibold sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          onClick={() =>
            saveFile(
              new Blob([`${currentShop().name}: recovery codes\n\n${text}\n`], { type: "text/plain" }),
              "recovery-codes.txt",
            )
          }
        >
          Download
        </Button>
        <Button onClick={onDone}>I've Saved Them</Button>
      </div>
    </div>
  );
}

type CodeFormProps = {
  button: string;
  busyLabel: string;
  failure: string;
  lead?: string;
  send: (code: string) => Promise<void>;
  onCancel: () => void;
};

function CodeForm({ button, busyLabel, failure, lead, send, onCancel }: CodeFormProps) {
  const { field, formProps, busy } = useForm({
    fields: { code: "" },
    rules: ({ code }) => ({ code: checkCode(code) }),
    async send({ code }, _, refuse) {
      try {
        requireConnection();
        await send(code);
      } catch (error) {
        if (!isWrongCode(error)) return showAccountFailure(failure, error);
        logFailure(failure, error);
        refuse({ code: "This code is wrong or has already been used. Wait for the next one." });
      }
    },
  });
  return (
    <form {...formProps} method="post" className="grid gap-4">
      {lead && <p>{lead}</p>}
      <InputField
        {...field("code")}
        label="6-digit code from your app"
        required
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={20}
        className="max-w-xs"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy}>
          {busy ? busyLabel : button}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
