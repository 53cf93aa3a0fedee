import type { ReactNode } from "react";
import { Icon, type IconName } from "#app/components/icon.tsx";
import { whatsAppLink } from "#app/features/site/contact-links.ts";
import { shop } from "#app/owner/shop.ts";

const linkClass =
  "figures -my-2 inline-flex min-h-11 max-w-full items-center [overflow-wrap:anywhere] text-green underline decoration-line-strong underline-offset-4 hover:decoration-green";

export function ContactDetails() {
  return (
    <dl className="border-t border-line">
      <Row icon="pin" label="Office">
        <address className="not-italic">
          {shop.address.map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </address>
      </Row>
      <Row icon="phone" label="Phone">
        {shop.phones.map(({ shown, tel }) => (
          <p key={tel} className="not-first:mt-3">
            <a href={`tel:${tel}`} className={linkClass}>
              {shown}
            </a>
          </p>
        ))}
      </Row>
      <Row icon="chat" label="Chat">
        <a href={whatsAppLink()} target="_blank" rel="noreferrer" className={linkClass}>
          Chat on WhatsApp
        </a>
      </Row>
      <Row icon="mail" label="Email">
        <a href={`mailto:${shop.email}`} className={linkClass}>
          {shop.email}
        </a>
      </Row>
      <Row icon="clock" label="Hours">
        {shop.openingHours.map((hours) => (
          <span key={hours} className="figures block">
            {hours}
          </span>
        ))}
      </Row>
    </dl>
  );
}

function Row({ icon, label, children }: { icon: IconName; label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-2 border-b border-line py-4 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="flex items-start gap-2 text-15 text-muted sm:gap-3">
        <Icon name={icon} className="mt-0.5 shrink-0" />
        {label}
      </dt>
      <dd className="max-sm:text-15">{children}</dd>
    </div>
  );
}
