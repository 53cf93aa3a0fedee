import type { Shop } from "#shared/owner/settings.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { calendarFile } from "./calendar-file.ts";
import type { EmailConsultation } from "./claimed-email.ts";
import type { Block } from "./layout.ts";
import type { Attachment } from "./mail-server.ts";
import type { Content } from "./payment-email.ts";
import { oneLine, typedText } from "./typed-text.ts";

const facts = (all: [name: string, value: string][]): Block => ({
  kind: "facts",
  facts: all.filter(([, value]) => value !== ""),
});

const text = (words: string): Block => ({ kind: "text", text: words });

/** What staff wrote: its paragraphs, each on one line. */
const paragraphs = (words: string | null): Block[] =>
  (words ?? "")
    .split("\n")
    .map(oneLine)
    .filter((line) => line !== "")
    .map(text);

/** Only accounts have a list of requests. */
const accountLink = ({ has_account }: EmailConsultation, siteUrl: string): Block[] =>
  has_account ? [{ kind: "link", label: "See your requests", url: `${siteUrl}/account` }] : [];

/** To the owner: someone asks for a consultation. */
export function consultationRequested(consultation: EmailConsultation, siteUrl: string): Content {
  const { id, name, email, phone, institution, subject, classes, wished_days, about } = consultation;
  return {
    subject: "new consultation request",
    heading: "New consultation request",
    blocks: [
      facts([
        ["Name", typedText(name)],
        ["School or institution", typedText(institution)],
        // Checked when it was requested; staff copy it.
        ["Email", oneLine(email)],
        ["Phone", typedText(phone)],
        ["Subject", typedText(subject)],
        ["Classes", typedText(classes)],
        ["Days that suit them", typedText(wished_days)],
        ["What it is about", typedText(about)],
      ]),
      { kind: "link", label: "Answer the request", url: `${siteUrl}/admin/consultations/${id}` },
    ],
  };
}

/** To whoever asked. Anyone can enter anyone's address, so it repeats nothing that was typed. */
export function consultationReceived(consultation: EmailConsultation, siteUrl: string): Content {
  return {
    subject: "we've received your consultation request",
    heading: "We've received your request",
    blocks: [
      text(
        "Thank you for asking for a consultation. One of our advisers will read your request and get back to you.",
      ),
      ...accountLink(consultation, siteUrl),
      text("If you didn't ask for one, you can ignore this email."),
    ],
  };
}

/** To the customer: the answer from staff. */
export function consultationAnswered(consultation: EmailConsultation, siteUrl: string): Content {
  return {
    subject: "about your consultation request",
    heading: "About your consultation request",
    blocks: [
      ...paragraphs(consultation.answer),
      text("If you have a question, reply to this email or call us."),
      ...accountLink(consultation, siteUrl),
    ],
  };
}

/** The place, as a fact's name and value. */
function placeOf({ meets_how, meeting_place, phone }: EmailConsultation): [name: string, value: string] {
  if (meets_how === "phone") return ["We'll call you on", oneLine(meeting_place) || typedText(phone)];
  return [meets_how === "online" ? "Online" : "Place", oneLine(meeting_place)];
}

const HOUR_MS = 3_600_000;

/**
 * The calendar file that comes with a date, or removes a cancelled one. It lasts an hour, because calendars need an
 * end.
 */
export function dateFile(consultation: EmailConsultation, siteUrl: string, shop: Shop): Attachment {
  const { id, meets_at, cancelled_meets_at, revision, updated_at, has_account } = consultation;
  const isCancelled = meets_at === null;
  const method = isCancelled ? "CANCEL" : "PUBLISH";
  const startsAt = new Date(meets_at ?? cancelled_meets_at ?? updated_at);
  const content = calendarFile({
    uid: `${id}@${new URL(siteUrl).hostname}`,
    revision,
    changedAt: new Date(updated_at),
    startsAt,
    endsAt: new Date(startsAt.getTime() + HOUR_MS),
    title: `Consultation with ${shop.name}`,
    place: isCancelled ? "" : placeOf(consultation).join(": "),
    description: "",
    url: has_account ? `${siteUrl}/account` : siteUrl,
    isCancelled,
    sent: { method, from: shop.email },
    producer: shop.name,
  });
  return {
    filename: "date.ics",
    content: Buffer.from(content),
    contentType: `text/calendar; charset=utf-8; method=${method}`,
  };
}

/** To the customer: the day and time, also after a change. */
export function consultationDated(consultation: EmailConsultation, siteUrl: string): Content {
  const { meets_at, revision } = consultation;
  const isNew = revision === 1;
  return {
    subject: isNew ? "the date of your consultation" : "a new date for your consultation",
    heading: isNew ? "Your consultation" : "Your consultation has a new date",
    blocks: [
      facts([["When", meets_at ? `${formatMinute(meets_at)}, Ghana time` : ""], placeOf(consultation)]),
      text("If this time doesn't suit you, reply to this email or call us."),
      ...accountLink(consultation, siteUrl),
    ],
  };
}

/** To the customer: the date is cancelled, and there is no new one yet. */
export function consultationCancelled(consultation: EmailConsultation, siteUrl: string): Content {
  const { cancelled_meets_at: was } = consultation;
  return {
    subject: "your appointment has been cancelled",
    heading: "Your appointment has been cancelled",
    blocks: [
      text(
        was
          ? `We're sorry, but we have to cancel your appointment on ${formatMinute(was)}, Ghana time.`
          : "We're sorry, but we have to cancel your appointment.",
      ),
      text("To agree on another time, reply to this email or call us."),
      ...accountLink(consultation, siteUrl),
    ],
  };
}
