import { beforeAll, describe, expect, test } from "vitest";
import { DUTIES, type Duty } from "#app/features/session/duties.ts";
import { expectSerial, type Request, type Scene } from "#tests/support/at-once.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase, describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey } from "#tests/support/people.ts";

const change = (by: SignedIn, whom: SignedIn, give: string[], take: string[] = []): Request => [
  by,
  "select public.change_duties($1, $2, $3) as duties",
  [whom.id, give, take],
];

describeDatabase("Duties", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  const send = async ([person, sql, values]: Request) =>
    (await open().as(person, (query) => query<{ duties: Duty[] }>(sql, values)))[0]?.duties;
  const newHolder = async (...duties: Duty[]) => {
    const person = await addCustomer(open());
    if (duties.length > 0) await send(change(admin, person, duties));
    return person;
  };
  const dutiesOf = async (person: SignedIn) =>
    (
      await open().query<{ duty: string }>(
        "select duty from public.staff_duties where user_id = $1 order by 1",
        [person.id],
      )
    ).map(({ duty }) => duty);

  test("are the same in the app and the database", async () => {
    const [row] = await open().query<{ duties: string[] }>("select private.duties() as duties");
    expect(row?.duties).toEqual(DUTIES);
  });

  test("are stored once even if assigned twice, and can be removed", async () => {
    const person = await newHolder();
    expect(await send(change(admin, person, ["stock", "orders"]))).toEqual(["orders", "stock"]);
    expect(await send(change(admin, person, ["orders", "orders"], ["stock", "people"]))).toEqual(["orders"]);
    expect(await send(change(admin, person, [], ["orders"]))).toEqual([]);
  });

  test("are named in the error when they are missing", async () => {
    const person = await newHolder("stock");
    const refusal = await refusalOf(
      open().as(person, (query) => query("select * from public.admin_list_orders()")),
    );
    expect(refusal).toMatchObject({
      code: "PT403",
      message: "You don't have the duty Orders. Ask an admin for it.",
      detail: { code: "duty_missing", duty: "orders" },
    });
  });

  test("that are removed are refused from the next request on: lists, tables, changes", async () => {
    const [packer, customer, book] = [
      await newHolder("orders"),
      await addCustomer(open()),
      await addBook(open()),
    ];
    const id = await order(open(), customer, [[book, 1]]);
    const ship = () =>
      open().as(packer, (query) =>
        query("update public.orders set status = 'shipped' where id = $1 returning id", [id]),
      );
    const read = () =>
      open().as(packer, (query) => query("select id from public.orders where id = $1", [id]));
    expect(await read()).toHaveLength(1);
    expect(await ship()).toHaveLength(1);
    await send(change(admin, packer, [], ["orders"]));
    expect(await read()).toEqual([]);
    expect(await ship()).toEqual([]);
    for (const call of [
      "admin_list_orders()",
      "todays_work()",
      `add_order_note(gen_random_uuid(), '${id}', 'x')`,
    ])
      expect(
        (await refusalOf(open().as(packer, (query) => query(`select public.${call}`)))).detail,
      ).toMatchObject({ code: "duty_missing" });
  });

  test("removed between two statements of a transaction no longer apply to the second", async () => {
    const packer = await newHolder("orders");
    const list = "select count(*) from public.admin_list_orders()";
    const refused = open().as(packer, async (query) => {
      await query(list);
      await send(change(admin, packer, [], ["orders"]));
      await query(list);
    });
    expect((await refusalOf(refused)).detail).toMatchObject({ code: "duty_missing" });
  });

  describe("can only be widened by an admin", () => {
    test.for<[string, (person: SignedIn) => [string, unknown[]]]>([
      [
        "an insert",
        ({ id }) => ["insert into public.staff_duties (user_id, duty) values ($1, 'payments')", [id]],
      ],
      [
        "an upsert",
        ({ id }) => [
          "insert into public.staff_duties (user_id, duty) values ($1, 'orders') on conflict (user_id, duty) do update set duty = 'payments'",
          [id],
        ],
      ],
      [
        "an update",
        ({ id }) => ["update public.staff_duties set duty = 'payments' where user_id = $1", [id]],
      ],
      ["a deletion", ({ id }) => ["delete from public.staff_duties where user_id = $1", [id]]],
      ["the function", ({ id }) => ["select public.change_duties($1, '{payments}')", [id]]],
      ["a role", ({ id }) => ["insert into public.user_roles (user_id, role) values ($1, 'admin')", [id]]],
    ])("not by %s", async ([, attempt]) => {
      const people = [
        await newHolder(...DUTIES.filter((duty) => duty !== "payments")),
        await addStaff(open(), "moderator"),
        await addCustomer(open()),
      ];
      for (const person of people) {
        const before = await dutiesOf(person);
        const [sql, values] = attempt(person);
        const refusal = await refusalOf(open().as(person, (query) => query(sql, values)));
        expect(["42501", "PT403"]).toContain(refusal.code);
        expect(await dutiesOf(person)).toEqual(before);
      }
    });

    test("can't be written to the table with the secret key", async () => {
      const person = await newHolder();
      const write = open().as(secretKey, (query) =>
        query("insert into public.staff_duties (user_id, duty) values ($1, 'orders')", [person.id]),
      );
      expect((await refusalOf(write)).code).toBe("42501");
    });
  });

  test("are deleted with the account, and when it is closed", async () => {
    const [deleted, closed] = [await newHolder("orders"), await newHolder("orders")];
    await open().query("delete from auth.users where id = $1", [deleted.id]);
    await open().as(secretKey, (query) => query("select public.close_account($1)", [closed.id]));
    expect([await dutiesOf(deleted), await dutiesOf(closed)]).toEqual([[], []]);
  });

  test("are not restored when an admin is demoted", async () => {
    const person = await newHolder("orders", "refunds");
    const become = (role: string) =>
      open().as(admin, (query) =>
        query("insert into public.user_roles (user_id, role) values ($1, $2)", [person.id, role]),
      );
    await become("admin");
    await become("user");
    expect(await dutiesOf(person)).toEqual([]);
  });

  test("having all duties doesn't make someone an admin, so they can't remove the last one", async () => {
    const person = await newHolder(...DUTIES);
    const remove = open().as(person, (query) =>
      query("delete from public.user_roles where user_id = $1", [admin.id]),
    );
    expect((await refusalOf(remove)).detail).toEqual({ code: "admin_only" });
  });

  test("are found by person in the log", async () => {
    const person = await addCustomer(open(), { full_name: "Efua Packer" });
    await send(change(admin, person, ["orders"]));
    const found = await open().as(admin, (query) =>
      query("select table_name, action from public.admin_list_audit(_q => 'Efua Packer')"),
    );
    expect(found).toContainEqual({ table_name: "staff_duties", action: "insert" });
  });

  test("are a filter of the list of users", async () => {
    const person = await newHolder("orders");
    const list = (role: string) =>
      open().as(admin, (query) =>
        query<{ id: string }>("select id from public.admin_list_users(_role => $1, _page_size => 1000)", [
          role,
        ]),
      );
    const found = (await list("duties")).map(({ id }) => id);
    expect(found).toContain(person.id);
    expect(found).not.toContain(admin.id);
    expect((await list("user")).map(({ id }) => id)).toContain(person.id);
  });
});

describeOnOwnServerToo("Two requests about duties at once", (open) => {
  async function newPeople() {
    const [first, second] = [await addStaff(open(), "admin"), await addStaff(open(), "admin")];
    await open().query("delete from public.user_roles where user_id <> all ($1::uuid[])", [
      [first.id, second.id],
    ]);
    return { first, second, person: await addCustomer(open()) };
  }
  type People = Awaited<ReturnType<typeof newPeople>>;

  test.each<[string, (people: People) => Scene["requests"], string[][]]>([
    [
      "two admins give different ones: both are there",
      ({ first, second, person }) => [change(first, person, ["orders"]), change(second, person, ["stock"])],
      [
        ["done", "done"],
        ["done", "done"],
      ],
    ],
    [
      "one gives what the other takes away",
      ({ first, second, person }) => [
        change(first, person, ["orders"]),
        change(second, person, [], ["orders"]),
      ],
      [
        ["done", "done"],
        ["done", "done"],
      ],
    ],
    [
      "one is demoted while giving a duty",
      ({ first, second, person }) => [
        change(first, person, ["orders"]),
        [second, "delete from public.user_roles where user_id = $1 returning role", [first.id]],
      ],
      [
        ["done", "done"],
        ["admin_only", "done"],
      ],
    ],
    [
      "a person gets a duty and becomes an admin",
      ({ first, second, person }) => [
        change(first, person, ["orders"]),
        [
          second,
          "insert into public.user_roles (user_id, role) values ($1, 'admin') returning role",
          [person.id],
        ],
      ],
      [
        ["done", "done"],
        ["has_all_duties", "done"],
      ],
    ],
    [
      "a duty is given while the account is deleted",
      ({ first, person }) => [
        change(first, person, ["orders"]),
        [secretKey as SignedIn, "select public.close_account($1)", [person.id]],
      ],
      [
        ["done", "done"],
        ["done", "done"],
      ],
    ],
  ])("%s", async (_, requests, responses) => {
    const make = async (): Promise<Scene> => {
      const people = await newPeople();
      const see = async () => [
        await open().query("select duty from public.staff_duties where user_id = $1 order by 1", [
          people.person.id,
        ]),
        await open().query("select role from public.user_roles where user_id = any ($1::uuid[])", [
          [people.first.id, people.person.id],
        ]),
      ];
      return { requests: requests(people), see };
    };
    expect(await expectSerial(open(), make)).toEqual(responses);
  });
});
