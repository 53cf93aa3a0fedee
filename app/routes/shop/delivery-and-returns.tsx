import { LawDocument } from "#app/features/law/law-document.tsx";
import { readTermsPage } from "#app/features/law/law-page.ts";
import { deliveryAndReturns } from "#app/features/law/law-pages.ts";
import { pageHead } from "#app/features/site/head.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import type { Route } from "./+types/delivery-and-returns.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: deliveryAndReturns.label,
    description: `How ${currentShop().name} delivers school books in Ghana, what delivery costs, and how you return books and get your money back.`,
    path: deliveryAndReturns.to,
  });

/** Those that apply now or, with `?version=`, those of an earlier version of the terms, which they are part of. */
export const loader = ({ request, context }: Route.LoaderArgs) =>
  readTermsPage("delivery_and_returns", context.get(pageContext), request.url);

export default function DeliveryAndReturns({ loaderData }: Route.ComponentProps) {
  return <LawDocument title={deliveryAndReturns.label} {...loaderData} />;
}
