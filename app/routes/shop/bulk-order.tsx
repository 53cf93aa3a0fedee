import { PageIntro } from "#app/components/page-intro.tsx";
import { BulkOrderPad } from "#app/features/bulk-order/bulk-order-pad.tsx";
import { emailLink, whatsAppLink } from "#app/features/site/contact-links.ts";
import { pageHead } from "#app/features/site/head.ts";
import { bulkOrder } from "#app/features/site/navigation.ts";
import type { Route } from "./+types/bulk-order.ts";

const link = "text-green underline underline-offset-4 hover:text-green-deep";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: bulkOrder.label,
    description:
      "Order a whole school's books at once: paste ISBNs or titles with quantities from a spreadsheet, see prices and stock, and put everything into your cart.",
    path: bulkOrder.to,
  });

export default function BulkOrder() {
  return (
    <>
      <PageIntro title={bulkOrder.label}>
        <p>Paste your school's list, see what we have and what it costs, and put it all into your cart.</p>
      </PageIntro>
      <div className="page pt-8 pb-20 sm:pb-28">
        <div className="noscript:hidden">
          <BulkOrderPad />
        </div>
        <p className="hidden rounded-card border border-line bg-surface p-5 noscript:block">
          This page needs JavaScript. You can also send us your list{" "}
          <a href={whatsAppLink()} className={link}>
            by WhatsApp
          </a>{" "}
          or{" "}
          <a href={emailLink({ subject: "Bulk order", body: "" })} className={link}>
            by email
          </a>
          , and we'll prepare your order.
        </p>
      </div>
    </>
  );
}
