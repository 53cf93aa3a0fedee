import { formatPeriod } from "#shared/text/dates.ts";
import { formatCedis, pesewasFromCedis } from "#shared/text/money.ts";
import { isWebAddress } from "#shared/text/web-address.ts";
import type { EmailEvent, EmailRegistration, EmailSubscription } from "./claimed-email.ts";
import type { Block } from "./layout.ts";
import type { Content } from "./payment-email.ts";
import { oneLine } from "./typed-text.ts";

/*
 * Anyone can enter anyone's address, so these emails repeat nothing that a visitor typed: all their words are the shop's own.
 */

const text = (words: string): Block => ({ kind: "text", text: words });

function eventFacts(event: EmailEvent & { join_link?: string | null }): Block {
  const facts: [name: string, value: string][] = [
    ["Event", oneLine(event.title)],
    ["When", `${formatPeriod(event.starts_at, event.ends_at)} (Ghana time)`],
    [event.is_online ? "Online" : "Where", oneLine(event.place)],
    ["Price", event.price === 0 ? "Free" : `${formatCedis(pesewasFromCedis(event.price))} a person`],
  ];
  if (event.join_link && isWebAddress(event.join_link)) facts.push(["Link to join", event.join_link]);
  return { kind: "facts", facts };
}

const linkUrl = (siteUrl: string, action: string, { token }: { token: string }) =>
  `${siteUrl}/events/links/${action}?token=${token}`;

/** Where subscribers unsubscribe; email programs post there. */
export const unsubscribeUrl = (siteUrl: string, subscription: EmailSubscription): string =>
  linkUrl(siteUrl, "unsubscribe", subscription);

const eventLink = (siteUrl: string, { slug }: EmailEvent): Block => ({
  kind: "link",
  label: "View the event",
  url: `${siteUrl}/events/${slug}`,
});

/** How to give the place back. */
const cancelling = (siteUrl: string, registration: EmailRegistration): Block[] => [
  text(
    registration.state === "registered"
      ? "If you can't come, please cancel, so that someone else gets your place:"
      : "If you no longer want to come, please cancel:",
  ),
  { kind: "link", label: "Cancel my registration", url: linkUrl(siteUrl, "cancel", registration) },
];

/** To the person who registered: the place, or the waiting list. */
export function aboutRegistration(registration: EmailRegistration, siteUrl: string): Content {
  const { event, state } = registration;
  const hasPlace = state === "registered";
  return {
    subject: `${hasPlace ? "your place at" : "on the waiting list for"} ${oneLine(event.title)}`,
    heading: hasPlace ? "You have a place" : "You're on the waiting list",
    blocks: [
      text(
        hasPlace
          ? "Thank you for registering. We look forward to seeing you."
          : "All places are taken at the moment. If one becomes free, it goes to the first person on the waiting list. We'll email you if that's you.",
      ),
      eventFacts(event),
      eventLink(siteUrl, event),
      ...cancelling(siteUrl, registration),
    ],
  };
}

/** To someone on the waiting list who now has a place. */
export function aboutPlace(registration: EmailRegistration, siteUrl: string): Content {
  const { event } = registration;
  return {
    subject: `you now have a place at ${oneLine(event.title)}`,
    heading: "You now have a place",
    blocks: [
      text("A place has become free, and it's yours. You don't need to do anything."),
      eventFacts(event),
      eventLink(siteUrl, event),
      ...cancelling(siteUrl, registration),
    ],
  };
}

/** To everyone with a place or on the waiting list: a new time or place. */
export function aboutChangedEvent(registration: EmailRegistration, siteUrl: string): Content {
  const { event } = registration;
  return {
    subject: `${oneLine(event.title)}: new time or place`,
    heading: "The time or place has changed",
    blocks: [
      text(
        registration.state === "registered"
          ? "We had to change this event. You keep your place. Here are the new details:"
          : "We had to change this event. You are still on the waiting list. Here are the new details:",
      ),
      eventFacts(event),
      eventLink(siteUrl, event),
      ...cancelling(siteUrl, registration),
    ],
  };
}

/** To everyone with a place or on the waiting list: the event is cancelled. */
export function aboutCancelledEvent({ event }: EmailRegistration): Content {
  return {
    subject: `${oneLine(event.title)} is cancelled`,
    heading: "This event is cancelled",
    blocks: [
      text("We're sorry: this event will not take place. You don't need to do anything."),
      eventFacts({ ...event, join_link: null }),
    ],
  };
}

/** To an address that somebody entered: nothing else is sent to it until it is confirmed. */
export function aboutSubscription(subscription: EmailSubscription, siteUrl: string): Content {
  return {
    subject: "please confirm your email address",
    heading: "Emails about new events?",
    blocks: [
      text(
        "Someone, hopefully you, asked us to email this address when we announce an event. Please confirm that you want this:",
      ),
      { kind: "link", label: "Confirm my address", url: linkUrl(siteUrl, "confirm", subscription) },
      text("If it wasn't you, ignore this email. We won't email you again."),
    ],
  };
}

/** To everyone on the list: a new event. */
export function aboutNewEvent(subscription: EmailSubscription, siteUrl: string): Content {
  const { event } = subscription;
  if (!event) throw new Error("An email about a new event has no event");
  return {
    subject: `new event: ${oneLine(event.title)}`,
    heading: "A new event",
    blocks: [
      eventFacts(event),
      eventLink(siteUrl, event),
      text("You're getting this email because you asked for emails about our events. To unsubscribe:"),
      { kind: "link", label: "Unsubscribe", url: unsubscribeUrl(siteUrl, subscription) },
    ],
  };
}
