import type { ReactNode } from "react";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import type { DocumentSender } from "./document.ts";

type DocumentFrameProps = {
  /** The id of the title, unique on the page. */
  id: string;
  title: string;
  /** Number, date and so on; null leaves a row out. */
  facts: readonly (readonly [name: string, value: string | null])[];
  /** Who it is from, if not the shop as it is today. */
  sender?: DocumentSender;
  children: ReactNode;
};

/**
 * An A4 sheet with the shop's address: part of its page on screen, and all that is printed. The back office breaks words
 * anywhere; a document does so only in what people have typed, since columns of amounts would be narrowed to a digit.
 */
export function DocumentFrame({ id, title, facts, sender, children }: DocumentFrameProps) {
  return (
    <article
      aria-labelledby={id}
      className="rounded-card border border-line bg-surface p-4 wrap-normal sm:p-8 print:border-0 print:p-0 [&+&]:mt-8 print:[&+&]:mt-0 print:[&+&]:break-before-page"
    >
      <div className="flex flex-wrap justify-between gap-x-8 gap-y-5 border-b border-ink pb-5">
        <div>
          <h2 id={id} className="text-25">
            {title}
          </h2>
          <dl className="figures mt-2 grid grid-cols-[auto_1fr] gap-x-4 text-15">
            {facts.map(
              ([name, value]) =>
                value && (
                  <PaperFact key={name} name={name}>
                    {value}
                  </PaperFact>
                ),
            )}
          </dl>
        </div>
        <address className="text-15 not-italic sm:text-right">
          <Sender shop={sender ?? currentShop()} />
        </address>
      </div>
      {children}
    </article>
  );
}

/** The shop as papers name it. */
function Sender({ shop }: { shop: DocumentSender }) {
  const { name, legalName, registrationNumber, address, phones, email } = shop;
  const lines = [
    legalName,
    registrationNumber && `Registration number ${registrationNumber}`,
    ...address,
    phones[0],
    email,
  ];
  return (
    <>
      <strong className="font-display text-20">{name}</strong>
      {lines.map(
        (line) =>
          line && (
            <span key={line} className="block">
              {line}
            </span>
          ),
      )}
    </>
  );
}

function PaperFact({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </>
  );
}

/** A titled part of a document that is never split across pages. */
export function DocumentPart({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-6 break-inside-avoid text-15">
      <h3 id={id} className="font-sans font-semibold">
        {title}
      </h3>
      {children}
    </section>
  );
}

/** The addressee: the first line in larger type, without empty lines. */
export function DocumentRecipient({ title, lines }: { title: string; lines: readonly (string | null)[] }) {
  const [first, ...others] = lines.filter((line) => line !== null && line !== "");
  return (
    <div className="mt-5 text-15">
      <h3 className="font-sans text-13 text-muted">{title}</h3>
      <p className="text-17 font-semibold wrap-anywhere">{first}</p>
      {[...new Set(others)].map((line) => (
        <p key={line} className="wrap-anywhere whitespace-pre-line">
          {line}
        </p>
      ))}
    </div>
  );
}

/** The order's name and date above its table's headings: browsers repeat both on every printed page. */
export function DocumentPageHead({ children }: { children: string }) {
  return (
    <tr>
      <td colSpan={4} className="pb-2 text-17 font-semibold text-ink">
        {children}
      </td>
    </tr>
  );
}

/** The part below the table, kept on one page. It is the table's last row, so that a separate page still has the headings. */
export function DocumentEnd({ children }: { children: ReactNode }) {
  return (
    <tbody>
      <tr className="break-inside-avoid">
        <td colSpan={4}>{children}</td>
      </tr>
    </tbody>
  );
}

/** A column's heading in a document's table. */
export function DocumentHeading({ className, children }: { className: string; children: string }) {
  return (
    <th scope="col" className={`py-1 font-semibold whitespace-nowrap not-first:pl-3 ${className}`}>
      {children}
    </th>
  );
}

/** A list of amounts at the end of a table, its last one, the total, larger. */
export function DocumentTotals({ children }: { children: ReactNode }) {
  return (
    <dl className="figures mt-4 ml-auto grid max-w-xs break-inside-avoid grid-cols-[1fr_auto] gap-y-1 text-15 [&>dd]:pl-6 [&>dd]:text-right">
      {children}
    </dl>
  );
}

export function DocumentTotal({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt className="mt-2 border-t border-line pt-2 text-17 font-semibold">{name}</dt>
      <dd className="mt-2 border-t border-line pt-1 font-display text-25 font-semibold">{children}</dd>
    </>
  );
}
