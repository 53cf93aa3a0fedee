import type { ReactNode } from "react";
import { UnsentEmails, useUnsentEmailCount } from "#app/office/frame/emails/unsent-emails.tsx";
import {
  PaymentsToDecide,
  usePaymentsToDecideCount,
} from "#app/office/sales/payments/payments-to-decide.tsx";

/**
 * What needs staff's attention, above the list of orders. When the page opens, the list stays hidden until these notices have
 * loaded, but for two seconds at most: a late one would shift the list and put another order's Delete button under the pointer.
 */
export function OrderNotices({ children }: { children: ReactNode }) {
  const payments = usePaymentsToDecideCount();
  const emails = useUnsentEmailCount();
  return (
    <>
      <PaymentsToDecide />
      <UnsentEmails />
      <div className={payments.isLoading || emails.isLoading ? "invisible animate-at-last" : undefined}>
        {children}
      </div>
    </>
  );
}
