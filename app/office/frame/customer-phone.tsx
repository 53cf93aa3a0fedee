import { isPhone, phoneLink, whatsAppAddress, writtenPhone } from "#shared/text/phone.ts";

const linkClass = "inline-flex min-h-11 items-center font-semibold text-green underline @4xl:min-h-6";

/** A customer's phone number, with links that call it and open a chat. */
export function CustomerPhone({ number }: { number: string }) {
  const written = writtenPhone(number);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <span>{written}</span>
      {isPhone(number) && (
        <>
          <a href={phoneLink(number)} className={linkClass} aria-label={`Call ${written}`}>
            Call
          </a>
          <a
            href={whatsAppAddress(number)}
            target="_blank"
            rel="noreferrer"
            className={linkClass}
            aria-label={`WhatsApp ${written}`}
          >
            WhatsApp
          </a>
        </>
      )}
    </span>
  );
}
