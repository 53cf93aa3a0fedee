import { isBackendFailure, logFailure } from "#app/lib/backend/failure-message.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import type { PageContext } from "#app/lib/pages/request-context.ts";
import { formatDay } from "#shared/text/dates.ts";
import type { LawDocumentProps } from "./law-document.tsx";
import { deliveryAndReturns, terms } from "./law-pages.ts";
import { lawBlocks } from "./law-values.ts";
import { findCurrentTerms, findTerms } from "./terms.queries.ts";
import { versionBlocks } from "./terms-version.ts";

type TermsPage = Omit<LawDocumentProps, "title">;

/** The terms that apply now or, with `?version=`, earlier ones: orders name theirs. */
export async function readTermsPage(
  name: "terms" | "delivery_and_returns",
  page: PageContext,
  url: string,
): Promise<TermsPage> {
  const shop = currentShop();
  const { found, isNamed } = await findVersion(page, new URL(url).searchParams.get("version") ?? "");
  if (!found) {
    const text = name === "terms" ? shop.terms : shop.deliveryAndReturns;
    return { note: null, blocks: lawBlocks(text, shop, page), other: null };
  }
  const { label, to } = name === "terms" ? deliveryAndReturns : terms;
  return {
    note: `Version ${found.version}, from ${formatDay(found.published_at)}`,
    blocks: versionBlocks(name, found, shop, page),
    other: isNamed ? { label, to: `${to}?version=${found.version}` } : null,
  };
}

/** The page is shown without a version while the backend does not respond. */
async function findVersion({ backend }: PageContext, version: string) {
  try {
    const named = /^[1-9]\d{0,8}$/.test(version) ? await findTerms(backend, Number(version)) : null;
    return { found: named ?? (await findCurrentTerms(backend)), isNamed: named !== null };
  } catch (error) {
    if (!isBackendFailure(error)) throw error;
    logFailure("Failed to read the terms", error);
    return { found: null, isNamed: false };
  }
}
