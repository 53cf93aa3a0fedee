import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Shop } from "#shared/owner/settings.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { isSlug } from "#shared/text/is-slug.ts";
import type { Backend } from "../api/backend.ts";
import { calendarFile } from "../emails/calendar-file.ts";
import { linkPage } from "../emails/link-page.ts";
import { clientAddress } from "../lib/client-address.ts";
import { log } from "../lib/log.ts";
import type { Settings } from "../lib/settings.ts";
import { callAsVisitor, readShopAsVisitor } from "./call-as-visitor.ts";

type RouteContext = Context<{ Bindings: HttpBindings }>;

/** A row of the database's find_event_link. */
type Link = { kind: string; state: string; title: string | null; starts_at: string | null };

type Action = {
  kind: "registration" | "subscription";
  /** The database's function, which takes the token. */
  call: string;
  /** A page that asks for confirmation, or says why there is nothing to do. */
  ask: (link: Link) => { title: string; text: string; button?: string };
  done: { title: string; text: string };
};

const named = ({ title, starts_at }: Link) =>
  `${title ?? "the event"}${starts_at ? `, ${formatMinute(starts_at)}` : ""}`;

const gone = {
  title: "You're not on our list",
  text: "This address gets no emails about new events. You can sign up again on our website.",
};

const actions: Readonly<Record<string, Action>> = {
  cancel: {
    kind: "registration",
    call: "cancel_event_registration",
    ask: (link) => {
      if (link.state === "over")
        return { title: "This event is over", text: "There is nothing left to cancel." };
      if (link.state === "cancelled")
        return { title: "Your registration is cancelled", text: `It was for ${named(link)}.` };
      return {
        title: "Cancel your registration?",
        text: `It is for ${named(link)}. ${link.state === "registered" ? "Your place will go to someone else." : "You will lose your place on the waiting list."}`,
        button: "Cancel registration",
      };
    },
    done: { title: "Your registration is cancelled", text: "Thank you for telling us." },
  },
  confirm: {
    kind: "subscription",
    call: "confirm_event_subscription",
    ask: ({ state }) => {
      if (state === "ended") return gone;
      if (state === "confirmed")
        return { title: "You're on our list", text: "We'll email you about each new event." };
      return {
        title: "Get an email about each new event?",
        text: "We'll add this address to our list. You can unsubscribe at any time.",
        button: "Yes, email me",
      };
    },
    done: { title: "You're on our list", text: "We'll email you about each new event." },
  },
  unsubscribe: {
    kind: "subscription",
    call: "unsubscribe_from_events",
    ask: ({ state }) =>
      state === "ended"
        ? gone
        : {
            title: "Stop emails about new events?",
            text: "We'll remove this address from our list.",
            button: "Unsubscribe",
          },
    done: { title: "You have unsubscribed", text: "We won't email this address about new events again." },
  },
};

const unknown = {
  title: "This link doesn't work",
  text: "It is too old, or part of it is missing. Please copy the whole link from the email, or call us.",
};
/** The database's format; a truncated token, or one with an invisible character, matches no link. */
const tokenForm = /^[0-9a-f]{32}$/;
const failed = { title: "Something went wrong on our side", text: "Please try again in a moment." };

/**
 * The web server's routes below /events: calendar files, and the links in emails. All other paths there are
 * pages.
 */
export function eventRoutes(settings: Settings, backend: Backend): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();

  const call = (c: RouteContext, name: string, args: object) =>
    callAsVisitor(backend, name, { args, clientIp: clientAddress(c.env.incoming, settings) });

  /**
   * The rows that a function returns.
   * @throws Error when the backend does not respond with any
   */
  async function read<Row>(c: RouteContext, name: string, args: object): Promise<Row[]> {
    const response = await call(c, name, args);
    if (!response.ok) throw new Error(`The backend responded with ${response.status}`);
    return (await response.json()) as Row[];
  }

  async function calendarOf(c: RouteContext, _slug: string): Promise<Response> {
    const [event] = isSlug(_slug) ? await read<PublicEvent>(c, "find_event", { _slug }) : [];
    if (!event) return c.text("There is no such event.", 404);
    const { name } = await readShopAsVisitor(backend);
    return c.body(toCalendar(event, settings.siteUrl, name), 200, {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": `attachment; filename="${event.slug}.ics"`,
      "Cache-Control": "no-cache",
    });
  }

  /** Mail programs also post here, without showing the page (RFC 8058). */
  async function linkedPage(c: RouteContext, name: string): Promise<Response> {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    const _token = c.req.query("token") ?? "";
    const link = { label: "Events and trainings", path: "/events" };
    let shop: Pick<Shop, "name"> = { name: new URL(settings.siteUrl).host };
    try {
      shop = await readShopAsVisitor(backend);
      const [found] = tokenForm.test(_token) ? await read<Link>(c, "find_event_link", { _token }) : [];
      if (!action || found?.kind !== action.kind)
        return linkPage({ shopName: shop.name, ...unknown, link, status: 404 });
      const { button, ...asked } = action.ask(found);
      if (c.req.method !== "POST" || !button)
        return linkPage({
          shopName: shop.name,
          ...asked,
          ...(button ? { button: { label: button, url: new URL(c.req.url) } } : { link }),
        });
      const response = await call(c, action.call, { _token });
      if (!response.ok) throw new Error(`The backend responded with ${response.status}`);
      return linkPage({ shopName: shop.name, ...action.done, link });
    } catch (error) {
      // Logs neither the token nor its user.
      log.warn("a link in an email about an event failed", { error: (error as Error).name });
      return linkPage({ shopName: shop.name, ...failed, status: 503 });
    }
  }

  // One pattern: with "/links/:action" beside "/:slug/event.ics", Hono would find the routes of every request in a slower way.
  routes.on(["GET", "POST"], "/:slug/:page", (c, next) => {
    const { slug, page } = c.req.param();
    if (page === "event.ics" && c.req.method !== "POST") return calendarOf(c, slug);
    return slug === "links" ? linkedPage(c, page) : next();
  });
  return routes;
}

type PublicEvent = {
  id: string;
  slug: string;
  title: string;
  description: string | null;
  is_online: boolean;
  place: string;
  starts_at: string;
  ends_at: string;
  state: string;
  revision: number;
  updated_at: string;
};

function toCalendar(event: PublicEvent, siteUrl: string, shopName: string): string {
  return calendarFile({
    uid: `${event.id}@${new URL(siteUrl).hostname}`,
    revision: event.revision,
    changedAt: new Date(event.updated_at),
    startsAt: new Date(event.starts_at),
    endsAt: new Date(event.ends_at),
    title: event.title,
    place: event.is_online ? `Online: ${event.place}` : event.place,
    description: event.description ?? "",
    url: `${siteUrl}/events/${event.slug}`,
    isCancelled: event.state === "cancelled",
    producer: shopName,
  });
}
