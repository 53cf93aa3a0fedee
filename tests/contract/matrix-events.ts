import { randomUUID } from "node:crypto";
import { dataOf } from "#tests/support/factories.ts";
import type { AnyClient, ApiWorld } from "./matrix-world.ts";

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** An event that is published, with a registration, one that is a draft, and a subscriber. */
export function eventRenewals(staff: AnyClient, ids: ApiWorld["ids"]): ApiWorld["renew"] {
  Object.assign(ids, { soon: inDays(7), later: inDays(8) });
  const versionOf = async (id: string) =>
    (await dataOf(staff.from("events").select("slug, updated_at").eq("id", id).single())) as {
      slug: string;
      updated_at: string;
    };
  const newDraft = async () => {
    const id = randomUUID();
    const times = { _starts_at: ids.soon, _ends_at: ids.later };
    const event = { _id: id, _title: "A training", _kind: "training", _place: "Osu", _places: 5, ...times };
    await dataOf(staff.rpc("save_event", event));
    return { id, ...(await versionOf(id)) };
  };
  const newEvent = async () => {
    const { id, updated_at } = await newDraft();
    await dataOf(staff.rpc("set_event_state", { _id: id, _state: "published", _updated_at: updated_at }));
    Object.assign(ids, { event: id, event_slug: (await versionOf(id)).slug });
  };
  const newDraftEvent = async () => {
    const { id, updated_at } = await newDraft();
    Object.assign(ids, { draft_event: id, draft_event_version: updated_at });
  };
  const newRegistration = async () => {
    await newEvent();
    ids.registration = randomUUID();
    const person = { _name: "Ama Mensah", _email: "ama@school.example" };
    await dataOf(
      staff.rpc("add_event_registration", { _id: ids.registration, _event_id: ids.event, ...person }),
    );
  };
  return {
    events: newEvent,
    event_registrations: newRegistration,
    drop_event_registration: newRegistration,
    register_for_event: newEvent,
    set_event_state: newDraftEvent,
    delete_event: newDraftEvent,
    event_subscribers: async () => {
      const { error } = await staff.rpc("subscribe_to_events", { _email: "news@school.example" });
      if (error) throw error;
      const stored = staff.from("event_subscribers").select("id").eq("email", "news@school.example").single();
      ids.subscriber = (await dataOf(stored)).id;
    },
  };
}
