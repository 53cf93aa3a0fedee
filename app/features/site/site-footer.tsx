import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon, type IconName } from "#app/components/icon.tsx";
import { lawPages } from "#app/features/law/law-pages.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { shopPhoneLink, whatsAppLink } from "./contact-links.ts";
import { useMenuPublishers } from "./menu-publishers.ts";
import * as pages from "./navigation.ts";

function socialLinks(): { label: string; href: string; icon: IconName }[] {
  const { facebook, instagram, whatsApp } = currentShop();
  return [
    { label: "Facebook", href: facebook, icon: "facebook" },
    { label: "Instagram", href: instagram, icon: "instagram" },
    { label: "WhatsApp", href: whatsApp && whatsAppLink(), icon: "chat" },
  ];
}

const quickLinks = [
  pages.home,
  pages.about,
  pages.shopBooks,
  ...pages.services,
  pages.contact,
  ...pages.ordering,
];

export function SiteFooter() {
  const shop = currentShop();
  const publishers = useMenuPublishers();
  const links = shop.phones.map((words) => ({ href: shopPhoneLink(words), words }));
  if (shop.email) links.push({ href: `mailto:${shop.email}`, words: shop.email });
  return (
    <footer className="on-dark bg-green-deep text-white print:hidden">
      <div className="kente-strip" />
      <div className="page footer-columns">
        <div className="flex flex-wrap items-center justify-between sm:block">
          <p className="font-display text-25 font-bold">{shop.name}</p>
          <p className="order-last w-full text-15 text-tint sm:mt-3 sm:max-w-72">{`${shop.tagline}.`}</p>
          <ul className="flex gap-1 max-sm:-mr-2.5 sm:mt-5 sm:-ml-2.5">
            {socialLinks().map(
              ({ label, href, icon }) =>
                href && (
                  <li key={label}>
                    <a
                      href={href}
                      aria-label={label}
                      target="_blank"
                      rel="noreferrer"
                      className="social-link"
                    >
                      <Icon name={icon} size={22} />
                    </a>
                  </li>
                ),
            )}
          </ul>
        </div>
        <LinkList title="Quick Links" links={quickLinks} />
        {publishers.length > 0 && (
          <LinkList title="Publishers" links={[...publishers, pages.allPublishers]} />
        )}
        <div>
          {shop.address.length + links.length > 0 && (
            <>
              <Heading>Contact</Heading>
              <address className="mt-2 text-15 text-tint not-italic">
                <p>{shop.address.join(", ")}</p>
                <ul className="flex flex-wrap gap-x-6 sm:mt-1 sm:block">
                  {links.map(({ href, words }) => (
                    <li key={href}>
                      <a href={href} className={`${linkClass} figures`}>
                        {words}
                      </a>
                    </li>
                  ))}
                </ul>
              </address>
            </>
          )}
          {shop.openingHours.length > 0 && (
            <>
              <div className="mt-3 sm:mt-6">
                <Heading>Opening Hours</Heading>
              </div>
              <ul className="figures mt-2 text-15 text-tint">
                {shop.openingHours.map((hours) => (
                  <li key={hours}>{hours}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
      <nav aria-label="Terms and privacy" className="border-t border-green">
        <ul className="page flex flex-wrap gap-x-8 py-3 text-15">
          <LinkItems links={lawPages} />
        </ul>
      </nav>
    </footer>
  );
}

const linkClass = "footer-link";

function Heading({ children }: { children: ReactNode }) {
  return <h2 className="footer-heading">{children}</h2>;
}

function LinkList({ title, links }: { title: string; links: readonly pages.Destination[] }) {
  return (
    <nav aria-label={title}>
      <Heading>{title}</Heading>
      {/* On a phone in lines rather than one below the other: sixteen links would be a screen of their own. */}
      <ul className="flex flex-wrap gap-x-6 text-15 sm:mt-2 sm:block">
        <LinkItems links={links} />
      </ul>
    </nav>
  );
}

function LinkItems({ links }: { links: readonly pages.Destination[] }) {
  return links.map(({ label, to }) => (
    <li key={to}>
      <Link to={to} className={linkClass}>
        {label}
      </Link>
    </li>
  ));
}
