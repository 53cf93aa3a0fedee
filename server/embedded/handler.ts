import type { App } from "@supabase/lite";
import { boundedBody } from "./gaps/bounded-body.ts";
import type { Backstage, Exchange, Gap, Next } from "./gaps/gap.ts";
import { hiddenConfirmation } from "./gaps/hidden-confirmation.ts";
import { limitedMails, limitedPeers, limitedSignIns } from "./gaps/limited-attempts.ts";
import { otherSessions } from "./gaps/other-sessions.ts";
import { ownRefusals } from "./gaps/own-refusals.ts";
import { plainAccounts, plainFiles, plainQuestions } from "./gaps/plain-questions.ts";
import { plainUpload } from "./gaps/plain-upload.ts";
import { publicObjects } from "./gaps/public-objects.ts";
import { mailAgain, repeatedSignUp } from "./gaps/repeated-signup.ts";
import { safeHeaders } from "./gaps/safe-headers.ts";
import { servedPaths } from "./gaps/served-paths.ts";
import { untouchedLinks } from "./gaps/untouched-links.ts";
import { validBearer } from "./gaps/valid-bearer.ts";
import { type RequestScope, requestScope } from "./scope.ts";

/** Passes each request through the pieces that close the library's gaps, in this order, then to the library. */
export function createHandler(
  app: App,
  backstage: Backstage,
): (request: Request, peer: string) => Promise<Response> {
  const gaps: Gap[] = [
    safeHeaders,
    servedPaths,
    untouchedLinks,
    publicObjects,
    boundedBody,
    plainQuestions,
    plainAccounts,
    plainFiles,
    ownRefusals,
    validBearer,
    limitedPeers(),
    limitedSignIns(),
    hiddenConfirmation,
    limitedMails(),
    mailAgain,
    repeatedSignUp,
    otherSessions,
    plainUpload,
  ];
  const library: Next = ({ request, peer }) => app.fetch(request, { peerAddress: peer });
  const chain = gaps.reduceRight<Next>(
    (next, gap) => (exchange: Exchange) => gap(exchange, next, backstage),
    library,
  );
  return (request, peer) => {
    const url = new URL(request.url);
    const scope: RequestScope = { redirectTo: url.searchParams.get("redirect_to") };
    return requestScope.run(scope, () => chain({ request, url, peer }));
  };
}
