import { LawDocument } from "#app/features/law/law-document.tsx";
import { deliveryAndReturns } from "#app/features/law/law-pages.ts";
import { lawBlocks } from "#app/features/law/law-values.ts";
import { pageHead } from "#app/features/site/head.ts";
import { pageContext } from "#app/lib/request-context.ts";
import { currentShop } from "#app/owner/current-shop.ts";
import type { Route } from "./+types/delivery-and-returns.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: deliveryAndReturns.label,
    description: `How ${currentShop().name} delivers school books in Ghana, what delivery costs, and how you return books and get your money back.`,
    path: deliveryAndReturns.to,
  });

export function loader({ context }: Route.LoaderArgs) {
  const shop = currentShop();
  return { note: null, blocks: lawBlocks(shop.deliveryAndReturns, shop, context.get(pageContext)) };
}

export default function DeliveryAndReturns({ loaderData }: Route.ComponentProps) {
  return <LawDocument title={deliveryAndReturns.label} {...loaderData} />;
}
