import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { startOffline } from "./features/offline/late-offline.ts";
import { startSession } from "./features/session/start-session.ts";
import { logFailure } from "./lib/backend/failure-message.ts";
import { keepNumbersFromTheWheel } from "./lib/browser/number-inputs.ts";
import { sendReleaseWithData } from "./lib/browser/release.ts";

sendReleaseWithData();
startSession().finally(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter onError={(error) => logFailure("Failed to show a page", error)} />
      </StrictMode>,
      // The router's boundaries catch render errors, and onError above logs them.
      { onCaughtError: () => {} },
    );
  }),
);
startOffline();
keepNumbersFromTheWheel();
