import { Link } from "react-router";
import { Icon } from "#app/components/icon.tsx";
import { useSiteSettings } from "#app/lib/site-settings.ts";
import type { Booklist } from "./booklist.ts";
import { booklistAddress } from "./booklist-code.ts";
import { BooklistOrder } from "./booklist-order.tsx";
import { PrintButton } from "./print-button.tsx";

const link =
  "inline-flex min-h-11 items-center gap-2 text-green underline underline-offset-4 hover:text-green-deep";

/**
 * A class's list: what to buy, what it costs, and one button for all of it. Printed, it is a sheet for the notice
 * board.
 */
export function BooklistPage({ list }: { list: Booklist }) {
  const { siteUrl } = useSiteSettings();
  const address = siteUrl + booklistAddress(list.code);
  const share = `${list.school}, ${list.class_name}, booklist ${list.school_year}: ${address}`;
  return (
    <div className="page pt-8 pb-20 sm:pt-12 print:p-0">
      <p className="text-15 text-muted">Booklist {list.school_year}</p>
      <h1 className="mt-1 text-32 wrap-anywhere sm:text-42 print:text-25">
        <bdi>{list.class_name}</bdi>, <bdi>{list.school}</bdi>
      </h1>
      {list.introduction && (
        <p className="measure mt-4 whitespace-pre-line wrap-anywhere print:text-13">{list.introduction}</p>
      )}
      <p className="figures mt-4 hidden text-13 print:block">
        Order these books at <span className="font-semibold">{address}</span>
      </p>
      <div className="mt-4 flex flex-wrap gap-x-6 text-15 print:hidden">
        <a
          href={`https://wa.me/?text=${encodeURIComponent(share)}`}
          target="_blank"
          rel="noreferrer"
          className={link}
        >
          <Icon name="chat" size={18} />
          Share on WhatsApp
        </a>
        <Link to={`${booklistAddress(list.code)}/poster`} className={link}>
          Poster with QR code
        </Link>
        <PrintButton label="Print this list" />
      </div>
      {/* Choices made on one list must not carry over to another. */}
      <BooklistOrder key={list.code} list={list} />
    </div>
  );
}
