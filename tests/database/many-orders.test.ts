import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { expectSerial, type Request, send } from "#tests/support/at-once.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  order,
  sendStatusEmailsAtOnce,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("Many orders at once", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let book: TestBook;
  beforeAll(async () => {
    await sendStatusEmailsAtOnce(open());
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open());
    book = await addBook(open(), { stock: 10 });
  });

  const statusOf = async (id: string) =>
    String((await open().query("select status from public.orders where id = $1", [id]))[0]?.status);
  const request = (ids: string[], shown: string[], status: string): Request => [
    admin,
    "select order_id, number::int, problem from public.set_order_statuses($1, $2, $3)",
    [ids, shown, status],
  ];
  const set = async (ids: string[], shown: string[], status: string, stepsBack: string[] = []) =>
    (
      await send(open(), [
        admin,
        "select problem from public.set_order_statuses($1, $2, $3, null, $4)",
        [ids, shown, status, stepsBack],
      ])
    ).map(({ problem }) => problem);

  test("go back in one call, each to the status that it had, without the shipping details typed meanwhile", async () => {
    const [one, two, three] = [
      await order(open(), customer, [[book, 2]]),
      await order(open(), customer, [[book, 2]]),
      await order(open(), customer, [[book, 2]]),
    ];
    const ship = (ids: string[], shown: string[], carrier: string) =>
      send(open(), [
        admin,
        "select * from public.set_order_statuses($1, $2, 'shipped', $3)",
        [ids, shown, JSON.stringify({ carrier })],
      ]);
    const carriers = async () =>
      (
        await open().query("select carrier from public.orders where id = any ($1) order by number", [
          [one, two, three],
        ])
      ).map(({ carrier }) => carrier);
    const back = async (ids: string[], shown: string[], statuses: string[]) =>
      Object.fromEntries(
        (
          await send(open(), [
            admin,
            "select order_id, problem from public.set_back_statuses($1, $2, $3)",
            [ids, shown, statuses],
          ])
        ).map(({ order_id, problem }) => [order_id, problem]),
      );
    await ship([two], ["pending"], "OA");
    await set([two], ["shipped"], "processing");
    await ship([one, two, three], ["pending", "processing", "pending"], "VIP");
    await set([one], ["shipped"], "shipped");
    await send(open(), [admin, "update public.orders set status = 'delivered' where id = $1", [three]]);
    expect(await carriers()).toEqual(["VIP", "VIP", "VIP"]);
    expect(
      await back([one, two, three], ["shipped", "shipped", "shipped"], ["pending", "processing", "pending"]),
    ).toEqual({
      [one]: null,
      [two]: null,
      [three]: "It is now delivered. Check it before you change its status.",
    });
    expect([await statusOf(one), await statusOf(two), await statusOf(three)]).toEqual([
      "pending",
      "processing",
      "delivered",
    ]);
    expect(await carriers()).toEqual([null, "OA", "VIP"]);
    // Undo after Undo too.
    await ship([one], ["pending"], "STC");
    await set([one], ["shipped"], "delivered");
    await back([one], ["delivered"], ["shipped"]);
    await back([one], ["shipped"], ["pending"]);
    expect(await carriers()).toEqual([null, "OA", "VIP"]);
    for (const [shown, statuses] of [
      [["pending"], ["shipped", "shipped"]],
      [["pending", "processing"], ["shipped"]],
    ] as const)
      expect(await refusalOf(back([one, two], [...shown], [...statuses]))).toMatchObject({
        detail: { code: "invalid_rows" },
      });
  });

  test("get one status, each with its event, and those that cannot say why", async () => {
    const [one, two, three] = [
      await order(open(), customer, [[book, 2]]),
      await order(open(), customer, [[book, 2]]),
      await order(open(), customer, [[book, 2]]),
    ];
    await send(open(), [customer, "update public.orders set status = 'cancelled' where id = $1", [two]]);
    const missing = randomUUID();
    expect(
      await set([one, two, missing, three], ["pending", "pending", "pending", "pending"], "shipped"),
    ).toEqual([
      null,
      "It is now cancelled. Check it before you change its status.",
      "It no longer exists.",
      null,
    ]);
    expect([await statusOf(one), await statusOf(two), await statusOf(three)]).toEqual([
      "shipped",
      "cancelled",
      "shipped",
    ]);
    const events = await open().query(
      "select to_status, actor from public.order_events where order_id = any ($1) and to_status = 'shipped'",
      [[one, three]],
    );
    expect(events).toEqual([
      { to_status: "shipped", actor: admin.id },
      { to_status: "shipped", actor: admin.id },
    ]);
    // Again, as after a lost answer: nothing more happens.
    expect(await set([one, three], ["pending", "pending"], "shipped")).toEqual([null, null]);
    expect(await open().query("select from public.order_events where order_id = $1", [one])).toHaveLength(1);
  });

  const ship = (ids: string[], shown: string[], status: string, shipment: unknown): Request => [
    admin,
    "select order_id, number::int, problem from public.set_order_statuses($1, $2, $3, $4::jsonb)",
    [ids, shown, status, JSON.stringify(shipment)],
  ];
  const shipmentOf = async (id: string) =>
    (
      await open().query("select carrier, parcel_number, driver_phone from public.orders where id = $1", [id])
    )[0];
  const shippedEmails = (id: string) =>
    open().query(
      "select id from public.outgoing_emails where order_id = $1 and kind = 'order_status_changed' and status = 'shipped'",
      [id],
    );
  const noShipmentDetails = { carrier: null, parcel_number: null, driver_phone: null };

  test("are shipped with cleaned shipping details; customers are notified once, and again when these change", async () => {
    const [one, two] = [
      await order(open(), customer, [[book, 1]]),
      await order(open(), customer, [[book, 1]]),
    ];
    const shipment = {
      carrier: " VIP\tbus ",
      parcel_number: "GT 4711-20",
      driver_phone: "",
      status: "cancelled",
    };
    const request = ship([one, two], ["pending", "pending"], "shipped", shipment);
    await send(open(), request);
    const known = { carrier: "VIP bus", parcel_number: "GT 4711-20", driver_phone: null };
    expect([await shipmentOf(one), await statusOf(one)]).toEqual([known, "shipped"]);
    expect([await shipmentOf(two), await statusOf(two)]).toEqual([known, "shipped"]);
    // The response was lost.
    await send(open(), request);
    expect(await shippedEmails(one)).toHaveLength(1);
    await send(open(), ship([one], ["shipped"], "shipped", { ...known, driver_phone: "+233 24 412 3456" }));
    expect(await shipmentOf(one)).toEqual({ ...known, driver_phone: "+233 24 412 3456" });
    expect(await shippedEmails(one)).toHaveLength(2);
    expect(await shippedEmails(two)).toHaveLength(1);
    expect(
      await open().query("select private.email_order($1) ->> 'driver_phone' as phone", [one]),
      "what its email says",
    ).toEqual([{ phone: "+233 24 412 3456" }]);
  });

  test("keep their shipping details when someone with an older list ships them with others", async () => {
    const [one, two] = [
      await order(open(), customer, [[book, 1]]),
      await order(open(), customer, [[book, 1]]),
    ];
    const known = { carrier: "STC", parcel_number: "77", driver_phone: "+233 24 412 3456" };
    await send(open(), ship([one], ["pending"], "shipped", known));
    const problem = "It has been shipped already, with other details. Check them before you change them.";
    for (const [stale, problems] of [
      [{ ...noShipmentDetails, carrier: "VIP" }, [problem, null]],
      [{}, [problem, problem]],
    ] as const) {
      const outcomes = await send(open(), ship([one, two], ["pending", "pending"], "shipped", stale));
      expect(outcomes.map((outcome) => outcome.problem)).toEqual(problems);
    }
    expect(await shipmentOf(one)).toEqual(known);
    expect(await shippedEmails(one)).toHaveLength(1);
    expect(await shipmentOf(two)).toEqual({ ...noShipmentDetails, carrier: "VIP" });
  });

  test.each(["[]", "7", '"VIP"'])("keep their shipping details when %s is sent", async (sent) => {
    const id = await order(open(), customer, [[book, 1]]);
    await send(open(), ship([id], ["pending"], "shipped", { carrier: "STC" }));
    const [person, sql, [ids, shown, status]] = ship([id], ["shipped"], "shipped", {});
    await send(open(), [person, sql, [ids, shown, status, sent]]);
    expect(await shipmentOf(id)).toEqual({ ...noShipmentDetails, carrier: "STC" });
  });

  test("keep their shipping details when deleted and restored, until their customer is forgotten", async () => {
    const id = await order(open(), customer, [[book, 1]]);
    await send(
      open(),
      ship([id], ["pending"], "shipped", { carrier: "STC", driver_phone: "+233 20 111 2223" }),
    );
    await send(open(), [admin, "delete from public.orders where id = $1", [id]]);
    await send(open(), [admin, "select public.restore_order($1)", [id]]);
    const known = { carrier: "STC", parcel_number: null, driver_phone: "+233 20 111 2223" };
    expect(await shipmentOf(id)).toEqual(known);
    await open().query("select private.scrub_orders(array[$1::uuid])", [id]);
    expect(await shipmentOf(id)).toEqual(noShipmentDetails);
    expect(
      await open().query(
        "select from public.audit_log where row_id = $1 and coalesce(before, after)::text like '%20 111 2223%'",
        [id],
      ),
    ).toEqual([]);
  });

  test.each([
    ["an order that is not shipped", "processing", { carrier: "VIP" }],
    ["something that is no shipment", "shipped", [1, 2]],
    ["a text", "shipped", "VIP"],
    ["null", "shipped", null],
  ])("%s has no shipping details", async (_, status, shipment) => {
    const id = await order(open(), customer, [[book, 1]]);
    await send(open(), ship([id], ["pending"], status, shipment));
    expect([await shipmentOf(id), await statusOf(id)]).toEqual([noShipmentDetails, status]);
  });

  test.each([
    ["carrier", 100, "The carrier"],
    ["parcel_number", 60, "The parcel or bus number"],
    ["driver_phone", 40, "The driver's phone number"],
  ])("a %s that is too long is refused, and nothing is shipped", async (field, limit, label) => {
    const id = await order(open(), customer, [[book, 1]]);
    const longest = "5".repeat(limit);
    const refusal = await refusalOf(
      send(open(), ship([id], ["pending"], "shipped", { [field]: `${longest}5` })),
    );
    expect(refusal).toMatchObject({ code: "PT400", message: expect.stringContaining(label) });
    expect(await statusOf(id)).toBe("pending");
    await send(open(), ship([id], ["pending"], "shipped", { [field]: longest }));
    expect(await shipmentOf(id)).toMatchObject({ [field]: longest });
  });

  test("customers can neither place an order with shipping details nor change them", async () => {
    for (const sql of [
      "insert into public.orders (id, user_id, total_amount, carrier) values (gen_random_uuid(), auth.uid(), 1, 'Mine')",
      "update public.orders set driver_phone = '1' where user_id = auth.uid()",
    ])
      expect(await refusalOf(send(open(), [customer, sql, []]))).toMatchObject({ code: "42501" });
  });

  test("return and take their copies like one by one, and one that cannot does not stop the others", async () => {
    const [big, small] = [
      await order(open(), customer, [[book, 8]]),
      await order(open(), customer, [[book, 2]]),
    ];
    expect(await set([big, small], ["pending", "pending"], "cancelled")).toEqual([null, null]);
    expect(await stockOf(open(), book)).toBe(10);
    const taken = await order(open(), customer, [[book, 5]]);
    expect(await set([big, small], ["cancelled", "cancelled"], "processing", ["reopen"])).toEqual([
      `Not enough in stock: ${book.title} (5 left).`,
      null,
    ]);
    expect(await stockOf(open(), book)).toBe(3);
    expect([await statusOf(big), await statusOf(small), await statusOf(taken)]).toEqual([
      "cancelled",
      "processing",
      "pending",
    ]);
  });

  /** Orders of two copies each: pending, processing, shipped, delivered, cancelled, and one that is paid. */
  async function oneOfEach() {
    const shown = ["pending", "processing", "shipped", "delivered", "cancelled", "processing"];
    const shelf = await addBook(open(), { stock: 2 * shown.length });
    const ids: string[] = [];
    for (const status of shown) {
      const id = await order(open(), customer, [[shelf, 2]]);
      ids.push(id);
      if (status !== "pending") await set([id], ["pending"], status);
    }
    await send(open(), [
      admin,
      "select public.record_payment(gen_random_uuid(), $1, 'payment', 'cash', (select total_amount from public.orders where id = $1), current_date)",
      [ids.at(-1)],
    ]);
    return { ids, shown, shelf, statuses: () => Promise.all(ids.map(statusOf)) };
  }

  const reopened = "It is cancelled and was not reopened.";
  const setBack = (status: string) => `It is already ${status} and was not moved back.`;
  const cancelled = (status: string) => `It is already ${status} and was not cancelled.`;

  test.each([
    [
      "pending",
      [
        null,
        setBack("processing"),
        setBack("shipped"),
        setBack("delivered"),
        reopened,
        setBack("processing"),
      ],
    ],
    ["processing", [null, null, setBack("shipped"), setBack("delivered"), reopened, null]],
    ["shipped", [null, null, null, setBack("delivered"), reopened, null]],
    ["delivered", [null, null, null, null, reopened, null]],
    [
      "cancelled",
      [
        null,
        null,
        cancelled("shipped"),
        cancelled("delivered"),
        null,
        "It has been paid and was not cancelled.",
      ],
    ],
  ])(
    "leaves out of orders set to %s together those that would be taken a step back",
    async (status, problems) => {
      const { ids, shown, shelf, statuses } = await oneOfEach();
      const before = Number(await stockOf(open(), shelf));
      expect(await set(ids, shown, status)).toEqual(problems);
      expect(await statuses()).toEqual(
        problems.map((problem, at) => (problem === null ? status : shown[at])),
      );
      // Nothing is taken again for a single cancelled order.
      expect(await stockOf(open(), shelf)).toBe(before + (status === "cancelled" ? 4 : 0));
    },
  );

  test("takes the steps back that are chosen, and a single order any step", async () => {
    const { ids, shown, statuses } = await oneOfEach();
    expect(await set(ids, shown, "processing", ["reopen"])).toEqual([
      null,
      null,
      setBack("shipped"),
      setBack("delivered"),
      null,
      null,
    ]);
    expect(await set(ids, await statuses(), "cancelled", ["cancel_sent", "cancel_paid"])).toEqual(
      ids.map(() => null),
    );
    for (const status of ["delivered", "pending", "cancelled", "shipped"])
      expect(await set(ids.slice(0, 1), [await statusOf(ids[0] ?? "")], status)).toEqual([null]);
  });

  test("refuses a client's statement that would take several orders a step back, and none for one order", async () => {
    const { ids, shown, statuses } = await oneOfEach();
    const update = "update public.orders set status = $2 where id = any ($1) returning id";
    for (const [few, status] of [
      [ids, "processing"],
      [ids.slice(3, 5), "delivered"],
      [[ids[0], ids[5]], "cancelled"],
    ])
      expect((await refusalOf(send(open(), [admin, update, [few, status]]))).detail).toEqual({
        code: "step_back_not_chosen",
      });
    expect(await statuses()).toEqual(shown);
    expect(await send(open(), [admin, update, [ids.slice(0, 2), "shipped"]])).toHaveLength(2);
    for (const id of ids) expect(await send(open(), [admin, update, [[id], "pending"]])).toHaveLength(1);
  });

  const tryOut = (ids: string[], shown: string[], status: string, stepsBack: string[] = []) =>
    send(open(), [
      admin,
      "select number::int, status, step, problem, emails, copies from public.try_order_statuses($1, $2, $3, $4)",
      [ids, shown, status, stepsBack],
    ]);

  test.each([
    ["processing", []],
    ["processing", ["reopen", "set_back"]],
    ["cancelled", ["cancel_sent"]],
    ["shipped", ["reopen"]],
  ])(
    "says of %s, with the steps back %j, what it then does, and does nothing itself",
    async (status, steps) => {
      const { ids, shown, shelf, statuses } = await oneOfEach();
      const emails = async () =>
        (await open().query("select id from public.outgoing_emails where order_id = any ($1)", [ids])).length;
      const before = { stock: Number(await stockOf(open(), shelf)), emails: await emails() };
      const tried = await tryOut(ids, shown, status, steps);
      expect(tried.map((one) => one.status)).toEqual(shown);
      expect([await statuses(), await stockOf(open(), shelf), await emails()]).toEqual([
        shown,
        before.stock,
        before.emails,
      ]);
      expect(await set(ids, shown, status, steps)).toEqual(tried.map(({ problem }) => problem));
      const sum = (name: string) => tried.reduce((total, one) => total + Number(one[name]), 0);
      expect(await stockOf(open(), shelf)).toBe(before.stock + sum("copies"));
      expect(await emails()).toBe(before.emails + sum("emails"));
    },
  );

  test("names the step back of each order tried, and says of a deleted one that it no longer exists", async () => {
    const { ids, shown } = await oneOfEach();
    expect(await tryOut([randomUUID(), ...ids], ["pending", ...shown], "cancelled")).toMatchObject([
      { number: null, status: null, step: null, problem: "It no longer exists.", emails: 0, copies: 0 },
      { step: null, emails: 1, copies: 2 },
      { step: null, emails: 1, copies: 2 },
      { step: "cancel_sent", emails: 0, copies: 0 },
      { step: "cancel_sent", emails: 0, copies: 0 },
      { step: null, emails: 0, copies: 0 },
      { step: "cancel_paid", emails: 0, copies: 0 },
    ]);
    expect((await refusalOf(tryOut([], [], "shipped"))).detail).toEqual({ code: "invalid_rows" });
  });

  test("are refused as a whole when they can't be meant", async () => {
    const id = await order(open(), customer, [[book, 1]]);
    for (const [ids, shown] of [
      [[], []],
      [[id], []],
      [Array(201).fill(id), Array(201).fill("pending")],
    ] as [string[], string[]][])
      expect((await refusalOf(send(open(), request(ids, shown, "shipped")))).detail).toEqual({
        code: "invalid_rows",
      });
    expect((await refusalOf(send(open(), request([id], ["pending"], "lost")))).detail).toMatchObject({
      field: "status",
      rule: "choice",
    });
    expect(await statusOf(id)).toBe("pending");
  });

  test("change beside a customer who cancels one of them, as if one came after the other", async () => {
    const responses = await expectSerial(open(), async () => {
      const shelf = await addBook(open(), { stock: 10 });
      const id = await order(open(), customer, [[shelf, 4]]);
      return {
        requests: [
          request([id], ["pending"], "delivered"),
          [customer, "update public.orders set status = 'cancelled' where id = $1 returning id", [id]],
        ],
        see: async () => [await statusOf(id), await stockOf(open(), shelf)],
      };
    });
    expect(responses).toEqual([
      ["done", "nothing"],
      ["done", "done"],
    ]);
  });
});
