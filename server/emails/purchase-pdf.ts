import { setImmediate as letOthersRun } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import PDFDocument from "pdfkit";
import { formatAmount, formatBareAmount, hundredthsOf } from "#shared/orders/purchase-file.ts";
import type { Shop } from "#shared/owner/settings.ts";
import { formatDay } from "#shared/text/dates.ts";
import type { EmailPurchase } from "./claimed-email.ts";
import { printable } from "./printable.ts";
import { oneLine } from "./typed-text.ts";

/** Millimetres as points. */
const mm = (millimetres: number) => (millimetres * 72) / 25.4;

const [WIDTH, HEIGHT, MARGIN] = [mm(210), mm(297), mm(15)];
const RIGHT = WIDTH - MARGIN;
/** Above the line with the page's number. */
const BOTTOM = HEIGHT - mm(22);

const fontFile = (name: string) => fileURLToPath(new URL(`./fonts/${name}.ttf`, import.meta.url));

/** The right edges of the number columns, and the heading of each. */
const columns = [
  { heading: "Copies", right: RIGHT - mm(76), width: mm(16) },
  { heading: "List price", right: RIGHT - mm(50), width: mm(25) },
  { heading: "Discount", right: RIGHT - mm(30), width: mm(19) },
  { heading: "Amount", right: RIGHT, width: mm(29) },
] as const;
const BOOK_WIDTH = RIGHT - mm(94) - MARGIN;

const ink = "#1b1f1a";
const muted = "#565c52";
const line = "#8a8f85";

/** Text with line breaks, each line cleaned. */
const paragraphs = (text: string) => printable(text.split(/\r?\n/).map(oneLine).join("\n"));

/**
 * A purchase order on A4 for its supplier, with the table's header and a page number on every page. The same purchase
 * order always gives the same bytes.
 */
export async function purchasePdf(purchase: EmailPurchase, shop: Shop): Promise<Buffer> {
  const { reference, currency, lines } = purchase;
  const sentAt = new Date(purchase.sent_at);
  const pdf = new PDFDocument({
    size: [WIDTH, HEIGHT],
    margin: MARGIN,
    bufferPages: true,
    font: fontFile("print-regular"),
    lang: "en-GB",
    info: { Title: `Purchase order ${reference}`, Author: shop.name, CreationDate: sentAt, ModDate: sentAt },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
    pdf.on("end", resolve);
    pdf.on("error", reject);
  });
  pdf.registerFont("regular", fontFile("print-regular"));
  pdf.registerFont("bold", fontFile("print-bold"));

  const set = (font: "regular" | "bold", size: number, colour = ink) =>
    pdf.font(font).fontSize(size).fillColor(colour);
  /** Text in a box; returns the y below it. */
  const put = (text: string, x: number, y: number, width: number, align: "left" | "right" = "left") => {
    pdf.text(text, x, y, { width, align });
    return pdf.y;
  };
  const rule = (y: number, colour = line) =>
    pdf.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(colour).stroke();

  function tableHead(y: number): number {
    set("bold", 9, muted);
    put("Book", MARGIN, y, BOOK_WIDTH);
    for (const { heading, right, width } of columns)
      put(heading === "Amount" ? `Amount, ${currency}` : heading, right - width, y, width, "right");
    rule(y + mm(5.5));
    return y + mm(7);
  }
  function newPage(): number {
    pdf.addPage();
    return MARGIN;
  }

  // The head: the shop to the left, the facts to the right.
  set("bold", 14);
  let left = put(printable(shop.name), MARGIN, MARGIN, mm(95));
  set("regular", 9, muted);
  for (const text of [shop.legalName, ...shop.address, ...shop.phones, shop.email])
    if (text) left = put(printable(oneLine(text)), MARGIN, left, mm(95));
  set("bold", 16);
  let right = put("Purchase order", RIGHT - mm(80), MARGIN, mm(80), "right");
  set("regular", 10);
  right = put(reference, RIGHT - mm(80), right, mm(80), "right");
  right = put(formatDay(purchase.sent_at), RIGHT - mm(80), right, mm(80), "right");
  let y = Math.max(left, right) + mm(8);
  set("bold", 9, muted);
  y = put("To", MARGIN, y, mm(120));
  set("bold", 10);
  y = put(printable(oneLine(purchase.supplier_name)), MARGIN, y, mm(120));
  set("regular", 10);
  for (const text of [purchase.contact_name, purchase.email, purchase.phone])
    if (text) y = put(printable(oneLine(text)), MARGIN, y, mm(120));

  y = tableHead(y + mm(8));
  for (const [at, one] of lines.entries()) {
    // A thousand lines take a second or more, and the process also serves customers.
    if (at % 10 === 9) await letOthersRun();
    const title = printable(oneLine(one.title));
    const note = [one.isbn && `ISBN ${one.isbn}`, one.publisher].filter(Boolean).join(", ");
    const about = printable(oneLine(note));
    set("bold", 10);
    const titleHeight = pdf.heightOfString(title, { width: BOOK_WIDTH });
    set("regular", 9);
    const height = titleHeight + (about ? pdf.heightOfString(about, { width: BOOK_WIDTH }) : 0);
    // The total stays with the last line.
    const room = height + (at === lines.length - 1 ? mm(12) : 0);
    if (y + room > BOTTOM) y = tableHead(newPage());
    set("bold", 10);
    const below = put(title, MARGIN, y, BOOK_WIDTH);
    set("regular", 9, muted);
    if (about) put(about, MARGIN, below, BOOK_WIDTH);
    set("regular", 10);
    const cells = [
      one.copies.toLocaleString("en-GB"),
      formatBareAmount(hundredthsOf(one.list_price)),
      `${one.discount}%`,
      formatBareAmount(hundredthsOf(one.amount)),
    ];
    for (const [place, { right: edge, width }] of columns.entries())
      put(cells[place] ?? "", edge - width, y, width, "right");
    y += height + mm(1.5);
    rule(y, "#e3ded1");
    y += mm(1.5);
  }

  set("bold", 12);
  y = put(
    `Total ${formatAmount(hundredthsOf(purchase.total), currency)}`,
    MARGIN,
    y + mm(3),
    RIGHT - MARGIN,
    "right",
  );
  for (const [heading, text] of [
    ["Note", purchase.note],
    ["Terms", purchase.terms],
  ]) {
    if (!text) continue;
    set("regular", 10);
    const words = paragraphs(text);
    const height = pdf.heightOfString(words, { width: RIGHT - MARGIN }) + mm(12);
    if (y + height > BOTTOM) y = newPage();
    set("bold", 9, muted);
    y = put(heading ?? "", MARGIN, y + mm(5), RIGHT - MARGIN);
    set("regular", 10);
    y = put(words, MARGIN, y, RIGHT - MARGIN);
  }

  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    // Below the margin, where text would otherwise begin another page.
    pdf.page.margins.bottom = 0;
    set("regular", 8, muted);
    put(`${reference}, page ${page + 1} of ${count}`, MARGIN, HEIGHT - mm(15), RIGHT - MARGIN, "right");
  }
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}
