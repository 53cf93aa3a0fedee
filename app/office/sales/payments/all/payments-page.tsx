import { Link, useSearchParams } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { PaymentsToDecide } from "#app/office/sales/payments/payments-to-decide.tsx";
import { StatementPage } from "#app/office/sales/payments/statement/statement-page.tsx";
import { ClosingSheet } from "./closing-sheet.tsx";
import { PaymentTable } from "./payment-table.tsx";

const views = { all: "All payments", closing: "Closing a day" } as const;
const others = ["closing", "statement"];

export function PaymentsPage() {
  const view = useSearchParams()[0].get("view");
  const shown = others.find((other) => other === view) ?? "all";
  return (
    <AdminPage
      title="Payments"
      actions={
        shown !== "statement" && (
          <>
            <Link to="?view=statement" className={buttonClass({ className: "print:hidden" })}>
              Match a statement
            </Link>
            <Button variant="secondary" className="print:hidden" onClick={() => window.print()}>
              <OfficeIcon name="print" size={18} />
              Print
            </Button>
          </>
        )
      }
    >
      <PaymentsToDecide />
      <nav aria-label="Payments" className="mb-4 print:hidden">
        <ul className="flex gap-1">
          {Object.entries(views).map(([view, label]) => (
            <li key={view}>
              <Link
                to={view === "all" ? "?" : `?view=${view}`}
                aria-current={view === shown ? "page" : undefined}
                className="flex min-h-11 items-center rounded-control px-3 whitespace-nowrap hover:bg-tint aria-[current]:bg-green aria-[current]:font-semibold aria-[current]:text-white"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {shown === "all" && <PaymentTable />}
      {shown === "closing" && <ClosingSheet />}
      {shown === "statement" && <StatementPage />}
    </AdminPage>
  );
}
