import { phoneLinks } from "./phone-links.ts";

const linkClass = "inline-flex min-h-11 items-center font-semibold text-green underline @4xl:min-h-6";

/** A customer's phone number, with links that call it and open a chat. */
export function CustomerPhone({ number }: { number: string }) {
  const links = phoneLinks(number);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <span>{number}</span>
      {links && (
        <>
          <a href={links.call} className={linkClass} aria-label={`Call ${number}`}>
            Call
          </a>
          <a
            href={links.whatsApp}
            target="_blank"
            rel="noreferrer"
            className={linkClass}
            aria-label={`WhatsApp ${number}`}
          >
            WhatsApp
          </a>
        </>
      )}
    </span>
  );
}
