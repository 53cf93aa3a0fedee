import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { expectSerial, type Request, send } from "#tests/support/at-once.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  movementsOf,
  order,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { chanceFrom } from "#tests/torture/random.ts";

/** Of a line: its title, copies, and how many were left to send when staff looked. */
type Sent = [book: TestBook, copies: number, left?: number];

const shipping = { carrier: " VIP  Jeoun ", parcel_number: "GT 1234-20", driver_phone: "024 411 2233" };

describeDatabase("Copies sent before the rest", (open) => {
  let admin: SignedIn;
  let other: SignedIn;
  let customer: SignedIn;
  let atlas: TestBook;
  let maths: TestBook;
  /** A processing order of 10 atlases at GH₵20 and 4 maths at GH₵12.50: GH₵250. */
  let id: string;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    other = await addStaff(open(), "admin");
  });
  const newOrder = async () => {
    customer = await addCustomer(open());
    atlas = await addBook(open(), { title: "Atlas", price: 20, stock: 30 });
    maths = await addBook(open(), { title: "Maths", price: 12.5, stock: 30 });
    id = await order(open(), customer, [
      [atlas, 10],
      [maths, 4],
    ]);
    await setStatus("processing");
    await open().query("delete from public.outgoing_emails where order_id = $1", [id]);
    return id;
  };
  beforeEach(newOrder);

  const call = (sql: string, ...values: unknown[]) => open().as(admin, (query) => query(sql, values));
  const setStatus = (status: string) =>
    call("update public.orders set status = $2 where id = $1", id, status);
  const statusNow = async () =>
    (await open().query("select status from public.orders where id = $1", [id]))[0]?.status;
  const itemOf = async (book: TestBook) =>
    (
      await open().query("select id from public.order_items where order_id = $1 and sold_book_id = $2", [
        id,
        book.id,
      ])
    )[0]?.id;
  const request = async (
    person: SignedIn,
    lines: Sent[],
    key: string = randomUUID(),
    details: object | null = shipping,
  ): Promise<Request> => [
    person,
    "select public.ship_copies($1, $2, $3, $4)",
    [
      key,
      id,
      await Promise.all(
        lines.map(async ([book, copies, seen]) => ({
          order_item_id: (await itemOf(book)) ?? randomUUID(),
          copies,
          left: seen,
        })),
      ),
      details,
    ],
  ];
  const ship = async (lines: Sent[], key: string = randomUUID()) => {
    await send(open(), await request(admin, lines, key));
    return key;
  };
  const refusedShip = async (lines: Sent[], key?: string) =>
    (await refusalOf(send(open(), await request(other, lines, key)))).detail;
  const undo = (key: string, person = admin): Request => [person, "select public.undo_shipment($1)", [key]];
  /** "Atlas 7, Maths 4": what the customer sees is still to come. */
  const left = async (person = customer) => {
    const rows = await open().as(person, (query) =>
      query("select title, copies from public.list_copies_to_send(array[$1]::uuid[])", [id]),
    );
    return rows.map(({ title, copies }) => `${title} ${copies}`).join(", ");
  };
  const shipments = (person = customer) =>
    open().as(person, (query) =>
      query("select carrier, parcel_number, driver_phone, lines from public.list_shipments($1)", [id]),
    );
  /** Whether the order is marked as sent in part. */
  const marked = async (person = customer) => {
    const [row] = await open().as(person, (query) =>
      query("select $1 = any (public.list_part_sent(array[$1]::uuid[])) as marked", [id]),
    );
    return row?.marked;
  };
  const emails = async () => {
    const rows = await open().query(
      "select kind, status, state, attempts = 0 and settled_at is null and due_at > now() + interval '50 seconds' as waits from public.outgoing_emails where order_id = $1 order by created_at, kind",
      [id],
    );
    return rows.map(({ kind, status, state, waits }) =>
      [kind, status, state, waits && "for a minute"].filter(Boolean).join(" "),
    );
  };
  const claim = async () => {
    await open().query(
      "update public.outgoing_emails set due_at = now() where order_id = $1 and state = 'waiting'",
      [id],
    );
    await open().query(
      "update public.outgoing_emails set due_at = now() + interval '1 hour' where order_id is distinct from $1 and state = 'waiting'",
      [id],
    );
    const [row] = await open().query("select private.claim_email() as email");
    return row?.email as {
      id: string;
      kind: string;
      order: { part_sent: boolean; all_sent: boolean };
      shipment: { carrier: string; lines: { title: string; copies: number }[]; left: unknown };
    } | null;
  };
  const stocks = async () => [await stockOf(open(), atlas), await stockOf(open(), maths)];
  const giveBack = (lines: [TestBook, number][], key: string = randomUUID()) =>
    Promise.all(lines.map(async ([book, copies]) => ({ order_item_id: await itemOf(book), copies }))).then(
      (returned) => call("select public.return_copies($1, $2, $3, 'other')", key, id, returned),
    );
  const change = (lines: [TestBook, number][], total: number) =>
    call(
      "select public.change_order($1, (select updated_at from public.orders where id = $1), $2, $3, $4)",
      id,
      lines.map(([book]) => book.id),
      lines.map(([, copies]) => copies),
      total,
    );
  /** Stock and what this order still has out of it: no copy is doubled or lost. */
  const recount = async () => {
    const rows = await open().query(
      `select b.stock_quantity + case when o.stock_held then i.quantity - private.copies_returned(i.id) else 0 end as copies
         from public.orders o join public.order_items i on i.order_id = o.id join public.books b on b.id = i.sold_book_id
        where o.id = $1 order by b.title`,
      [id],
    );
    return rows.map(({ copies }) => Number(copies));
  };

  test("leave the rest to send, and the customer is told in a minute what came and what is to come", async () => {
    await ship([
      [atlas, 3],
      [maths, 4],
    ]);
    expect([await statusNow(), await left(), await left(admin), await stocks()]).toEqual([
      "processing",
      "Atlas 7",
      "Atlas 7",
      [20, 26],
    ]);
    expect([await marked(), await marked(admin), await marked(other)]).toEqual([true, true, true]);
    expect(await marked(await addCustomer(open()))).toBe(false);
    expect(await shipments()).toEqual([
      {
        carrier: "VIP Jeoun",
        parcel_number: "GT 1234-20",
        driver_phone: "+233 24 411 2233",
        lines: [
          { order_item_id: await itemOf(atlas), title: "Atlas", copies: 3 },
          { order_item_id: await itemOf(maths), title: "Maths", copies: 4 },
        ],
      },
    ]);
    expect(await emails()).toEqual(["order_part_shipped waiting for a minute"]);
    const email = await claim();
    expect(email).toMatchObject({
      kind: "order_part_shipped",
      shipment: {
        carrier: "VIP Jeoun",
        lines: [
          { title: "Atlas", copies: 3 },
          { title: "Maths", copies: 4 },
        ],
        left: [{ title: "Atlas", copies: 7 }],
      },
    });
    const steps = await open().as(customer, (query) =>
      query("select step from public.order_timeline($1)", [id]),
    );
    expect(steps.map(({ step }) => step)).toEqual(["placed", "processing", "part_shipped"]);
    const logged = await open().query(
      "select actor, after from public.audit_log where row_id = $1 and action = 'ship'",
      [id],
    );
    expect(logged).toMatchObject([
      {
        actor: admin.id,
        after: {
          carrier: "VIP Jeoun",
          lines: [
            { title: "Atlas", quantity: 3 },
            { title: "Maths", quantity: 4 },
          ],
        },
      },
    ]);
  });

  test("ship the order once nothing is left, with the status's own email", async () => {
    await ship([[atlas, 3]]);
    await claim();
    const key = await ship([
      [atlas, 7, 7],
      [maths, 4, 4],
    ]);
    expect([await statusNow(), await left(), await marked()]).toEqual(["shipped", "", false]);
    expect(await emails()).toEqual([
      "order_part_shipped waiting",
      "order_status_changed shipped waiting for a minute",
    ]);
    const [stored] = await open().query("select carrier from public.orders where id = $1", [id]);
    expect(stored?.carrier).toBe("VIP Jeoun");
    await send(open(), undo(key));
    expect([await statusNow(), await left(), await emails()]).toEqual([
      "processing",
      "Atlas 7, Maths 4",
      ["order_part_shipped waiting"],
    ]);
    const [former] = await open().query("select carrier from public.orders where id = $1", [id]);
    expect(former?.carrier).toBeNull();
    expect(await shipments()).toHaveLength(1);
  });

  test("tell the order's other recipient too, without titles", async () => {
    await open().query("update public.orders set recipient_email = 'school@other.example' where id = $1", [
      id,
    ]);
    const key = await ship([[atlas, 1]]);
    expect(await emails()).toEqual([
      "order_part_shipped waiting for a minute",
      "recipient_order_part_shipped waiting for a minute",
    ]);
    await send(open(), undo(key));
    expect(await emails()).toEqual([]);
  });

  test("are told of in a moment that staff see, and in which they can stop it", async () => {
    const waiting = () =>
      call(
        "select event, from_status, status, shipment_id, copies, is_taken_back, emails, seconds > 50 as waits, is_own from public.list_waiting_emails() where order_id = $1",
        id,
      );
    const key = await ship([
      [atlas, 3],
      [maths, 1],
    ]);
    const last = await ship([
      [atlas, 7],
      [maths, 3],
    ]);
    const parcel = { event: key, from_status: null, status: null, shipment_id: key, copies: 4, emails: 1 };
    expect(await waiting()).toEqual([
      { ...parcel, is_taken_back: false, waits: true, is_own: true },
      expect.objectContaining({
        from_status: "processing",
        status: "shipped",
        shipment_id: null,
        copies: null,
      }),
    ]);
    expect(await call("select public.stop_emails(array[$1])", key)).toEqual([{ stop_emails: 1 }]);
    expect(await emails()).toEqual([
      "order_part_shipped stopped",
      "order_status_changed shipped waiting for a minute",
    ]);
    await send(open(), undo(last));
    // What was not told needs no correction.
    await send(open(), undo(key));
    expect(await waiting()).toEqual([]);

    const told = await ship([[atlas, 3]]);
    const email = await claim();
    await open().query("select private.record_sent_email($1)", [email?.id]);
    await send(open(), undo(told, other));
    expect(await waiting()).toMatchObject([
      { shipment_id: told, copies: 3, is_taken_back: true, is_own: false },
    ]);
  });

  test("are undone once, also after their email has left, which another one then corrects", async () => {
    const key = await ship([[atlas, 3]]);
    const email = await claim();
    await open().query("select private.record_sent_email($1)", [email?.id]);
    const undone = () =>
      open().as(admin, (query) => query("select public.undo_shipment($1) is not null as told", [key]));
    expect([await undone(), await undone()]).toEqual([[{ told: true }], [{ told: false }]]);
    expect([await left(), await marked(), await shipments(), await emails(), await stocks()]).toEqual([
      "Atlas 10, Maths 4",
      false,
      [],
      ["order_part_shipped sent", "order_part_undone waiting for a minute"],
      [20, 26],
    ]);
    expect(await claim()).toMatchObject({
      kind: "order_part_undone",
      shipment: {
        lines: [{ title: "Atlas", copies: 3 }],
        left: [
          { title: "Atlas", copies: 10 },
          { title: "Maths", copies: 4 },
        ],
      },
    });
    const resent = call("select public.resend_email($1)", email?.id);
    expect((await refusalOf(resent)).detail).toEqual({ code: "nothing_to_say" });
    const actions = await open().query(
      "select action from public.audit_log where row_id = $1 and action like '%ship' order by id",
      [id],
    );
    expect(actions.map(({ action }) => action)).toEqual(["ship", "undo_ship"]);
  });

  test("send no email that a worker could not send before they were undone", async () => {
    const key = await ship([[atlas, 3]]);
    const email = await claim();
    await open().query(
      "select private.record_failed_email($1, (select lease from public.outgoing_emails where id = $1), 'No answer')",
      [email?.id],
    );
    await send(open(), undo(key));
    expect([await claim(), await emails()]).toEqual([null, []]);
  });

  test("are corrected for those alone whose email had left, also if a worker had it, and not if it then failed", async () => {
    await open().query("update public.orders set recipient_email = 'school@other.example' where id = $1", [
      id,
    ]);
    const key = await ship([[atlas, 3]]);
    await open().query(
      "update public.outgoing_emails set state = 'stopped', settled_at = now() where order_id = $1 and kind = 'order_part_shipped'",
      [id],
    );
    const email = await claim();
    expect(email?.kind).toBe("recipient_order_part_shipped");
    await send(open(), undo(key));
    const correction = "recipient_order_part_undone waiting for a minute";
    expect(await emails()).toEqual([
      "order_part_shipped stopped",
      "recipient_order_part_shipped waiting",
      correction,
    ]);
    await open().query(
      "select private.record_failed_email($1, (select lease from public.outgoing_emails where id = $1), 'No answer')",
      [email?.id],
    );
    expect([await claim(), await emails()]).toEqual([null, ["order_part_shipped stopped"]]);
  });

  test("stand again when the step back that undid them is undone, unless the copies have gone another way", async () => {
    await ship([[atlas, 6]]);
    const last = await ship([
      [atlas, 4],
      [maths, 4],
    ]);
    const before = [await shipments(), await stocks(), await left(), await emails()];
    const setBack = (shown: string, status: string) =>
      call("select public.set_back_statuses(array[$1]::uuid[], array[$2], array[$3])", id, shown, status);
    for (const status of ["processing", "pending"]) {
      await setStatus(status);
      expect(await left()).toBe("Atlas 4, Maths 4");
      await setBack(status, "shipped");
      expect([await shipments(), await stocks(), await left(), await emails()]).toEqual(before);
    }
    // It still is what made the order shipped.
    await send(open(), undo(last));
    expect(await statusNow()).toBe("pending");
    await setBack("pending", "shipped");
    expect(await shipments()).toHaveLength(2);

    await setStatus("processing");
    await ship([[maths, 1]]);
    await setBack("processing", "shipped");
    expect(await shipments()).toHaveLength(2);
  });

  test("take the order's status back after its email has left, but only the one that they gave it", async () => {
    const all: Sent[] = [
      [atlas, 10],
      [maths, 4],
    ];
    const key = await ship(all);
    const email = await claim();
    await open().query("select private.record_sent_email($1)", [email?.id]);
    await send(open(), undo(key));
    expect([await statusNow(), await emails()]).toEqual([
      "processing",
      ["order_status_changed shipped sent", "order_status_changed processing waiting for a minute"],
    ]);
    const again = await ship(all);
    await setStatus("delivered");
    await send(open(), undo(again));
    expect([await statusNow(), await shipments()]).toEqual(["delivered", []]);
    await setStatus("processing");
    const last = await ship([[atlas, 3]]);
    await setStatus("shipped");
    await send(open(), undo(last));
    expect(await statusNow()).toBe("shipped");
  });

  test("speak of a rest only if a parcel left before the last one", async () => {
    const all: Sent[] = [
      [atlas, 10],
      [maths, 4],
    ];
    await send(open(), undo(await ship(all)));
    await ship(all);
    expect((await claim())?.order.part_sent).toBe(false);
    await setStatus("cancelled");
    expect((await claim())?.order).toMatchObject({ part_sent: true, all_sent: true });
    await newOrder();
    await ship([[atlas, 3]]);
    await setStatus("cancelled");
    expect((await claim())?.order).toMatchObject({ part_sent: true, all_sent: false });
    await newOrder();
    const first = await ship([[atlas, 3]]);
    await ship([
      [atlas, 7],
      [maths, 4],
    ]);
    const ofStatus = async () => {
      await open().query("delete from public.outgoing_emails where order_id = $1 and kind like '%part%'", [
        id,
      ]);
      return claim();
    };
    expect((await ofStatus())?.order.part_sent).toBe(true);
    // The one that stays is then a part like any other.
    await send(open(), undo(first));
    await ship([[atlas, 3]]);
    expect((await ofStatus())?.order.part_sent).toBe(true);
  });

  test("that closed the order are undone with its status, however it goes back", async () => {
    const rest = (): Sent[] => [
      [atlas, 7],
      [maths, 4],
    ];
    const back = (shown: string, status: string) =>
      call("select public.set_back_statuses(array[$1]::uuid[], array[$2], array[$3])", id, shown, status);
    const ways: Record<string, (key: string) => Promise<unknown>> = {
      "the shipment's own Undo": (key) => send(open(), undo(key)),
      "Undo of the email": () => back("shipped", "processing"),
      "another status": () => setStatus("processing"),
      "several orders": () =>
        call(
          "select public.set_order_statuses(array[$1]::uuid[], '{shipped}', 'processing', null, '{set_back}')",
          id,
        ),
      "by way of delivered": async () => {
        await setStatus("delivered");
        await setStatus("processing");
      },
      "by way of cancelled": async () => {
        await setStatus("cancelled");
        await setStatus("processing");
      },
    };
    for (const [way, goBack] of Object.entries(ways)) {
      await newOrder();
      await ship([[atlas, 3]]);
      const key = await ship(rest());
      await goBack(key);
      const logged = await open().query(
        "select actor, after ->> 'carrier' as carrier from public.audit_log where row_id = $1 and action = 'undo_ship'",
        [id],
      );
      const undone = await open().query(
        "select id, undone_by from public.order_shipments where order_id = $1 and undone_at is not null",
        [id],
      );
      expect([await statusNow(), await left(), logged, undone, await stocks(), await recount()], way).toEqual(
        [
          "processing",
          "Atlas 7, Maths 4",
          [{ actor: admin.id, carrier: "VIP Jeoun" }],
          [{ id: key, undone_by: admin.id }],
          [20, 26],
          [30, 30],
        ],
      );
      await send(open(), undo(key));
      await ship(rest());
      expect(await statusNow(), way).toBe("shipped");
    }
  });

  test("that closed the order stay when it is cancelled or delivered, and when both are taken back", async () => {
    await ship([
      [atlas, 10],
      [maths, 4],
    ]);
    for (const status of ["delivered", "shipped", "cancelled", "shipped"]) {
      await setStatus(status);
      expect([await shipments(), await stocks()], status).toMatchObject([[{}], [20, 26]]);
    }
  });

  test("let nothing come back before the rest has left, and say so", async () => {
    await ship([[atlas, 3]]);
    const refused = await refusalOf(giveBack([[atlas, 1]]));
    expect([refused.detail, refused.message]).toEqual([
      { code: "order_not_sent" },
      "The rest of this order hasn't been sent yet. Send it first, then record what came back.",
    ]);
    await setStatus("shipped");
    await giveBack([[atlas, 1]]);
    expect(await stocks()).toEqual([21, 26]);
  });

  test("leave the recipient's copy that the order is on its way, also after two parcels of one day", async () => {
    const recipient = `${randomUUID()}@other.example`;
    await open().query("update public.orders set recipient_email = $2 where id = $1", [id, recipient]);
    const sendTheir = async () => {
      await open().query(
        "delete from public.outgoing_emails where order_id = $1 and kind not like 'recipient%'",
        [id],
      );
      const email = await claim();
      if (email) await open().query("select private.record_sent_email($1)", [email.id]);
      return email?.kind ?? null;
    };
    await open().query("select private.queue_order_emails($1)", [id]);
    const kinds = [await sendTheir()];
    for (let parcel = 0; parcel < 2; parcel += 1) {
      await ship([[atlas, 1]]);
      kinds.push(await sendTheir());
    }
    await setStatus("shipped");
    kinds.push(await sendTheir());
    expect(kinds).toEqual([
      "recipient_order_placed",
      "recipient_order_part_shipped",
      "recipient_order_part_shipped",
      "recipient_order_shipped",
    ]);
    // What others can cause stays limited.
    await open().query("select private.queue_emails('{recipient_order_shipped}', $1, $2)", [
      randomUUID(),
      id,
    ]);
    expect(await sendTheir()).toBeNull();
  });

  test("reopen the order when an earlier shipment is undone, and then tell of the one that stays", async () => {
    const first = await ship([[atlas, 3]]);
    await ship([
      [atlas, 7],
      [maths, 4],
    ]);
    await send(open(), undo(first));
    expect([await statusNow(), await left(), await emails()]).toEqual([
      "processing",
      "Atlas 3",
      ["order_part_shipped waiting for a minute"],
    ]);
    await ship([[atlas, 3]]);
    expect(await statusNow()).toBe("shipped");
  });

  test("count once when the same request comes twice, and never more than are left", async () => {
    const see = async () => [await left(), await statusNow(), (await emails()).length];
    const twice = async () => {
      await newOrder();
      const again = await request(admin, [[atlas, 3]], randomUUID());
      return { requests: [again, again] as [Request, Request], see };
    };
    expect(await expectSerial(open(), twice)).toEqual([
      ["done", "done"],
      ["done", "done"],
    ]);
    const last = async () => {
      await newOrder();
      return {
        requests: [await request(admin, [[atlas, 6]]), await request(other, [[atlas, 6]])] as [
          Request,
          Request,
        ],
        see,
      };
    };
    expect(await expectSerial(open(), last)).toEqual([
      ["done", "more_than_left"],
      ["more_than_left", "done"],
    ]);
    const seen = async () => {
      await newOrder();
      return {
        requests: [await request(admin, [[atlas, 3, 10]]), await request(other, [[atlas, 3, 10]])] as [
          Request,
          Request,
        ],
        see,
      };
    };
    expect(await expectSerial(open(), seen)).toEqual([
      ["done", "shipment_outdated"],
      ["shipment_outdated", "done"],
    ]);
    const undone = async () => {
      await newOrder();
      const sent = await ship([
        [atlas, 10],
        [maths, 4],
      ]);
      return { requests: [undo(sent), undo(sent, other)] as [Request, Request], see };
    };
    expect(await expectSerial(open(), undone)).toEqual([
      ["done", "done"],
      ["done", "done"],
    ]);
  });

  test("and the customer's cancellation agree, whichever comes first", async () => {
    const both = async () => {
      await newOrder();
      const cancel: Request = [
        customer,
        "update public.orders set status = 'cancelled' where id = $1 returning id",
        [id],
      ];
      return {
        requests: [await request(admin, [[atlas, 3]]), cancel] as [Request, Request],
        see: async () => [await stocks(), await recount(), await statusNow()],
      };
    };
    expect(await expectSerial(open(), both)).toEqual([
      ["done", "done"],
      ["order_not_open", "done"],
    ]);
  });

  test("refuse a request that was edited after it was stored or undone, and what can't be sent", async () => {
    const key = await ship([[atlas, 2, 10]]);
    await ship([[atlas, 2, 10]], key);
    expect(await left()).toBe("Atlas 8, Maths 4");
    expect(await refusedShip([[atlas, 1]], key)).toEqual({ code: "shipment_exists" });
    expect(await refusedShip([[maths, 2]], key)).toEqual({ code: "shipment_exists" });
    const elsewhere = await request(admin, [[atlas, 2, 10]], key, { ...shipping, carrier: "STC" });
    expect((await refusalOf(send(open(), elsewhere))).detail).toEqual({ code: "shipment_exists" });
    await send(open(), undo(key));
    expect(await refusedShip([[atlas, 2, 10]], key)).toEqual({ code: "shipment_exists" });
    expect(await refusedShip([[atlas, 11]])).toMatchObject({
      code: "more_than_left",
      title: "Atlas",
      most: 10,
    });
    expect(await refusedShip([[atlas, 0]])).toMatchObject({ field: "copies" });
    expect(await refusedShip([[atlas, -1]])).toMatchObject({ field: "copies" });
    expect(
      await refusedShip([
        [atlas, 1],
        [atlas, 1],
      ]),
    ).toEqual({ code: "invalid_rows" });
    expect(await refusedShip([])).toEqual({ code: "invalid_rows" });
    const strange = await addBook(open());
    expect(await refusedShip([[strange, 1]])).toEqual({ code: "line_not_found" });
    const long = await request(admin, [[atlas, 1]], randomUUID(), { carrier: "x".repeat(101) });
    expect((await refusalOf(send(open(), long))).detail).toMatchObject({ field: "carrier" });
    for (const status of ["shipped", "delivered", "cancelled"]) {
      await setStatus(status);
      expect(await refusedShip([[atlas, 1]])).toEqual({ code: "order_not_open" });
    }
    expect([await emails(), await shipments()]).toMatchObject([
      [expect.stringContaining("order_cancelled")],
      [],
    ]);
  });

  test("need no shipping details, and never count digital titles as left", async () => {
    const file = await addBook(open(), { title: "A file", price: 9, stock: 5 });
    await open().query("update public.books set kind = 'digital', digital_by = 'file' where id = $1", [
      file.id,
    ]);
    await open().query(
      `insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title, kind)
       values ($1, $2, $2, 1, 9, 'A file', 'digital')`,
      [id, file.id],
    );
    expect(await left()).toBe("Atlas 10, Maths 4");
    expect(await refusedShip([[file, 1]])).toMatchObject({ code: "more_than_left", most: 0 });
    const bare = await request(
      admin,
      [
        [atlas, 10],
        [maths, 4],
      ],
      randomUUID(),
      null,
    );
    expect(await send(open(), bare)).toEqual([{ ship_copies: true }]);
    expect([await statusNow(), await shipments()]).toMatchObject(["shipped", [{ carrier: null }]]);
  });

  test("stay out of stock when the order is cancelled, and can be returned from it", async () => {
    await ship([[atlas, 3]]);
    const [tried] = await call(
      "select step, copies, status from public.try_order_statuses(array[$1]::uuid[], '{processing}', 'cancelled')",
      id,
    );
    expect(tried).toEqual({ step: "cancel_sent", copies: 11, status: "processing" });
    await setStatus("cancelled");
    expect([await stocks(), await recount()]).toEqual([
      [27, 30],
      [30, 30],
    ]);
    expect(await movementsOf(open(), atlas)).toEqual(["-10 order", "7 cancel"]);
    // Only what was sent can come back.
    const toReturn = await call("select copies from public.list_copies_to_return($1)", id);
    expect(toReturn).toEqual([{ copies: 3 }]);
    expect((await refusalOf(giveBack([[atlas, 4]]))).detail).toMatchObject({ most: 3 });
    const key = randomUUID();
    await giveBack([[atlas, 3]], key);
    expect([await stocks(), await recount()]).toEqual([
      [30, 30],
      [30, 30],
    ]);
    // Reopened, these copies would be to send again although a shipment says that they were sent.
    expect((await refusalOf(setStatus("processing"))).detail).toEqual({ code: "sent_copies_returned" });
    await call("select public.undo_return($1)", key);
    await setStatus("processing");
    expect([await stocks(), await left(), await recount()]).toEqual([[20, 26], "Atlas 7, Maths 4", [30, 30]]);
  });

  test("are kept apart from the unsent ones, which neither Undo nor the customer's steps name as returned", async () => {
    const shipped = await ship([[atlas, 3]]);
    await setStatus("cancelled");
    const [unsent] = await open().query(
      "select id from public.order_returns where order_id = $1 and reason = 'unsent'",
      [id],
    );
    expect((await refusalOf(call("select public.undo_return($1)", unsent?.id))).detail).toEqual({
      code: "order_cancelled",
    });
    expect((await refusalOf(send(open(), undo(shipped)))).detail).toEqual({ code: "order_cancelled" });
    const steps = await open().as(customer, (query) =>
      query("select step from public.order_timeline($1)", [id]),
    );
    expect(steps.map(({ step }) => step)).not.toContain("returned");
    await setStatus("pending");
    await send(open(), undo(shipped));
    await setStatus("cancelled");
    expect(await stocks()).toEqual([30, 30]);
  });

  test("that are all that there was leave nothing to return when the order is cancelled", async () => {
    await ship([[atlas, 10]]);
    await change([[atlas, 10]], 200);
    expect([await statusNow(), await left()]).toEqual(["processing", ""]);
    await setStatus("cancelled");
    expect([await stocks(), await recount()]).toEqual([[20, 30], [30]]);
    await setStatus("processing");
    expect([await stocks(), await left()]).toEqual([[20, 30], ""]);
  });

  test("are left out of bulk cancelling until staff choose it", async () => {
    await ship([[atlas, 3]]);
    const second = await order(open(), customer, [[maths, 1]]);
    const cancel = (steps: string[]) =>
      call(
        "select problem from public.set_order_statuses($1::uuid[], '{processing,pending}', 'cancelled', null, $2)",
        [id, second],
        steps,
      );
    expect(await cancel([])).toEqual([
      { problem: "It is already sent in part and was not cancelled." },
      { problem: null },
    ]);
    const [row] = await call(
      "select problem from public.set_order_statuses($1::uuid[], '{processing,cancelled}', 'cancelled', null, '{cancel_sent}')",
      [id, second],
    );
    expect([row, await statusNow()]).toEqual([{ problem: null }, "cancelled"]);
  });

  test("can't be taken out of their order, which can get more and fewer of the others", async () => {
    const key = await ship([
      [atlas, 3],
      [maths, 1],
    ]);
    for (const [lines, total] of [
      [
        [
          [atlas, 2],
          [maths, 4],
        ],
        90,
      ],
      [[[atlas, 10]], 200],
    ] as [[TestBook, number][], number][])
      expect((await refusalOf(change(lines, total))).detail).toEqual({ code: "copies_sent" });
    await change(
      [
        [atlas, 3],
        [maths, 6],
      ],
      135,
    );
    expect([await left(), await stocks()]).toEqual(["Maths 5", [27, 24]]);
    await send(open(), undo(key));
    await change([[maths, 6]], 75);
    expect([await left(), await stocks()]).toEqual(["Maths 6", [30, 24]]);
  });

  test("keep their order from being deleted until they are undone", async () => {
    const key = await ship([[atlas, 3]]);
    const remove = () => call("delete from public.orders where id = $1", id);
    expect((await refusalOf(remove())).message).toBe(
      "Copies of this order have been sent, so it can't be deleted. Undo the shipment first.",
    );
    await setStatus("cancelled");
    const cancelled = await refusalOf(remove());
    expect([cancelled.detail, cancelled.message]).toEqual([
      { code: "order_has_shipments" },
      "Copies of this order have been sent, so it can't be deleted. Reopen the order first, which takes its unsent copies from stock again. Then undo the shipment.",
    ]);
    await setStatus("processing");
    await send(open(), undo(key));
    await remove();
    expect(await stocks()).toEqual([30, 30]);
    await call("select public.restore_order($1)", id);
    expect([await stocks(), await left()]).toEqual([[20, 26], "Atlas 10, Maths 4"]);
  });

  test("that came back are not to send again, and those of a whole order count from what was sent", async () => {
    await ship([[atlas, 3]]);
    await setStatus("shipped");
    expect(await left()).toBe("");
    await giveBack([[atlas, 2]]);
    await setStatus("processing");
    expect([await left(), await stocks()]).toEqual(["Atlas 7, Maths 4", [22, 26]]);
    await setStatus("cancelled");
    expect([await stocks(), await recount()]).toEqual([
      [29, 30],
      [30, 30],
    ]);
  });

  test("are neither lost nor doubled by any sequence of steps", async () => {
    const chance = chanceFrom(Number(process.env.TEST_SEED ?? 1));
    for (let round = 0; round < inGateOrLong(6, 60); round += 1) {
      await newOrder();
      const steps: string[] = [];
      const keys: { ships: string[]; returns: string[] } = { ships: [], returns: [] };
      const key = chance.uuid;
      const some = (most: number): Sent[] => [[chance.pick([atlas, maths]) ?? atlas, chance.whole(1, most)]];
      const takes: Record<string, () => Promise<unknown>> = {
        ship: async () => keys.ships.push(await ship(some(5), key())),
        "ship all": async () => {
          const all = await call(
            "select title, copies from public.list_copies_to_send(array[$1]::uuid[])",
            id,
          );
          if (all.length === 0) return;
          const titles = new Map([atlas, maths].map((book) => [book.title, book]));
          const lines = all.map(
            ({ title, copies }): Sent => [titles.get(String(title)) ?? atlas, Number(copies)],
          );
          keys.ships.push(await ship(lines, key()));
        },
        "undo a shipment": async () =>
          send(open(), undo(chance.pick(keys.ships) ?? randomUUID(), chance.pick([admin, other]))),
        return: async () => {
          const made = key();
          await giveBack(
            some(4).map(([book, copies]) => [book, copies]),
            made,
          );
          keys.returns.push(made);
        },
        "undo a return": () =>
          call("select public.undo_return($1)", chance.pick(keys.returns) ?? randomUUID()),
        change: () => {
          const copies = chance.whole(1, 12);
          return change(
            [
              [atlas, copies],
              [maths, 4],
            ],
            copies * 20 + 50,
          );
        },
        ...Object.fromEntries(
          ["pending", "processing", "shipped", "delivered", "cancelled", "cancelled"].map((status, at) => [
            `${status} ${at}`,
            () => setStatus(status),
          ]),
        ),
      };
      for (let step = 0; step < 25; step += 1) {
        const name = chance.pick(Object.keys(takes)) ?? "ship";
        steps.push(name);
        try {
          await takes[name]?.();
        } catch (error) {
          // Whatever is refused says so.
          expect((error as { code?: string }).code, steps.join(", ")).toMatch(/^PT4/);
        }
        expect(await recount(), steps.join(", ")).toEqual([30, 30]);
        const wrong = await open().query(
          `select i.title, i.quantity, private.copies_sent(i.id) as sent, private.copies_returned(i.id) as returned, o.status, o.stock_held
             from public.orders o join public.order_items i on i.order_id = o.id
            where o.id = $1 and (private.copies_sent(i.id) > i.quantity or private.copies_returned(i.id) > i.quantity
               or not o.stock_held and private.copies_sent(i.id) > private.copies_returned(i.id))`,
          [id],
        );
        expect(wrong, steps.join(", ")).toEqual([]);
      }
    }
  });

  test("are seen by the order's customer and staff alone, and sent and undone by staff alone", async () => {
    const key = await ship([[atlas, 3]]);
    const stranger = await addCustomer(open());
    const packer = await addCustomer(open());
    await open().query("insert into public.staff_duties (user_id, duty) values ($1, 'orders')", [packer.id]);
    expect([await shipments(stranger), await left(stranger)]).toEqual([[], ""]);
    expect([(await shipments(packer)).length, await left(packer)]).toEqual([1, "Atlas 7, Maths 4"]);
    for (const table of ["order_shipments", "order_shipment_lines"])
      expect(await open().as(customer, (query) => query(`select * from public.${table}`))).toEqual([]);
    for (const person of [customer, stranger])
      for (const attempt of [await request(person, [[atlas, 1]]), undo(key, person)])
        expect((await refusalOf(send(open(), attempt))).detail).toMatchObject({ code: "duty_missing" });
    await send(open(), await request(packer, [[atlas, 1]]));
    await send(open(), undo(key, packer));
    expect(await left()).toBe("Atlas 9, Maths 4");
  });

  test("forget who carried them with their order's customer", async () => {
    await ship([[atlas, 3]]);
    await open().query("select private.scrub_orders(array[$1]::uuid[])", [id]);
    expect(await shipments()).toMatchObject([{ carrier: null, parcel_number: null, driver_phone: null }]);
    const logged = await open().query(
      "select after ->> 'driver_phone' as phone from public.audit_log where row_id = $1 and action = 'ship'",
      [id],
    );
    expect([logged, await emails()]).toEqual([[{ phone: null }], []]);
  });
});
