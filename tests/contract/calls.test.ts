import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { addBook, dataOf, type Member } from "#tests/support/factories.ts";
import { jpegOf } from "#tests/support/jpeg.ts";
import { describeContract, newAdmin, newCustomer, newEmail, password } from "./target.ts";

/** A book whose price, stock and missing publisher the tests below name. */
const priced = { price: 45.5, stock_quantity: 10, publisher: null };

/* Every call that the specification lists, as it is worded there, through supabase-js. */

describeContract(
  "The calls of a customer",
  (target) => {
    let customer: Member;
    beforeAll(async () => {
      customer = await newCustomer(target());
    });

    it("includes signing up with email, password, a redirect to /shop, full name and phone", async () => {
      const email = newEmail();
      const { data, error } = await target()
        .client()
        .auth.signUp({
          email,
          password,
          options: {
            emailRedirectTo: `${target().siteUrl}/shop`,
            data: { full_name: "Kofi Boateng", phone: "+233209876543" },
          },
        });
      expect(error).toBeNull();
      expect(data.session).toBeNull();
      expect(data.user).toMatchObject({ email, user_metadata: { full_name: "Kofi Boateng" } });
    });

    it("includes signing in with a password, loading the session, being notified of its changes and signing out", async () => {
      const client = target().client();
      const heard: string[] = [];
      const { data } = client.auth.onAuthStateChange((event) => void heard.push(event));
      // Signing out ends every session of an account, so not the one of the tests below.
      const account = await newCustomer(target());
      const signedIn = await client.auth.signInWithPassword(account);
      expect(signedIn.error).toBeNull();
      expect((await client.auth.getSession()).data.session?.user.id).toBe(account.id);
      expect((await client.auth.signOut()).error).toBeNull();
      expect((await client.auth.getSession()).data.session).toBeNull();
      data.subscription.unsubscribe();
      expect(heard).toEqual(expect.arrayContaining(["SIGNED_IN", "SIGNED_OUT"]));
    });

    it("keep a cart: insert, look up, read with the joined book, update, delete one, delete all", async () => {
      const { client, id: userId } = customer;
      const [first, second] = [await addBook(target().owner, priced), await addBook(target().owner, priced)];
      const lookUp = () =>
        client
          .from("cart_items")
          .select("id, quantity")
          .eq("user_id", userId)
          .eq("book_id", first.id)
          .single();

      expect((await lookUp()).error?.code).toBe("PGRST116");
      const row = { user_id: userId, book_id: first.id, quantity: 1 };
      expect((await client.from("cart_items").insert(row)).error).toBeNull();
      expect((await client.from("cart_items").insert({ ...row, book_id: second.id })).error).toBeNull();
      const found = await dataOf(lookUp());

      const update = client.from("cart_items").update({ quantity: 3 });
      expect((await update.eq("id", found.id).eq("user_id", userId)).error).toBeNull();
      const cart = await dataOf(
        client.from("cart_items").select("id, book_id, quantity, books(*)").eq("user_id", userId),
      );
      expect(cart).toHaveLength(2);
      expect(cart.find((line) => line.book_id === first.id)).toMatchObject({
        quantity: 3,
        books: { title: first.title, price: 45.5 },
      });

      const remove = client.from("cart_items").delete();
      expect((await remove.eq("id", found.id).eq("user_id", userId)).error).toBeNull();
      expect((await lookUp()).error?.code).toBe("PGRST116");
      expect((await client.from("cart_items").delete().eq("user_id", userId)).error).toBeNull();
      expect(await dataOf(client.from("cart_items").select("id").eq("user_id", userId))).toEqual([]);
    });

    it("keep a wishlist: insert once, 23505 the second time, read, read its books, delete", async () => {
      const { client, id: userId } = customer;
      const [first, second] = [await addBook(target().owner, priced), await addBook(target().owner, priced)];
      for (const book of [first, second]) {
        expect(
          (await client.from("wishlists").insert({ user_id: userId, book_id: book.id })).error,
        ).toBeNull();
      }
      const again = await client.from("wishlists").insert({ user_id: userId, book_id: first.id });
      expect([again.error?.code, again.status]).toEqual(["23505", 409]);
      const wishes = await dataOf(client.from("wishlists").select("*").eq("user_id", userId));
      const ids = wishes.map((wish) => wish.book_id);
      expect(new Set(ids)).toEqual(new Set([first.id, second.id]));
      expect(await dataOf(client.from("books").select("*").in("id", ids))).toHaveLength(2);
      const remove = client.from("wishlists").delete();
      expect((await remove.eq("user_id", userId).eq("book_id", first.id)).error).toBeNull();
      expect(await dataOf(client.from("wishlists").select("book_id").eq("user_id", userId))).toEqual([
        { book_id: second.id },
      ]);
    });

    it("place an order: phone, order with the created row, its items, read again, cancel", async () => {
      const { client, id: userId } = customer;
      const book = await addBook(target().owner, { ...priced, stock_quantity: 5 });
      await dataOf(
        client.from("cart_items").insert({ user_id: userId, book_id: book.id, quantity: 2 }).select("id"),
      );
      expect(
        (await client.from("profiles").update({ phone: "+233241112223" }).eq("id", userId)).error,
      ).toBeNull();

      const order = await dataOf(
        client
          .from("orders")
          .insert({
            user_id: userId,
            total_amount: 91,
            status: "pending",
            shipping_address: "1 Ring Road, Accra",
          })
          .select()
          .single(),
      );
      expect(order).toMatchObject({ user_id: userId, total_amount: 91, status: "pending" });
      const items = [{ order_id: order.id, book_id: book.id, quantity: 2, price: 45.5 }];
      // The types ask for the title, which belongs to the line as the order itself wrote it.
      expect((await client.from("order_items").insert(items as never)).error).toBeNull();

      const read = await dataOf(
        client
          .from("orders")
          .select("*, order_items(id, quantity, price, books(id, title, publisher, image_url))")
          .eq("id", order.id)
          .eq("user_id", userId)
          .single(),
      );
      expect(read.order_items).toEqual([
        {
          id: expect.any(String),
          quantity: 2,
          price: 45.5,
          books: { id: book.id, title: book.title, publisher: null, image_url: null },
        },
      ]);

      const cancel = client.from("orders").update({ status: "cancelled" });
      const cancelled = await dataOf(cancel.eq("id", order.id).eq("user_id", userId).select("status"));
      expect(cancelled).toEqual([{ status: "cancelled" }]);
    });

    it("read the role and get 'user'", async () => {
      expect(await dataOf(customer.client.rpc("get_user_role", { _user_id: customer.id }))).toBe("user");
    });
  },
  { ownServer: true },
);

describeContract("Reading books as a visitor", (target) => {
  const subject = `Subject ${randomUUID()}`;
  beforeAll(async () => {
    const shared = { subject, publisher: "Collins", course: "Science", curriculum_type: "British" };
    await addBook(target().owner, {
      ...shared,
      title: "Plants and Animals",
      price: 60,
      grade_level: "Grade 1",
    });
    await addBook(target().owner, { ...shared, title: "Forces", price: 120.25, grade_level: "Grade 2" });
    await addBook(target().owner, { ...shared, title: "Light", price: 300, isbn: "978-0-00-000001-9" });
  });
  const read = () => target().client().from("books").select("*").eq("subject", subject);

  it("matches part of a text in any of six columns, ignoring case", async () => {
    const columns = ["title", "publisher", "course", "subject", "isbn", "description"];
    const matching = (text: string) => columns.map((column) => `${column}.ilike.%${text}%`).join(",");
    expect((await dataOf(read().or(matching("pLaNtS")))).map((book) => book.title)).toEqual([
      "Plants and Animals",
    ]);
    expect((await dataOf(read().or(matching("000001")))).map((book) => book.title)).toEqual(["Light"]);
    expect(await dataOf(read().or(matching("collins")))).toHaveLength(3);
  });

  it("filters by publisher, course, subject, grade level and curriculum", async () => {
    const found = await dataOf(
      read()
        .eq("publisher", "Collins")
        .eq("course", "Science")
        .eq("grade_level", "Grade 2")
        .eq("curriculum_type", "British"),
    );
    expect(found.map((book) => book.title)).toEqual(["Forces"]);
  });

  it("filters by a price between two limits, both included, as a number", async () => {
    const found = await dataOf(read().gte("price", 60).lte("price", 120.25).order("price"));
    expect(found.map((book) => book.price)).toEqual([60, 120.25]);
  });

  it("filters by a minimum rating", async () => {
    const rated = target().client().from("books").select("average_rating").gte("average_rating", 4);
    const ratings = (await dataOf(rated)).map((book) => book.average_rating);
    if (target().kind === "embedded") expect(ratings.length).toBeGreaterThan(0);
    expect(ratings.filter((rating) => rating === null || rating < 4)).toEqual([]);
  });

  it("sorts by creation time, newest first", async () => {
    const found = await dataOf(read().order("created_at", { ascending: false }));
    expect(found.map((book) => book.title)).toEqual(["Light", "Forces", "Plants and Animals"]);
  });
});

describeContract("The calls of an admin", (target) => {
  let admin: Member;
  let customer: Member;
  beforeAll(async () => {
    admin = await newAdmin(target());
    customer = await newCustomer(target());
  });

  async function orderOf(person: Member): Promise<string> {
    const book = await addBook(target().owner, priced);
    const { client, id } = person;
    await dataOf(client.from("cart_items").insert({ user_id: id, book_id: book.id, quantity: 1 }).select());
    const order = {
      user_id: id,
      total_amount: 45.5,
      status: "pending",
      shipping_address: "2 High Street, Kumasi",
    };
    return (await dataOf(client.from("orders").insert(order).select("id").single())).id;
  }

  it("read roles: 'admin' for the caller, 'user' for the customer", async () => {
    expect(await dataOf(admin.client.rpc("get_user_role", { _user_id: admin.id }))).toBe("admin");
    expect(await dataOf(admin.client.rpc("get_user_role", { _user_id: customer.id }))).toBe("user");
  });

  it("read all profiles with their roles, newest first", async () => {
    const newestFirst = { ascending: false };
    const profiles = await dataOf(
      admin.client.from("profiles").select("*, user_roles(role)").order("created_at", newestFirst).limit(50),
    );
    const found = profiles.find((profile) => profile.id === admin.id);
    expect(found?.user_roles).toEqual([{ role: "admin" }]);
    expect(profiles.find((profile) => profile.id === customer.id)).toMatchObject({
      full_name: "Ama Mensah",
      email: customer.email,
      phone: "+233 20 123 4567",
      user_roles: [],
    });
    const times = profiles.map((profile) => profile.created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it("read all orders with customer and lines", async () => {
    const id = await orderOf(customer);
    const orders = await dataOf(
      admin.client
        .from("orders")
        .select("*, profiles(full_name, email, phone), order_items(quantity, price, books(title, publisher))")
        .order("created_at", { ascending: false })
        .limit(20),
    );
    expect(orders.find((order) => order.id === id)).toMatchObject({
      profiles: { full_name: "Ama Mensah", email: customer.email },
      order_items: [{ quantity: 1, price: 45.5, books: { title: expect.any(String), publisher: null } }],
    });
  });

  it("an admin's list of orders embeds customers, as the table's own rows do", async () => {
    const id = await orderOf(customer);
    const select = "id, status, profiles(full_name, email)";
    expect(await dataOf(admin.client.rpc("admin_list_orders", { _q: id }).select(select))).toEqual([
      { id, status: "pending", profiles: { full_name: "Ama Mensah", email: customer.email } },
    ]);
  });

  it("read all reviews with book and customer, and delete one", async () => {
    const select = "*, books(title, publisher), profiles(full_name, email)";
    const newestFirst = { ascending: false };
    const reviews = await dataOf(
      admin.client.from("reviews").select(select).order("created_at", newestFirst).limit(20),
    );
    if (target().kind === "hosted") return expect(reviews).toBeInstanceOf(Array);
    const [review] = reviews;
    expect(review).toMatchObject({
      rating: expect.any(Number),
      books: { title: expect.any(String), publisher: expect.any(String) },
      profiles: { full_name: expect.any(String), email: expect.any(String) },
    });
    const id = review?.id ?? "";
    expect((await admin.client.from("reviews").delete().eq("id", id)).error).toBeNull();
    expect(await dataOf(admin.client.from("reviews").select("id").eq("id", id))).toEqual([]);
  });

  it("change a role: delete, insert, read again", async () => {
    const { client } = admin;
    expect((await client.from("user_roles").delete().eq("user_id", customer.id)).error).toBeNull();
    const insert = client.from("user_roles").insert({ user_id: customer.id, role: "moderator" });
    expect((await insert).error).toBeNull();
    const roles = await dataOf(client.from("user_roles").select("role").eq("user_id", customer.id));
    expect(roles).toEqual([{ role: "moderator" }]);
  });

  it("insert, update and delete books with the whole payload", async () => {
    const payload = {
      title: "Primary Science 1",
      publisher: "Cambridge University Press",
      price: 89.99,
      isbn: "9780000000019",
      subject: "Science",
      grade_level: "Primary 1",
      age_range: "5-6",
      curriculum_type: "Cambridge",
      course: "Primary",
      stock_quantity: 12,
      description: "Plants, forces & light",
      image_url: null,
      edition: "2nd Edition",
    };
    const [made] = await dataOf(admin.client.from("books").insert([payload]).select());
    expect(made).toMatchObject(payload);
    const id = made?.id ?? "";
    const changed = { ...payload, price: 95, stock_quantity: 0 };
    expect(await dataOf(admin.client.from("books").update(changed).eq("id", id).select())).toMatchObject([
      changed,
    ]);
    expect((await admin.client.from("books").delete().eq("id", id)).error).toBeNull();
    expect(await dataOf(admin.client.from("books").select("id").eq("id", id))).toEqual([]);
  });

  it("set an order's status, then delete its items and the order", async () => {
    const id = await orderOf(customer);
    const { client } = admin;
    expect((await client.from("orders").update({ status: "shipped" }).eq("id", id)).error).toBeNull();
    expect(await dataOf(client.from("orders").select("status").eq("id", id))).toEqual([
      { status: "shipped" },
    ]);
    expect((await client.from("order_items").delete().eq("order_id", id)).error).toBeNull();
    expect((await client.from("orders").delete().eq("id", id)).error).toBeNull();
    expect(await dataOf(client.from("orders").select("id").eq("id", id))).toEqual([]);
  });

  it("upload a cover that everyone can read at its public URL", async () => {
    const name = `book-cover-${Date.now()}.jpg`;
    const jpeg = new Blob([jpegOf("a cover")], { type: "image/jpeg" });
    const covers = admin.client.storage.from("book-covers");
    const { data, error } = await covers.upload(name, jpeg, { cacheControl: "3600", upsert: false });
    expect(error).toBeNull();
    const { publicUrl } = covers.getPublicUrl(data?.path ?? "").data;
    const response = await target().fetch(publicUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    expect(response.headers.get("cache-control")).toContain("max-age=3600");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(await jpeg.arrayBuffer()));
  });
});
