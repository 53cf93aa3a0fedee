import { LawDocument } from "#app/features/law/law-document.tsx";
import { readTermsPage } from "#app/features/law/law-page.ts";
import { terms } from "#app/features/law/law-pages.ts";
import { pageHead } from "#app/features/site/head.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import type { Route } from "./+types/terms.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: terms.label,
    description: `The terms on which ${currentShop().name} sells: who we are, orders, prices, payment, cancelling and your rights.`,
    path: terms.to,
  });

/** The terms that apply now or, with `?version=`, earlier ones. */
export const loader = ({ request, context }: Route.LoaderArgs) =>
  readTermsPage("terms", context.get(pageContext), request.url);

export default function Terms({ loaderData }: Route.ComponentProps) {
  return <LawDocument title={terms.label} {...loaderData} />;
}
