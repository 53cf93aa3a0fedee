import { hundredthsOf, purchaseTable } from "#shared/orders/purchase-file.ts";
import type { Shop } from "#shared/owner/settings.ts";
import { csvBeginning, csvLine } from "#shared/tables/csv.ts";
import type { EmailPurchase } from "./claimed-email.ts";
import type { Attachment } from "./mail-server.ts";
import { purchasePdf } from "./purchase-pdf.ts";

/** The files of the email to a supplier, made when it is sent. */
export async function purchaseFiles(purchase: EmailPurchase, shop: Shop): Promise<Attachment[]> {
  const { name, headings, rows } = purchaseTable({
    ...purchase,
    lines: purchase.lines.map((line) => ({
      ...line,
      list_price: hundredthsOf(line.list_price),
      amount: hundredthsOf(line.amount),
    })),
  });
  return [
    {
      filename: `${name}.pdf`,
      content: await purchasePdf(purchase, { ...shop, ...purchase.shop }),
      contentType: "application/pdf",
    },
    {
      filename: `${name}.csv`,
      content: Buffer.from(csvBeginning(headings) + rows.map(csvLine).join("")),
      contentType: "text/csv; charset=utf-8",
    },
  ];
}
