import { LawDocument } from "#app/features/law/law-document.tsx";
import { privacy } from "#app/features/law/law-pages.ts";
import { lawBlocks } from "#app/features/law/law-values.ts";
import { pageHead } from "#app/features/site/head.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import type { Route } from "./+types/privacy.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: privacy.label,
    description: `What ${currentShop().name} keeps of its customers, why, how long, who else receives it, and your rights.`,
    path: privacy.to,
  });

export function loader({ context }: Route.LoaderArgs) {
  const shop = currentShop();
  return { note: null, blocks: lawBlocks(shop.privacy, shop, context.get(pageContext)) };
}

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return <LawDocument title={privacy.label} {...loaderData} />;
}
