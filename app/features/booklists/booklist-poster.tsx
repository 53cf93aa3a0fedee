import { Link } from "react-router";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import type { Booklist } from "./booklist.ts";
import { booklistAddress, formatBooklistCode } from "./booklist-code.ts";
import { PrintButton } from "./print-button.tsx";
import { QrCode } from "./qr-code.tsx";

type BooklistPosterProps = {
  list: Pick<Booklist, "code" | "school" | "class_name" | "school_year">;
  /** The QR code of the list's address: an SVG path on a grid of `size` units. */
  qr: { size: number; path: string };
  /** The address without its scheme. */
  address: string;
};

/** One A4 page for the notice board: the school and class, a QR code and the short address. */
export function BooklistPoster({ list, qr, address }: BooklistPosterProps) {
  const shop = currentShop();
  return (
    <div className="page pt-8 pb-20 print:p-0">
      <div className="mb-6 flex flex-wrap gap-x-6 text-15 print:hidden">
        <Link
          to={booklistAddress(list.code)}
          className="inline-flex min-h-11 items-center text-green underline underline-offset-4 hover:text-green-deep"
        >
          Back to the list
        </Link>
        <PrintButton label="Print this poster" />
      </div>
      <div className="mx-auto flex max-w-2xl flex-col items-center border border-line bg-surface px-6 py-10 text-center print:max-w-none print:border-0 print:py-0">
        <p className="text-20 text-muted">Booklist {list.school_year}</p>
        <h1 className="mt-2 text-32 wrap-anywhere sm:text-42">{list.school}</h1>
        <p className="mt-2 font-display text-25 font-semibold wrap-anywhere sm:text-32">{list.class_name}</p>
        <QrCode {...qr} label={`QR code of ${address}`} className="mt-8 w-full max-w-80 print:max-w-[11cm]" />
        <p className="mt-6 text-20">Scan the code with your phone's camera, or go to</p>
        <p className="figures mt-1 text-20 font-semibold wrap-anywhere sm:text-25">{address}</p>
        <p className="mt-4 text-17">
          List code: <span className="figures font-semibold">{formatBooklistCode(list.code)}</span>
        </p>
        <p className="measure mt-6 text-17 text-muted">
          See what your child needs, tick what you don't have yet, and order it from {shop.name}.{" "}
          {shop.phones[0]}
        </p>
      </div>
    </div>
  );
}
