import { Link } from "react-router";
import { Icon } from "#app/components/icon.tsx";
import { storedSince } from "#app/lib/browser/offline.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { useHydrated } from "#app/lib/react/use-hydrated.ts";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { Booklist, BooklistLine } from "./booklist.ts";
import { booklistAddress } from "./booklist-code.ts";
import { BooklistOrder } from "./booklist-order.tsx";
import { PrintButton } from "./print-button.tsx";
import { QrCode } from "./qr-code.tsx";
import { totalFor } from "./ticks.ts";

const link =
  "inline-flex min-h-11 items-center gap-2 text-green underline underline-offset-4 hover:text-green-deep";

type BooklistPageProps = {
  list: Booklist;
  /** When the server read the list, as a timestamp. */
  readAt: string;
  /** The QR code of the list's address: an SVG path on a grid of `size` units. */
  qr: { size: number; path: string };
};

/**
 * A class's list: what to buy, what it costs, and one button for all of it. Printed, it is a sheet for the notice
 * board.
 */
export function BooklistPage({ list, readAt, qr }: BooklistPageProps) {
  const { siteUrl } = useSiteSettings();
  const [phone] = currentShop().phones;
  const address = siteUrl + booklistAddress(list.code);
  const share = `${list.school}, ${list.class_name}, booklist ${list.school_year}: ${address}`;
  return (
    <div className="page pt-8 pb-20 sm:pt-12 print:p-0">
      <div className="print:flex print:justify-between print:gap-8">
        <div>
          <p className="text-15 text-muted">Booklist {list.school_year}</p>
          <h1 className="mt-1 text-32 wrap-anywhere sm:text-42 print:text-25">
            <bdi>{list.class_name}</bdi>, <bdi>{list.school}</bdi>
          </h1>
          {list.introduction && (
            <p className="measure mt-4 whitespace-pre-line wrap-anywhere print:mt-2 print:text-13">
              {list.introduction}
            </p>
          )}
          <p className="figures mt-2 hidden text-13 wrap-anywhere print:block">
            Scan the code or order at <span className="font-semibold">{address}</span>.
            {phone && (
              <>
                {" "}
                Questions? Call <span className="whitespace-nowrap">{phone}</span>.
              </>
            )}
          </p>
        </div>
        <QrCode {...qr} label={`QR code of ${address}`} className="hidden w-[2.8cm] shrink-0 print:block" />
      </div>
      {/* Choices made on one list must not carry over to another. */}
      <BooklistOrder key={list.code} list={list} />
      <PrintedTotals lines={list.lines} readAt={readAt} />
      <section aria-labelledby="share-list" className="mt-12 border-t border-line pt-6 print:hidden">
        <h2 id="share-list" className="text-20">
          Share this list
        </h2>
        <div className="mt-2 flex flex-wrap gap-x-6 text-15">
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
      </section>
    </div>
  );
}

/** Includes sold-out books, because a printed sheet hangs on a wall for weeks. */
function PrintedTotals({ lines, readAt }: { lines: readonly BooklistLine[]; readAt: string }) {
  // What the server sends is current: its time is when the browser has it, unless it comes from the browser's own store.
  const isHydrated = useHydrated();
  const pricesOf = isHydrated ? (storedSince() ?? new Date().toISOString()) : readAt;
  const required = lines.filter((line) => line.is_required);
  return (
    <div className="mt-3 hidden break-inside-avoid text-13 print:block">
      <dl className="figures ml-auto grid w-fit grid-cols-[auto_auto] gap-x-6 text-right [&>dd]:font-semibold">
        <dt>Required, for one pupil</dt>
        <dd>{formatCedis(totalFor(required, 1))}</dd>
        {required.length < lines.length && (
          <>
            <dt>With everything optional</dt>
            <dd>{formatCedis(totalFor(lines, 1))}</dd>
          </>
        )}
      </dl>
      <p className="mt-1 text-right text-muted">Prices of {formatDay(pricesOf)}. They may change.</p>
    </div>
  );
}
