import { startFromStorage } from "./backend.ts";
import { setLinkProblem } from "./email-link-store.ts";

/** In the URL when an emailed link led here; the code that handles it is fetched only then. */
const EMAIL_LINK = /access_token=|error_description=/;

/** Called once by the browser entry, before hydration: pages and history never see an emailed link's tokens. */
export async function startSession(): Promise<void> {
  const { hash, search } = window.location;
  if (!EMAIL_LINK.test(hash + search)) {
    startFromStorage();
    return;
  }
  try {
    const { openEmailLink } = await import("./open-email-link.ts");
    openEmailLink();
  } catch {
    // The link is still in the URL: a reload retries it.
    setLinkProblem("no_answer");
    startFromStorage();
  }
}
