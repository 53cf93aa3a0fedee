import type { ReactNode } from "react";
import { Icon, IconShape } from "#app/components/icon.tsx";
import { whatsAppLink } from "#app/features/site/contact-links.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { phoneLink } from "#shared/text/phone.ts";

const linkClass =
  "figures -my-2 inline-flex min-h-11 max-w-full items-center [overflow-wrap:anywhere] text-green underline decoration-line-strong underline-offset-4 hover:decoration-green";

const iconClass = "mt-0.5 shrink-0";

/** Of this page alone: the icons in icon.tsx are part of every page. */
const PIN = "M12 21c-4.6-4.7-7-8.2-7-11a7 7 0 0 1 14 0c0 2.8-2.4 6.3-7 11ZM12 7.5a2.5 2.5 0 1 0 .001 0";

/** How to reach the shop: each way that the owner has named. */
export function ContactDetails() {
  const { address, mapLink, phones, whatsApp, email, openingHours } = currentShop();
  return (
    <dl className="border-t border-line empty:hidden">
      {address.length > 0 && (
        <Row icon={<IconShape path={PIN} className={iconClass} />} label="Office">
          <address className="not-italic">
            {address.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </address>
          {mapLink && (
            <p className="mt-3">
              <a href={mapLink} target="_blank" rel="noreferrer" className={linkClass}>
                See it on a map
              </a>
            </p>
          )}
        </Row>
      )}
      {phones.length > 0 && (
        <Row icon={<Icon name="phone" className={iconClass} />} label="Phone">
          {phones.map((phone) => (
            <p key={phone} className="not-first:mt-3">
              <a href={phoneLink(phone)} className={linkClass}>
                {phone}
              </a>
            </p>
          ))}
        </Row>
      )}
      {whatsApp && (
        <Row icon={<Icon name="chat" className={iconClass} />} label="Chat">
          <a href={whatsAppLink()} target="_blank" rel="noreferrer" className={linkClass}>
            Chat on WhatsApp
          </a>
        </Row>
      )}
      {email && (
        <Row icon={<Icon name="mail" className={iconClass} />} label="Email">
          <a href={`mailto:${email}`} className={linkClass}>
            {email}
          </a>
        </Row>
      )}
      {openingHours.length > 0 && (
        <Row icon={<Icon name="clock" className={iconClass} />} label="Hours">
          {openingHours.map((hours) => (
            <span key={hours} className="figures block">
              {hours}
            </span>
          ))}
        </Row>
      )}
    </dl>
  );
}

function Row({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-2 border-b border-line py-4 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="flex items-start gap-2 text-15 text-muted sm:gap-3">
        {icon}
        {label}
      </dt>
      <dd className="max-sm:text-15">{children}</dd>
    </div>
  );
}
