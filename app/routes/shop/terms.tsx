import { LawDocument } from "#app/features/law/law-document.tsx";
import { terms } from "#app/features/law/law-pages.ts";
import { lawBlocks } from "#app/features/law/law-values.ts";
import { findCurrentTerms, findTerms } from "#app/features/law/terms.queries.ts";
import { pageHead } from "#app/features/site/head.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { formatDay } from "#app/lib/dates.ts";
import { isBackendFailure, logFailure } from "#app/lib/failure-message.ts";
import { pageContext } from "#app/lib/request-context.ts";
import { currentShop } from "#app/owner/current-shop.ts";
import type { Route } from "./+types/terms.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: terms.label,
    description: `The terms on which ${currentShop().name} sells: who we are, orders, prices, payment, cancelling and your rights.`,
    path: terms.to,
  });

/** The terms that apply now or, with `?version=`, earlier ones: orders name theirs. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const page = context.get(pageContext);
  const shop = currentShop();
  const asked = new URL(request.url).searchParams.get("version") ?? "";
  const found = await findVersion(page.backend, asked);
  return {
    note: found && `Version ${found.version}, from ${formatDay(found.published_at)}`,
    blocks: lawBlocks(found?.terms || shop.terms, shop, page),
  };
}

/** The page is shown without a version while the backend does not respond. */
async function findVersion(backend: BackendClient, asked: string) {
  try {
    const named = /^[1-9]\d{0,8}$/.test(asked) ? await findTerms(backend, Number(asked)) : null;
    return named ?? (await findCurrentTerms(backend));
  } catch (error) {
    if (!isBackendFailure(error)) throw error;
    logFailure("Failed to read the terms", error);
    return null;
  }
}

export default function Terms({ loaderData }: Route.ComponentProps) {
  return <LawDocument title={terms.label} {...loaderData} />;
}
