import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type ConsultationRequest, requestConsultation } from "#tests/support/consultations.ts";
import type { Person, Row } from "#tests/support/database.ts";
import { addCustomer, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey, visitor } from "#tests/support/people.ts";

describeDatabase("Consultations", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open());
    await open().query("delete from public.consultations");
    await open().query("delete from public.outgoing_emails");
  });

  const ask = (caller: Person, request: ConsultationRequest = {}) =>
    requestConsultation(open(), caller, request);
  const stored = () => open().query("select * from public.consultations order by created_at");
  const asAdmin = <Found extends object = Row>(sql: string, values: unknown[] = []) =>
    open().as(admin, (query) => query<Found & Row>(sql, values));
  const find = async (id: string) =>
    (await asAdmin("select * from public.admin_find_consultation($1)", [id]))[0];
  const answer = async (id: string, version: number, body: string, answerId = randomUUID()) =>
    (
      await asAdmin<{ version: number }>("select public.answer_consultation($1, $2, $3, $4) as version", [
        id,
        version,
        answerId,
        body,
      ])
    )[0]?.version;
  const date = async (
    id: string,
    version: number,
    in_: string,
    how = "place",
    place: string | null = "Osu",
  ) =>
    (
      await asAdmin<{ version: number }>(
        "select public.date_consultation($1, $2, clock_timestamp() + $3::text::interval, $4, $5) as version",
        [id, version, in_, how, place],
      )
    )[0]?.version;
  const own = (person: SignedIn) =>
    open().as(person, (query) => query("select * from public.list_own_consultations()"));

  /** The queued emails in order; marks each as sent. */
  const claimAll = async () => {
    const claimed: { kind: string; id: string; audience: string; consultation: Row }[] = [];
    for (;;) {
      const [row] = await open().as(secretKey, (query) =>
        query<{ email: (typeof claimed)[number] | null }>("select public.claim_email() as email"),
      );
      if (!row?.email) return claimed;
      claimed.push(row.email);
      await open().as(secretKey, (query) => query("select public.record_sent_email($1)", [row.email?.id]));
    }
  };

  test("visitors and customers send requests; texts are cleaned, and hostile ones are stored as typed", async () => {
    const about = "  Robert'); drop table books;--\r\n<b>\u202eevil</b>\u0007 %_\\ ";
    await ask(visitor, {
      name: " Ama\n Mensah ",
      about,
      email: null,
      phone: "024 000 0000",
      days: "Mondays",
    });
    const id = await ask(customer, { institution: "Cape School", subject: "Maths", classes: "P1 to P3" });
    expect(await stored()).toMatchObject([
      {
        user_id: null,
        name: "Ama Mensah",
        about: "Robert'); drop table books;--\n<b>\u202eevil</b>  %_\\",
        email: null,
        phone: "+233 24 000 0000",
        wished_days: "Mondays",
        status: "open",
      },
      { id, user_id: customer.id, institution: "Cape School", subject: "Maths", classes: "P1 to P3" },
    ]);
    // Any part of it finds it, and no character is a wildcard.
    const found = async (q: string) =>
      (await asAdmin("select id from public.admin_list_consultations(_q => $1)", [q])).length;
    expect(await Promise.all(["%_\\", "0240000000", "cape school", "ama mens", "%%"].map(found))).toEqual([
      1, 1, 1, 2, 0,
    ]);
  });

  test("a request is stored once however often it is sent at the same moment, and never under someone else's id", async () => {
    const request = { id: randomUUID(), email: "ama@school.example" };
    await Promise.all(Array.from({ length: 12 }, () => ask(visitor, request)));
    expect(await stored()).toHaveLength(1);
    expect((await claimAll()).map(({ kind }) => kind).sort()).toEqual([
      "consultation_received",
      "consultation_requested",
    ]);
    for (const [caller, other] of [
      [visitor, { ...request, email: "other@school.example" }],
      [visitor, { ...request, about: "Something else" }],
      [customer, request],
    ] as const)
      expect((await refusalOf(ask(caller, other))).detail).toMatchObject({ code: "consultation_exists" });
  });

  test.each<[field: string, rule: string, change: ConsultationRequest]>([
    ["name", "required", { name: " \n" }],
    ["name", "max_length", { name: "x".repeat(201) }],
    ["email", "required", { email: null }],
    ["email", "email", { email: "abc" }],
    ["email", "email", { email: "ama@ｇｍａｉｌ.com" }],
    ["email", "max_length", { email: `${"x".repeat(320)}@school.example` }],
    ["phone", "phone", { phone: "xyz" }],
    ["phone", "max_length", { phone: "1".repeat(41) }],
    ["institution", "max_length", { institution: "x".repeat(201) }],
    ["subject", "max_length", { subject: "x".repeat(201) }],
    ["classes", "max_length", { classes: "x".repeat(201) }],
    ["wished_days", "max_length", { days: "x".repeat(201) }],
    ["about", "required", { about: "\n" }],
    ["about", "max_length", { about: "x".repeat(1001) }],
  ])("refuses %s: %s", async (field, rule, change) => {
    const { code, detail } = await refusalOf(ask(visitor, change));
    expect([code, detail]).toEqual([
      "PT400",
      expect.objectContaining({ code: "invalid_field", field, rule }),
    ]);
  });

  test("requests are limited to 3 a day per contact, however it is written, 5 per account and 200 an hour in total", async () => {
    const tooMany = async (caller: Person, request: ConsultationRequest) =>
      (await refusalOf(ask(caller, request))).detail?.code;
    // Simultaneous requests don't get past the limit.
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        ask(visitor, { email: n % 2 ? "Ama@school.example" : "ama@School.example" }),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await tooMany(customer, { email: "ama@school.EXAMPLE" })).toBe("too_many_consultations");
    expect(await tooMany(visitor, { email: "ama+again@school.example" })).toBe("too_many_consultations");
    for (const phone of ["024 000 0001", "+233 24 000 0001", "0240000001"]) await ask(visitor, { phone });
    expect(await tooMany(visitor, { phone: "+233-24-000-0001" })).toBe("too_many_consultations");
    for (let n = 0; n < 5; n += 1) await ask(customer);
    expect(await tooMany(customer, {})).toBe("too_many_consultations");
    await ask(visitor);
    await open().query(`
      insert into public.consultations (name, email, about)
      select 'Ama', n || '@flood.example', 'x' from generate_series(1, 188) as n`);
    expect(await tooMany(visitor, {})).toBe("too_many_consultations");
    await open().query("update public.consultations set created_at = created_at - interval '1 day'");
    await ask(customer, { email: "ama@school.example", phone: "0240000001" });
  });

  test("staff answer, set a date, close and reopen; the customer sees answers and date, never the note", async () => {
    const id = await ask(customer, { phone: "0240000002" });
    expect(await answer(id, 1, " First,\nin two lines ")).toBe(2);
    expect(await find(id)).toMatchObject({ status: "answered", has_account: true });
    expect(await date(id, 2, "7 days")).toBe(3);
    expect(await date(id, 3, "8 days", "phone", null)).toBe(4);
    expect(await answer(id, 4, "Second")).toBe(5);
    expect(await find(id)).toMatchObject({ status: "dated", meets_how: "phone", meeting_place: null });
    await asAdmin("select public.close_consultation($1, 5, 'A good customer')", [id]);
    const closed = await find(id);
    expect(closed).toMatchObject({ status: "closed", staff_note: "A good customer", version: 6 });
    const late = [
      () => answer(id, 6, "x"),
      () => date(id, 6, "1 day"),
      () => asAdmin("select public.close_consultation($1, 6)", [id]),
    ];
    for (const change of late)
      expect((await refusalOf(change())).detail).toEqual({ code: "consultation_closed" });

    const [seen] = await own(customer);
    expect(seen).toMatchObject({
      id,
      status: "closed",
      meets_how: "phone",
      answers: [{ body: "First,\nin two lines" }, { body: "Second" }],
    });
    expect(JSON.stringify(seen)).not.toContain("A good customer");
    expect(JSON.stringify(seen)).not.toContain('"by"');
    expect(await own(await addCustomer(open()))).toEqual([]);
    expect(
      JSON.stringify((await open().as(customer, (query) => query("select public.own_data() as data")))[0]),
    ).toContain(id);

    await asAdmin("select public.reopen_consultation($1, 6)", [id]);
    expect(await find(id)).toMatchObject({ status: "dated", version: 7, closed_at: null });
    expect((await refusalOf(asAdmin("select public.reopen_consultation($1, 7)", [id]))).detail).toEqual({
      code: "consultation_not_closed",
    });
  });

  test("an answer is sent once however often staff click; of two people who answer at once, the second is told that it changed", async () => {
    const id = await ask(visitor, { email: "ama@school.example" });
    const answerId = randomUUID();
    const versions = await Promise.all(Array.from({ length: 8 }, () => answer(id, 1, "Gladly", answerId)));
    expect(new Set(versions)).toEqual(new Set([2]));
    expect((await find(id))?.answers).toHaveLength(1);
    const both = await Promise.allSettled([answer(id, 2, "Mine"), date(id, 2, "1 day")]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await refusalOf(answer(id, 2, "Late"))).detail).toEqual({
      code: "consultation_changed",
      version: 3,
    });
    expect((await refusalOf(answer(randomUUID(), 1, "x"))).detail).toEqual({
      code: "consultation_not_found",
    });
    expect((await refusalOf(answer(id, 3, " \n"))).detail).toMatchObject({ field: "body", rule: "required" });
    expect((await refusalOf(answer(id, 3, "x".repeat(4001)))).detail).toMatchObject({ rule: "max_length" });
  });

  test.each<[field: string, in_: string, how: string, place: string | null]>([
    ["meets_at", "-1 minute", "phone", null],
    ["meets_at", "367 days", "phone", null],
    ["meets_how", "1 day", "letter", "Osu"],
    ["meeting_place", "1 day", "place", " "],
    ["meeting_place", "1 day", "online", null],
    ["meeting_place", "1 day", "place", "x".repeat(301)],
  ])("refuses a date with a wrong %s (%s, %s)", async (field, in_, how, place) => {
    const id = await ask(visitor);
    expect((await refusalOf(date(id, 1, in_, how, place))).detail).toMatchObject({
      code: "invalid_field",
      field,
    });
  });

  test("each step sends one email; outdated emails are not sent", async () => {
    const id = await ask(visitor, { email: "ama@school.example", about: "Phonics" });
    expect(await claimAll()).toMatchObject([
      {
        kind: "consultation_requested",
        audience: "owner",
        consultation: { id, about: "Phonics", answer: null },
      },
      { kind: "consultation_received", audience: "customer", consultation: { email: "ama@school.example" } },
    ]);
    await answer(id, 1, "First");
    await answer(id, 2, "Second");
    await date(id, 3, "7 days");
    await date(id, 4, "8 days", "online", "Zoom");
    expect(await claimAll()).toMatchObject([
      { kind: "consultation_answered", consultation: { id, answer: "First" } },
      { kind: "consultation_answered", consultation: { id, answer: "Second" } },
      { kind: "consultation_dated", consultation: { id, revision: 2, meeting_place: "Zoom", answer: null } },
    ]);
    await answer(id, 5, "Third");
    await open().query("delete from public.consultations where id = $1", [id]);
    expect(await claimAll()).toEqual([]);
    // Without an address only the shop gets an email.
    const called = await ask(visitor, { email: null, phone: "0240000003" });
    await answer(called, 1, "We spoke");
    await date(called, 2, "1 day", "phone", null);
    expect((await claimAll()).map(({ kind }) => kind)).toEqual(["consultation_requested"]);
  });

  test("a date can be cancelled: it is emailed once, and the consultation waits for another one", async () => {
    const cancel = async (id: string, version: number) =>
      (
        await asAdmin<{ version: number }>("select public.cancel_consultation_date($1, $2) as version", [
          id,
          version,
        ])
      )[0]?.version;
    const id = await ask(customer, { email: "ama@school.example" });
    await claimAll();
    expect((await refusalOf(cancel(id, 1))).detail).toEqual({ code: "consultation_not_dated" });
    // Nobody has heard of it by email.
    await date(id, 1, "7 days");
    expect(await cancel(id, 2)).toBe(3);
    expect(await claimAll()).toMatchObject([
      { kind: "consultation_cancelled", consultation: { revision: 2, has_calendar_file: false } },
    ]);
    expect(await find(id)).toMatchObject({ status: "open", meets_at: null, meeting_place: null });
    const [seen] = await own(customer);
    expect(seen).toMatchObject({ status: "open", meets_at: null, meets_how: null, meeting_place: null });

    await date(id, 3, "8 days");
    expect(await claimAll()).toMatchObject([{ kind: "consultation_dated" }]);
    const both = await Promise.allSettled([cancel(id, 4), cancel(id, 4)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [stored] = await open().query<{ at: string }>(
      "select to_json(cancelled_meets_at) #>> '{}' as at from public.consultations where id = $1",
      [id],
    );
    expect(await claimAll()).toMatchObject([
      {
        kind: "consultation_cancelled",
        consultation: {
          meets_at: null,
          cancelled_meets_at: stored?.at,
          revision: 4,
          has_calendar_file: true,
        },
      },
    ]);
    // Emails that were sent are deleted after some weeks.
    await date(id, 5, "9 days");
    await claimAll();
    await open().query("delete from public.outgoing_emails where kind = 'consultation_dated'");
    await cancel(id, 6);
    expect(await claimAll()).toMatchObject([{ consultation: { has_calendar_file: true } }]);
    // A new date in the same minute is the only news.
    await date(id, 7, "9 days");
    await claimAll();
    await cancel(id, 8);
    await date(id, 9, "10 days");
    expect((await claimAll()).map(({ kind }) => kind)).toEqual(["consultation_dated"]);
    // Of a date that is over nothing is said.
    await open().query("update public.consultations set meets_at = now() - interval '1 hour' where id = $1", [
      id,
    ]);
    await cancel(id, 10);
    expect(await claimAll()).toEqual([]);
    await asAdmin("select public.close_consultation($1, 11)", [id]);
    expect((await refusalOf(cancel(id, 12))).detail).toEqual({ code: "consultation_closed" });
  });

  test("the list is filtered, sorted, paged and counted", async () => {
    const ids: string[] = [];
    for (const name of ["Cofi", "Ama", "Baba"]) ids.push(await ask(visitor, { name }));
    const [first = "", second = ""] = ids;
    await answer(first, 1, "x");
    await date(second, 1, "1 day");
    const list = async (more: string) =>
      (await asAdmin(`select name from public.admin_list_consultations(${more})`)).map(({ name }) => name);
    expect(await list("")).toEqual(["Baba", "Ama", "Cofi"]);
    expect(await list("_sort => 'name', _descending => false")).toEqual(["Ama", "Baba", "Cofi"]);
    expect(await list("_sort => 'meets_at', _page_size => 1")).toEqual(["Ama"]);
    expect(await list("_page => 2, _page_size => 2")).toEqual(["Cofi"]);
    for (const [status, names] of [
      ["open", ["Baba"]],
      ["answered", ["Cofi"]],
      ["dated", ["Ama"]],
      ["closed", []],
    ] as const) {
      expect(await list(`_status => '${status}'`)).toEqual(names);
      expect(
        await asAdmin("select public.admin_count_consultations(_status => $1)::int as n", [status]),
      ).toEqual([{ n: names.length }]);
    }
  });

  test("consultations are deleted with the account, for a visitor's address or number, and after as many years as names stay on orders", async () => {
    const [account] = await open().query<{ email: string }>("select email from auth.users where id = $1", [
      customer.id,
    ]);
    const email = account?.email ?? "";
    await open().query("update auth.users set email_confirmed_at = now() where id = $1", [customer.id]);
    const signedIn = await ask(customer);
    await answer(signedIn, 1, "Gladly");
    const before = await ask(visitor, { email: email.toUpperCase() });
    const caller = await ask(visitor, { email: null, phone: "024 000 0004" });
    const stays = await ask(visitor);
    const left = async () => (await stored()).map(({ id }) => id);
    await asAdmin("select public.anonymise_customer($1)", [customer.id]);
    expect(await left()).toEqual([caller, stays]);
    expect(await open().query("select from public.consultation_answers")).toEqual([]);
    expect(before).not.toBe(signedIn);
    await asAdmin("select * from public.anonymise_caller('+233240000004')");
    expect(await left()).toEqual([stays]);

    const forget = async () =>
      (await open().query<{ n: number }>("select private.forget_old_consultations(500) as n"))[0]?.n;
    const fresh = await ask(visitor);
    await open().query(
      "update public.consultations set updated_at = now() - interval '3 years 1 day' where id = $1",
      [stays],
    );
    await open().query("delete from public.shop_settings where id = 'forgetOrdersAfterYears'");
    expect(await forget()).toBe(0);
    await open().query("insert into public.shop_settings (id, value) values ('forgetOrdersAfterYears', '3')");
    expect([await forget(), await forget(), await left()]).toEqual([1, 0, [fresh]]);
  });
});
