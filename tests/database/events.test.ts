import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { addStaff } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { addEvent, claimEmails, register, saveEvent, setEventState } from "#tests/support/events.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeOnOwnServerToo("Events", (open) => {
  let admin: SignedIn;
  let colleague: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    colleague = await addStaff(open(), "admin");
  });
  beforeEach(() =>
    open().run(
      "delete from public.outgoing_emails; delete from public.event_subscribers; delete from public.events",
    ),
  );

  const visitor = <T extends object>(sql: string, values: unknown[] = []) =>
    open().as({ role: "anon" }, (query) => query<T>(sql, values));
  const subscribe = (email: string) => visitor("select public.subscribe_to_events($1)", [email]);
  const press = async (name: string, token: string) =>
    (await visitor<{ known: boolean }>(`select public.${name}($1) as known`, [token]))[0]?.known;
  const version = async (id: string) =>
    (
      await open().query<{ at: string }>("select updated_at::text as at from public.events where id = $1", [
        id,
      ])
    )[0]?.at ?? null;
  /** Announcements are a second apart. */
  const dueNow = () => open().run("update public.outgoing_emails set due_at = now() where state = 'waiting'");
  async function subscriber(email: string): Promise<string> {
    await subscribe(email);
    const [claimed] = await claimEmails(open());
    const token = claimed?.subscription?.token ?? "";
    expect(await press("confirm_event_subscription", token)).toBe(true);
    return token;
  }
  const draft = async (values: object = {}) => {
    const id = randomUUID();
    await saveEvent(open(), admin, { id, ...values });
    return id;
  };

  test("visitors read what is published and not over, with the places left, and never the link to join", async () => {
    const late = await addEvent(open(), admin, {
      title: "Late",
      startsIn: "9 days",
      endsIn: "9 days 1 hour",
    });
    const soon = await addEvent(open(), admin, {
      title: "Soon",
      is_online: true,
      place: "Zoom",
      join_link: "https://meet.example/secret",
      places: 3,
      price: 12.5,
    });
    await draft({ title: "Not yet" });
    const over = await addEvent(open(), admin, { title: "Over" });
    await open().query(
      "update public.events set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1",
      [over.id],
    );
    await register(open(), soon.slug, { email: "ama@school.example" });
    const listed = await visitor("select * from public.list_events()");
    expect(listed).toMatchObject([
      { slug: "soon", places: 3, places_left: 2, price: "12.50", is_online: true },
      { slug: "late", places_left: 50 },
    ]);
    const found = async (slug: string) => visitor("select * from public.find_event($1)", [slug]);
    expect(await found("soon")).toMatchObject([
      { title: "Soon", places_left: 2, state: "published", revision: 0 },
    ]);
    expect(await found("not-yet")).toEqual([]);
    expect(await found("over")).toHaveLength(1);
    await setEventState(open(), admin, late.id, "cancelled");
    expect(await found("late")).toMatchObject([{ state: "cancelled" }]);
    expect(JSON.stringify([listed, await found("soon")])).not.toContain("secret");
    expect((await refusalOf(visitor("select join_link from public.events"))).code).toBe("42501");
  });

  test("get unique slugs from their titles, which stay the same once published", async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => draft({ title: "Éducation: l'été & Ɛsi!" })),
    );
    const slugs = async () =>
      (
        await open().query<{ slug: string }>(
          "select slug from public.events where id = any ($1) order by slug",
          [ids],
        )
      ).map(({ slug }) => slug);
    const first = await slugs();
    expect(new Set(first).size).toBe(8);
    expect(first[0]).toMatch(/^education-l-ete-/);
    const [id = ""] = ids;
    await setEventState(open(), admin, id, "published");
    const [before] = await open().query("select slug from public.events where id = $1", [id]);
    await saveEvent(open(), admin, { id, title: "Another title", updatedAt: await version(id) });
    expect(await open().query("select slug from public.events where id = $1", [id])).toEqual([before]);
    const foreign = await draft({ title: "教师培训" });
    expect(await open().query("select slug from public.events where id = $1", [foreign])).toEqual([
      { slug: "event" },
    ]);
    const apostrophe = await draft({ title: "A teacher's day" });
    expect(await open().query("select slug from public.events where id = $1", [apostrophe])).toEqual([
      { slug: "a-teachers-day" },
    ]);
  });

  test("have a picture of their own, which must be an uploaded picture of an event, and can be removed", async () => {
    const picture = `event-picture-${Date.now()}.jpg`;
    const upload = (name: string) =>
      open().as(admin, (query) =>
        query("insert into storage.objects (bucket_id, name) values ('book-covers', $1)", [name]),
      );
    await upload(picture);
    await upload("book-cover-7.jpg");
    for (const name of [
      "book-cover-7.jpg",
      "event-picture-1764200000009.jpg",
      "event-picture-1/../x.jpg",
      "",
    ])
      expect(await refusalOf(draft({ picture: name }))).toMatchObject({
        detail: { field: "picture", rule: "choice" },
      });
    const { id, slug } = await addEvent(open(), admin, { title: "Pictured", picture });
    const shown = async () => [
      ...(await visitor<{ picture: string | null }>("select picture from public.list_events()")),
      ...(await visitor<{ picture: string | null }>("select picture from public.find_event($1)", [slug])),
      ...(await open().as(admin, (query) =>
        query<{ picture: string | null }>("select picture from public.admin_list_events()"),
      )),
    ];
    expect(await shown()).toEqual([{ picture }, { picture }, { picture }]);
    await saveEvent(open(), admin, { id, title: "Pictured", updatedAt: await version(id) });
    expect(await shown()).toEqual([{ picture: null }, { picture: null }, { picture: null }]);
  });

  test("refuse a time in the past, an end before the start and invalid values", async () => {
    const field = async (values: object) => (await refusalOf(draft(values))).detail;
    expect(await field({ startsIn: "-2 days", endsIn: "-1 days" })).toMatchObject({
      field: "ends_at",
      rule: "future",
    });
    expect(await field({ startsIn: "2 days", endsIn: "2 days" })).toMatchObject({ field: "ends_at" });
    expect(await field({ startsIn: "2 days", endsIn: "1 day" })).toMatchObject({ field: "ends_at" });
    expect(await field({ startsIn: "2 days", endsIn: "60 days" })).toMatchObject({ field: "ends_at" });
    expect(await field({ startsIn: "4000 days", endsIn: "4001 days" })).toMatchObject({ field: "starts_at" });
    expect(await field({ places: 0 })).toMatchObject({ field: "places" });
    expect(await field({ places: 10_001 })).toMatchObject({ field: "places" });
    expect(await field({ price: -1 })).toMatchObject({ field: "price" });
    expect(await field({ price: 1.005 })).toMatchObject({ field: "price", rule: "decimals" });
    expect(await field({ kind: "party" })).toMatchObject({ field: "kind" });
    expect(await field({ title: "\u0001 \n" })).toMatchObject({ field: "title", rule: "required" });
    expect(await field({ description: "x".repeat(5001) })).toMatchObject({ field: "description" });
    for (const join_link of [
      "http://meet.example",
      "javascript:alert(1)",
      "https://a b.example",
      "https://user@meet.example",
    ])
      expect([join_link, await field({ join_link })]).toEqual([
        join_link,
        expect.objectContaining({ field: "join_link" }),
      ]);
    for (const at of ["infinity", "-infinity"]) {
      const sql =
        "select public.save_event($1, 'T', 'other', 'P', $2::text::timestamptz, $2::text::timestamptz, 5)";
      expect(
        (await refusalOf(open().as(admin, (query) => query(sql, [randomUUID(), at])))).detail?.field,
      ).toBe("starts_at");
    }
  });

  test("times are Ghana's, which is UTC in summer and in winter, whatever zone the database's session has", async () => {
    for (const at of ["2027-01-15T09:00Z", "2027-07-15T09:00Z"]) {
      const id = randomUUID();
      await open().as(admin, (query) =>
        query(
          "select public.save_event($1, 'T', 'other', 'P', $2::timestamptz, $2::timestamptz + interval '1 hour', 5)",
          [id, at],
        ),
      );
      expect(
        await open().query(
          "select to_char(starts_at at time zone 'Africa/Accra', 'YYYY-MM-DD HH24:MI') as accra from public.events where id = $1",
          [id],
        ),
      ).toEqual([{ accra: at.replace("T", " ").slice(0, 16) }]);
    }
  });

  test("nobody overwrites a colleague's changes, and a retry adds nothing", async () => {
    const id = await draft();
    const opened = await version(id);
    await saveEvent(open(), colleague, { id, title: "Changed", updatedAt: opened });
    expect((await refusalOf(saveEvent(open(), admin, { id, updatedAt: opened }))).detail?.code).toBe(
      "event_changed",
    );
    expect(
      (await refusalOf(saveEvent(open(), admin, { id: randomUUID(), updatedAt: opened }))).detail?.code,
    ).toBe("event_not_found");
    expect(await open().query("select title from public.events")).toEqual([{ title: "Changed" }]);
  });

  test("an address gets emails once its owner has confirmed it, and none after one click on unsubscribe", async () => {
    await subscribe(" Ama@School.example ");
    await addEvent(open(), admin, { title: "Before" });
    await dueNow();
    const [asked, ...more] = await claimEmails(open());
    expect(asked).toMatchObject({
      kind: "event_subscription",
      subscription: { email: "Ama@School.example", event: null },
    });
    expect(more).toEqual([]);
    const token = asked?.subscription?.token ?? "";
    expect(await press("confirm_event_subscription", token)).toBe(true);
    expect(await press("confirm_event_subscription", token)).toBe(true);
    await addEvent(open(), admin, { title: "After" });
    await dueNow();
    const [news] = await claimEmails(open());
    expect(news).toMatchObject({
      kind: "event_published",
      subscription: { email: "Ama@School.example", event: { title: "After" } },
    });
    expect(news?.subscription?.event).not.toHaveProperty("join_link");
    expect(await press("unsubscribe_from_events", news?.subscription?.token ?? "")).toBe(true);
    expect(await press("unsubscribe_from_events", news?.subscription?.token ?? "")).toBe(true);
    expect(await press("confirm_event_subscription", token)).toBe(false);
    expect(await visitor("select kind, state from public.find_event_link($1)", [token])).toEqual([
      { kind: "subscription", state: "ended" },
    ]);
    await addEvent(open(), admin, { title: "Later" });
    await dueNow();
    expect(await claimEmails(open())).toEqual([]);
  });

  test("the response doesn't tell who is on the list, and an address gets at most 3 requests to confirm, 10 minutes apart", async () => {
    await subscriber("known@school.example");
    const answers = [await subscribe("known@school.example"), await subscribe("new@school.example")];
    await Promise.all(Array.from({ length: 10 }, () => subscribe("NEW@school.example")));
    expect(answers[0]).toEqual(answers[1]);
    expect((await claimEmails(open())).map(({ subscription }) => subscription?.email)).toEqual([
      "new@school.example",
    ]);
    for (let n = 0; n < 5; n += 1) {
      await open().run("update public.event_subscribers set requested_at = now() - interval '11 minutes'");
      await subscribe("new@school.example");
    }
    expect(await claimEmails(open())).toHaveLength(1);
    expect(
      await open().query("select requests from public.event_subscribers where email = 'new@school.example'"),
    ).toEqual([{ requests: 3 }]);
    // Other spellings of its mailbox count with it.
    for (const email of ["new+1@school.example", "new+2@school.example"]) await subscribe(email);
    await open().run("update public.event_subscribers set requested_at = now() - interval '11 minutes'");
    await subscribe("NEW+3@school.example");
    await subscribe("o.ther@gmail.com");
    await subscribe("other+news@googlemail.com");
    expect((await claimEmails(open())).map(({ subscription }) => subscription?.email)).toEqual([
      "o.ther@gmail.com",
    ]);
    for (const email of [
      "ama@ｇｍａｉｌ.com",
      "",
      "no address",
      "a@b",
      "a@b.example, c@d.example",
      `${"x".repeat(400)}@b.example`,
    ])
      expect([email, (await refusalOf(subscribe(email))).detail?.field]).toEqual([email, "email"]);
  });

  test("200 addresses an hour can subscribe, even simultaneously, and unconfirmed ones are deleted after a week", async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 230 }, (_, n) => subscribe(`flood${n}@x.example`)),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(200);
    const refusal = await refusalOf(subscribe("flood0@x.example"));
    expect([refusal.code, refusal.detail?.code]).toEqual(["PT429", "too_many_subscriptions"]);
    await open().run("update public.event_subscribers set requested_at = now() - interval '8 days'");
    await open().run("delete from public.outgoing_emails");
    await subscriber("kept@school.example");
    await open().run("update public.event_subscribers set requested_at = now() - interval '8 days'");
    await open().query("select private.forget_old_registrations()");
    expect(await open().query("select email from public.event_subscribers")).toEqual([
      { email: "kept@school.example" },
    ]);
  });

  test("the list is emailed once, however often and by however many the event is published", async () => {
    for (const name of ["a", "b", "c"]) await subscriber(`${name}@school.example`);
    const id = await draft();
    const change = (person: SignedIn, state: string) =>
      open().as(person, (query) =>
        query("select public.set_event_state($1, $2, (select updated_at from public.events where id = $1))", [
          id,
          state,
        ]),
      );
    await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => change(n % 2 ? admin : colleague, "published")),
    );
    await dueNow();
    // Several workers at once.
    const claimed = (await Promise.all([1, 2, 3, 4].map(() => claimEmails(open())))).flat();
    expect(claimed.map(({ subscription }) => subscription?.email).sort()).toEqual([
      "a@school.example",
      "b@school.example",
      "c@school.example",
    ]);
    await change(admin, "draft");
    await change(admin, "published");
    await dueNow();
    expect(await claimEmails(open())).toEqual([]);
    expect(
      (await open().query("select from public.outgoing_emails where kind = 'event_published'")).length,
    ).toBe(3);
  });

  test("an event that is withdrawn before the emails are sent is announced when it is published again", async () => {
    await subscriber("a@school.example");
    const { id } = await addEvent(open(), admin);
    await setEventState(open(), admin, id, "draft");
    await dueNow();
    expect(await claimEmails(open())).toEqual([]);
    await setEventState(open(), admin, id, "published");
    expect(await claimEmails(open())).toMatchObject([{ kind: "event_published" }]);
  });

  test("a new time, place or link is emailed once to everyone registered or waiting; other changes to nobody", async () => {
    const { id, slug } = await addEvent(open(), admin, { places: 1, is_online: true, place: "Zoom" });
    for (const email of ["one@school.example", "two@school.example"]) await register(open(), slug, { email });
    await register(open(), slug, { name: "By phone", phone: "0240001111" });
    await claimEmails(open());
    const save = async (values: object) =>
      saveEvent(open(), admin, {
        id,
        places: 1,
        is_online: true,
        place: "Zoom",
        updatedAt: await version(id),
        ...values,
      });
    // `now()` moves on between calls, so save the stored times again.
    const at = async () =>
      (
        await open().query<{ starts: string; ends: string }>(
          "select (starts_at - now())::text as starts, (ends_at - now())::text as ends from public.events where id = $1",
          [id],
        )
      )[0];
    const same = async () => {
      const times = await at();
      return { startsIn: times?.starts ?? "", endsIn: times?.ends ?? "" };
    };
    await save({ ...(await same()), title: "A better title", price: 5, description: "More" });
    expect(await claimEmails(open())).toEqual([]);
    await save({ ...(await same()), join_link: "https://meet.example/1" });
    await save({ startsIn: "8 days", endsIn: "8 days 1 hour", join_link: "https://meet.example/1" });
    const emails = await claimEmails(open());
    // Of two changes whose emails haven't been sent yet, only the later one is emailed.
    expect(
      emails
        .map(({ kind, registration }) => [kind, registration?.email, registration?.event.join_link])
        .sort(),
    ).toEqual([
      ["event_changed", "one@school.example", "https://meet.example/1"],
      ["event_changed", "two@school.example", null],
    ]);
    const refusal = await refusalOf(setEventState(open(), admin, id, "draft"));
    expect(refusal.detail?.code).toBe("event_has_registrations");
    const cancels = await Promise.allSettled(
      [admin, colleague, admin].map((person) => setEventState(open(), person, id, "cancelled")),
    );
    expect(cancels.some(({ status }) => status === "fulfilled")).toBe(true);
    const told = await claimEmails(open());
    expect(told.map(({ kind, registration }) => [kind, registration?.email]).sort()).toEqual([
      ["event_cancelled", "one@school.example"],
      ["event_cancelled", "two@school.example"],
    ]);
    expect((await refusalOf(setEventState(open(), admin, id, "published"))).detail?.code).toBe("event_state");
    expect((await refusalOf(save({}))).detail?.code).toBe("event_cancelled");
  });

  test("a published event can't be deleted before it is over, and one that is over can't be published", async () => {
    const { id } = await addEvent(open(), admin);
    const remove = () => open().as(admin, (query) => query("select public.delete_event($1)", [id]));
    expect((await refusalOf(remove())).detail?.code).toBe("event_published");
    await setEventState(open(), admin, id, "draft");
    await open().query(
      "update public.events set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1",
      [id],
    );
    expect((await refusalOf(setEventState(open(), admin, id, "published"))).detail?.code).toBe("event_over");
    await remove();
    expect(await open().query("select from public.events")).toEqual([]);
  });

  test("cached pages expire when a published event changes, not when a draft does", async () => {
    const state = async () =>
      (await open().query<{ v: number }>("select public.catalogue_version() as v"))[0]?.v;
    const before = await state();
    const id = await draft();
    await saveEvent(open(), admin, { id, title: "Other", updatedAt: await version(id) });
    expect(await state()).toBe(before);
    await setEventState(open(), admin, id, "published");
    const published = await state();
    expect(published).not.toBe(before);
    await saveEvent(open(), admin, { id, title: "Third", updatedAt: await version(id) });
    expect(await state()).not.toBe(published);
  });

  test("an email about an order is sent before hundreds about a new event", async () => {
    await open().run(
      `insert into public.event_subscribers (email, confirmed_at) select 'many' || n || '@x.example', now() from generate_series(1, 300) as n`,
    );
    await addEvent(open(), admin);
    await dueNow();
    await open().run(
      "insert into public.outgoing_emails (kind, event) values ('event_subscription', gen_random_uuid() || ':1')",
    );
    // The same for people registered for a cancelled event.
    const cancelled = await addEvent(open(), admin, { title: "Cancelled", places: 300 });
    await open().query(
      `insert into public.event_registrations (event_id, name, email, state)
       select $1, 'Many ' || n, 'many' || n || '@x.example', 'registered' from generate_series(1, 300) as n`,
      [cancelled.id],
    );
    await setEventState(open(), admin, cancelled.id, "cancelled");
    const { slug } = await addEvent(open(), admin, { title: "Other" });
    await register(open(), slug, { email: "quick@school.example" });
    const [row] = await open().query<{ email: { kind: string } }>("select public.claim_email() as email");
    expect(row?.email.kind).toBe("event_registered");
  });
});
