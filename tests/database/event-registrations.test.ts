import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { addStaff } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { addEvent, claimEmails, register, saveEvent, setEventState } from "#tests/support/events.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeOnOwnServerToo("Registering for an event", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(() => open().run("delete from public.outgoing_emails"));

  const event = (values: Parameters<typeof addEvent>[2] = {}) => addEvent(open(), admin, values);
  const registerFor = (
    slug: string,
    person?: Parameters<typeof register>[2],
    id?: Parameters<typeof register>[3],
  ) => register(open(), slug, person, id);
  const visitor = <T extends object>(sql: string, values: unknown[]) =>
    open().as({ role: "anon" }, (query) => query<T>(sql, values));
  const cancel = async (token: string) =>
    (await visitor<{ known: boolean }>("select public.cancel_event_registration($1) as known", [token]))[0]
      ?.known;
  const staff = (sql: string, values: unknown[]) => open().as(admin, (query) => query(sql, values));
  const states = async (id: string) =>
    Object.fromEntries(
      (
        await open().query<{ state: string; n: number }>(
          "select state, count(*) as n from public.event_registrations where event_id = $1 group by 1",
          [id],
        )
      ).map(({ state, n }) => [state, n]),
    );
  const email = (n: number | string) => `teacher${n}.${randomUUID().slice(0, 8)}@school.example`;

  test("500 visitors at once get the 50 places, and the others the waiting list in its order; none is lost", {
    tags: "long",
  }, async () => {
    const { id, slug } = await event({ places: 50 });
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) => registerFor(slug, { email: email(n) })),
    );
    expect(answers.filter((answer) => answer?.state === "registered")).toHaveLength(50);
    const waiting = answers.filter((answer) => answer?.state === "waiting");
    expect(waiting.map((answer) => answer?.waiting_before).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 450 }, (_, n) => n),
    );
    expect(await states(id)).toEqual({ registered: 50, waiting: 450 });
    const order = await open().query<{ state: string }>(
      "select state from public.event_registrations where event_id = $1 order by number",
      [id],
    );
    expect(order.findIndex(({ state }) => state === "waiting")).toBe(50);
    expect(order.slice(50).every(({ state }) => state === "waiting")).toBe(true);
  });

  test("simultaneously cancelled places go to the first people on the waiting list, who each get one email", {
    tags: "long",
  }, async () => {
    const { id, slug } = await event({ places: 20 });
    for (let n = 0; n < 50; n += 1) await registerFor(slug, { name: `Person ${n}`, email: email(n) });
    const tokens = (await claimEmails(open()))
      .filter((claimed) => claimed.registration?.state === "registered")
      .map((claimed) => claimed.registration?.token ?? "");
    expect(tokens).toHaveLength(20);
    // Each link is used by several clients at once.
    const answers = await Promise.all([...tokens.slice(0, 12), ...tokens.slice(0, 12)].map(cancel));
    expect(answers.every((known) => known === true)).toBe(true);
    expect(await states(id)).toEqual({ registered: 20, waiting: 18, cancelled: 12 });
    const promoted = await open().query<{ name: string }>(
      "select name from public.event_registrations where event_id = $1 and promoted_at is not null order by number",
      [id],
    );
    expect(promoted.map(({ name }) => name)).toEqual(
      Array.from({ length: 12 }, (_, n) => `Person ${n + 20}`),
    );
    const emails = await claimEmails(open());
    expect(emails.map(({ kind }) => kind)).toEqual(Array(12).fill("event_place"));
    expect(new Set(emails.map((claimed) => claimed.registration?.email)).size).toBe(12);
  });

  test("cancelling and registering at once never gives more places than there are", async () => {
    const { id, slug } = await event({ places: 5 });
    for (let n = 0; n < 5; n += 1) await registerFor(slug, { email: email(n) });
    const tokens = (await claimEmails(open())).map((claimed) => claimed.registration?.token ?? "");
    await Promise.all([
      ...tokens.slice(0, 4).map(cancel),
      ...Array.from({ length: 30 }, (_, n) => registerFor(slug, { email: email(n) })),
      ...tokens.slice(0, 4).map(cancel),
    ]);
    expect(await states(id)).toEqual({ registered: 5, waiting: 26, cancelled: 4 });
  });

  test("a repeated registration, with the same id or the same name and contact, takes one place and sends one email", async () => {
    const { id, slug } = await event({ places: 2 });
    const address = email("x");
    const key = randomUUID();
    // The first request decides the registration's id, with which the retry is sent.
    const first = await registerFor(slug, { email: address }, key);
    const twice = Array.from({ length: 5 }, () => registerFor(slug, { email: address }, key));
    const again = Array.from({ length: 6 }, () =>
      registerFor(slug, { email: address.toUpperCase(), name: "AMA  MENSAH" }),
    );
    const answers = [first, ...(await Promise.all([...twice, ...again]))];
    expect(answers).toEqual(Array(12).fill({ state: "registered", waiting_before: null }));
    await registerFor(slug, { phone: "024 000 1111", name: "Kofi" });
    expect(await registerFor(slug, { phone: "+233 24 000 11 11", name: "Kofi" })).toMatchObject({
      state: "registered",
    });
    expect(await states(id)).toEqual({ registered: 2 });
    expect((await claimEmails(open())).map((claimed) => claimed.registration?.email.toLowerCase())).toEqual([
      address,
    ]);
    // A secretary registers colleagues with the school's address.
    expect(await registerFor(slug, { email: address, name: "Another teacher" })).toEqual({
      state: "waiting",
      waiting_before: 0,
    });
    expect((await refusalOf(registerFor(slug, { email: email("y") }, key))).detail?.code).toBe(
      "registration_exists",
    );
  });

  test("nobody can jump the waiting list, and new places go to it", async () => {
    const { id, slug } = await event({ places: 1 });
    const addresses = [0, 1, 2, 3].map(email);
    for (const address of addresses) await registerFor(slug, { email: address });
    await claimEmails(open());
    const [row] = await open().query<{ at: string }>(
      "select updated_at::text as at from public.events where id = $1",
      [id],
    );
    const updated = await saveEvent(open(), admin, { id, places: 3, updatedAt: row?.at ?? null });
    expect(await states(id)).toEqual({ registered: 3, waiting: 1 });
    const places = (await claimEmails(open())).filter(({ kind }) => kind === "event_place");
    expect(places.map(({ registration }) => registration?.email).toSorted()).toEqual([
      addresses[1],
      addresses[2],
    ]);
    const refusal = await refusalOf(saveEvent(open(), admin, { id, places: 2, updatedAt: updated }));
    expect(refusal.detail).toEqual({ code: "places_taken", field: "places", rule: "taken", limit: 3 });
    expect(refusal.message).toBe("3 people already have a place.");
  });

  test("staff register callers with a phone number alone and cancel for them", async () => {
    const { id, slug } = await event({ places: 1 });
    const first = randomUUID();
    const add = "select * from public.add_event_registration($1, $2, $3, _phone => $4)";
    expect(await staff(add, [first, id, "Kofi", "0240001111"])).toEqual([
      { state: "registered", waiting_before: null },
    ]);
    await registerFor(slug, { name: "Next", email: email("n") });
    await claimEmails(open());
    await staff("select public.drop_event_registration($1)", [first]);
    await staff("select public.drop_event_registration($1)", [first]);
    expect(await states(id)).toEqual({ registered: 1, cancelled: 1 });
    expect(await claimEmails(open())).toMatchObject([
      { kind: "event_place", registration: { state: "registered" } },
    ]);
    expect(
      await staff("select name, state, by_staff, found from public.admin_list_registrations($1)", [id]),
    ).toEqual([
      { name: "Next", state: "registered", by_staff: false, found: 2 },
      { name: "Kofi", state: "cancelled", by_staff: true, found: 2 },
    ]);
    expect(
      await staff("select registered, waiting, cancelled from public.admin_list_events() where id = $1", [
        id,
      ]),
    ).toEqual([{ registered: 1, waiting: 0, cancelled: 1 }]);
  });

  test("is refused without a contact, with hostile values, and for closed events", async () => {
    const { id, slug } = await event();
    const code = async (person: Parameters<typeof register>[2]) =>
      (await refusalOf(registerFor(slug, person))).detail;
    expect(await code({})).toMatchObject({ field: "email", rule: "required" });
    expect(await code({ name: " \n\u0007 ", email: email(1) })).toMatchObject({
      field: "name",
      rule: "required",
    });
    expect(await code({ name: "x".repeat(201), email: email(1) })).toMatchObject({
      field: "name",
      rule: "max_length",
    });
    expect(await code({ email: `${"x".repeat(320)}@school.example` })).toMatchObject({ field: "email" });
    expect(await code({ email: "two@x.example, three@x.example" })).toMatchObject({
      field: "email",
      rule: "email",
    });
    expect(await code({ email: email(1), institution: "x".repeat(100_000) })).toMatchObject({
      field: "institution",
    });
    for (const look of ["ama@ｇｍａｉｌ.com", "ama@gma\u00adil.com", "a\u200bma@gmail.com", "амa@gmail.com"])
      expect(await code({ email: look }), look).toMatchObject({ field: "email", rule: "email" });
    for (const phone of ["12345", "+2332400000000000", "call me", "+", "0240001111;drop"])
      expect([phone, await code({ phone })]).toEqual([
        phone,
        expect.objectContaining({ field: "phone", rule: "phone" }),
      ]);
    await registerFor(slug, { name: "\u0001Ama\r\n<b>\u0007Mensah", email: email(2) });
    expect(
      await open().query("select name from public.event_registrations where event_id = $1", [id]),
    ).toEqual([{ name: "Ama <b> Mensah" }]);
    expect((await refusalOf(registerFor("no-such-event", { email: email(1) }))).code).toBe("PT404");
    const draft = randomUUID();
    await saveEvent(open(), admin, { id: draft, title: "A draft" });
    expect((await refusalOf(registerFor("a-draft", { email: email(1) }))).detail?.code).toBe(
      "event_not_found",
    );
    const over = await event();
    await open().query(
      "update public.events set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1",
      [over.id],
    );
    expect((await refusalOf(registerFor(over.slug, { email: email(1) }))).detail?.code).toBe("event_over");
    const gone = await event();
    await setEventState(open(), admin, gone.id, "cancelled");
    expect((await refusalOf(registerFor(gone.slug, { email: email(1) }))).detail?.code).toBe(
      "event_not_open",
    );
  });

  test("is limited for each contact, also under parallel requests, and for the shop", async () => {
    const { id, slug } = await event({ places: 100 });
    const other = await event({ places: 100 });
    const address = email("flood");
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        registerFor(n % 2 ? slug : other.slug, { email: address, name: `Name ${n}` }),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    // One mailbox, however its address is written.
    const spellings = ["ama.mensah@gmail.com", "a.m.a.mensah@googlemail.com", "AmaMensah+1@gmail.com"];
    for (let n = 0; n < 10; n += 1)
      await registerFor(slug, {
        name: `Spelling ${n}`,
        email: spellings[n % 3]?.replace("@", `${n > 5 ? `+${n}` : ""}@`) ?? "",
      });
    for (const spelling of [...spellings, "amamensah+x@gmail.com"])
      expect(
        (await refusalOf(registerFor(other.slug, { name: "Once more", email: spelling }))).detail?.code,
      ).toBe("too_many_registrations");
    // Dots are part of a name at other providers.
    await registerFor(slug, { email: email("a.b") });
    await open().query(
      `insert into public.event_registrations (event_id, name, email, state)
       select $1, 'Flood ' || n, 'flood' || n || '@x.example', 'registered' from generate_series(1, 1000) as n`,
      [id],
    );
    const refusal = await refusalOf(registerFor(other.slug, { email: email("late") }));
    expect([refusal.code, refusal.detail?.code]).toEqual(["PT429", "too_many_registrations"]);
    await open().query("delete from public.event_registrations where event_id = any ($1)", [[id, other.id]]);
    await open().query("delete from public.outgoing_emails");
  });

  test("links work only with the token itself, which is stored as a hash and of no use for anything else", async () => {
    const { id, slug } = await event({ places: 1 });
    await registerFor(slug, { email: email(1) });
    const [claimed] = await claimEmails(open());
    const token = claimed?.registration?.token ?? "";
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    const stored = JSON.stringify(await open().query("select l::text from private.event_links l"));
    expect(stored).not.toContain(token);
    const guesses = [
      ...Array.from({ length: 200 }, () => randomUUID().replaceAll("-", "")),
      ...[
        token.slice(1),
        `${token} `,
        token.toUpperCase(),
        "",
        "%",
        "' or true --",
        "\u0001",
        "x".repeat(100_000),
      ],
      id,
    ].filter((guess) => guess !== token);
    for (const guess of guesses) {
      expect(await cancel(guess)).toBe(false);
      expect(await visitor("select * from public.find_event_link($1)", [guess])).toEqual([]);
    }
    const unsubscribed = await visitor("select public.unsubscribe_from_events($1) as known", [token]);
    expect(unsubscribed).toEqual([{ known: false }]);
    expect(await visitor("select public.confirm_event_subscription($1) as known", [token])).toEqual([
      { known: false },
    ]);
    const link = { kind: "registration", title: "Phonics for teachers", starts_at: expect.any(Date) };
    // Reading what the link is about, as mail scanners do, changes nothing.
    for (let n = 0; n < 3; n += 1)
      expect(await visitor("select * from public.find_event_link($1)", [token])).toEqual([
        { ...link, state: "registered" },
      ]);
    expect(await cancel(token)).toBe(true);
    expect(await cancel(token)).toBe(true);
    expect(await visitor("select * from public.find_event_link($1)", [token])).toEqual([
      { ...link, state: "cancelled" },
    ]);
  });

  test("registrations are deleted after the days of the setting, and counted", async () => {
    const { id, slug } = await event({ places: 2 });
    const kept = await event();
    for (let n = 0; n < 3; n += 1) await registerFor(slug, { email: email(n) });
    await registerFor(kept.slug, { email: email("kept") });
    const [claimed] = (await claimEmails(open())).filter((one) => one.registration?.state === "registered");
    const shift = (eventId: string, days: number) =>
      open().query(
        "update public.events set starts_at = now() - $2::int * interval '1 day' - interval '1 hour', ends_at = now() - $2::int * interval '1 day' where id = $1",
        [eventId, days],
      );
    await shift(id, 31);
    await shift(kept.id, 29);
    const forget = async (most: number) =>
      (await open().query<{ n: number }>("select private.forget_old_registrations($1) as n", [most]))[0]?.n;
    expect([await forget(2), await forget(2), await forget(2)]).toEqual([2, 1, 0]);
    expect(await states(id)).toEqual({});
    expect(await states(kept.id)).toEqual({ registered: 1 });
    expect(await open().query("select past_registrations from public.events where id = $1", [id])).toEqual([
      { past_registrations: 2 },
    ]);
    expect(
      await visitor("select state from public.find_event_link($1)", [claimed?.registration?.token]),
    ).toEqual([{ state: "over" }]);
    await open().query(
      "insert into public.shop_settings (id, value) values ('forgetRegistrationsAfterDays', '5')",
    );
    expect(await forget(500)).toBe(1);
    expect(await states(kept.id)).toEqual({});
  });

  test("deleting a caller's data deletes registration and subscription, and the place goes to the next person", async () => {
    const { id, slug } = await event({ places: 1 });
    const address = email("forget");
    await registerFor(slug, { email: address, phone: "0247770001" });
    await registerFor(slug, { name: "Next", email: email("next") });
    await visitor("select public.subscribe_to_events($1)", [address]);
    await staff("select public.anonymise_caller($1)", ["+233 24 777 0001"]);
    expect(
      await open().query("select name, state from public.event_registrations where event_id = $1", [id]),
    ).toEqual([{ name: "Next", state: "registered" }]);
    await staff("select public.anonymise_caller($1)", [address.toUpperCase()]);
    expect(await open().query("select from public.event_subscribers where email = $1", [address])).toEqual(
      [],
    );
  });
});
