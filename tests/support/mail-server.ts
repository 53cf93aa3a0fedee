import { onTestFinished } from "vitest";
import { type Behaviour, type MailServer, openMailServer } from "./smtp-server.ts";

/** A mail server for one test. */
export async function startMailServer(
  behaviour: Behaviour = {},
): Promise<MailServer & { disconnect: () => void }> {
  const { stop, ...server } = await openMailServer(behaviour);
  onTestFinished(stop);
  return server;
}
