import { PageIntro } from "#app/components/page-intro.tsx";
import { PublisherGrid } from "#app/features/publishers/publisher-grid.tsx";
import { pageHead } from "#app/features/site/head.ts";
import type { Route } from "./+types/products.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: "Our Publishers",
    description:
      "Cambridge University Press, Collins, CGP, Hachette Learning, Schofield & Sims and Skoldo: what schools in Ghana order from each of them.",
    path: "/products",
  });

export default function Products() {
  return (
    <>
      <PageIntro title="Our Publishers">
        <p>Six publishers that teachers in Ghana ask for. Each page shows what schools order first.</p>
      </PageIntro>
      <div className="page pt-10 pb-20 sm:pb-28">
        <PublisherGrid level={2} />
      </div>
    </>
  );
}
