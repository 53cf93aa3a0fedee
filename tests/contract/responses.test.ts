import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { addBook, dataOf, type Member } from "#tests/support/factories.ts";
import { jpegOfSize } from "#tests/support/jpeg.ts";
import { describeContract, newAdmin, newCustomer } from "./target.ts";

/* The shapes of answers that the app's code reads. */

describeContract("Answers of the data API", (target) => {
  let customer: Member;
  beforeAll(async () => {
    customer = await newCustomer(target());
  });

  it("count exactly, with rows or with HEAD without any", async () => {
    const publisher = `Publisher ${randomUUID()}`;
    for (const title of ["One", "Two", "Three"]) await addBook(target().owner, { publisher, title });
    const books = target().client().from("books");
    const page = await books
      .select("title", { count: "exact" })
      .eq("publisher", publisher)
      .order("title")
      .range(0, 1);
    expect([page.data, page.count]).toEqual([[{ title: "One" }, { title: "Three" }], 3]);
    const counted = await books.select("*", { count: "exact", head: true }).eq("publisher", publisher);
    expect([counted.data, counted.count, counted.error]).toEqual([null, 3, null]);
  });

  it("hold at most 1,000 rows", async () => {
    const { data } = await target().client().from("books").select("id").limit(5_000);
    expect(data?.length).toBeLessThanOrEqual(1_000);
  });

  it("give PGRST116 with status 406 when a single row is requested and there is none", async () => {
    const { error, status } = await target()
      .client()
      .from("books")
      .select("id")
      .eq("id", randomUUID())
      .single();
    expect([error?.code, status]).toEqual(["PGRST116", 406]);
  });

  it("give 22P02 with status 400 for an invalid id", async () => {
    const { error, status } = await target().client().from("books").select("id").eq("id", "no-uuid");
    expect([error?.code, status]).toEqual(["22P02", 400]);
  });

  it("carry our own refusals with status, message and facts", async () => {
    const { error, status } = await customer.client
      .from("orders")
      .insert({ user_id: customer.id, total_amount: 1, status: "pending", shipping_address: "Accra" })
      .select()
      .single();
    expect([status, error?.code, error?.message]).toEqual([409, "PT409", "Your cart is empty."]);
    expect(JSON.parse(error?.details ?? "")).toEqual({ code: "cart_empty" });
  });

  it("give 23505 with status 409 for a second order with the same id", async () => {
    const book = await addBook(target().owner, { price: 45.5, stock_quantity: 10 });
    const { client, id: userId } = customer;
    const line = { user_id: userId, book_id: book.id, quantity: 1 };
    const order = { id: randomUUID(), user_id: userId, total_amount: 45.5, status: "pending" };
    await dataOf(client.from("cart_items").insert(line).select());
    await dataOf(client.from("orders").insert(order).select());
    await dataOf(client.from("cart_items").insert(line).select());
    const again = await client.from("orders").insert(order).select();
    expect([again.error?.code, again.status]).toEqual(["23505", 409]);
  });

  it("refuse a visitor's write with 42501 and status 401, a customer's with 403", async () => {
    const book = { title: "Not mine to add", price: 1 };
    const visitor = await target().client().from("books").insert(book);
    expect([visitor.error?.code, visitor.status]).toEqual(["42501", 401]);
    const signedIn = await customer.client.from("books").insert(book);
    expect([signedIn.error?.code, signedIn.status]).toEqual(["42501", 403]);
  });

  it("refuse to write a column that the caller may only read", async () => {
    const { error } = await customer.client
      .from("profiles")
      .update({ email: "somebody@example.com" })
      .eq("id", customer.id);
    expect(error?.code).toBe("42501");
  });

  it("hide what row level security hides, without an error", async () => {
    const other = await newCustomer(target());
    const { data, error } = await customer.client.from("profiles").select("id").eq("id", other.id);
    expect([data, error]).toEqual([[], null]);
  });

  it("give 404 for a function or table that does not exist", async () => {
    const headers = { apikey: target().key, "content-type": "application/json" };
    const call = await target().fetch(new URL("/rest/v1/rpc/no_such_function", target().siteUrl), {
      method: "POST",
      headers,
      body: "{}",
    });
    expect([call.status, ((await call.json()) as { code: string }).code]).toEqual([404, "PGRST202"]);
  });

  it("refuse an invalid token with 401 instead of treating it as a visitor's", async () => {
    const headers = { apikey: target().key, authorization: "Bearer not.a.token" };
    const response = await target().fetch(new URL("/rest/v1/books?limit=1", target().siteUrl), { headers });
    expect(response.status).toBe(401);
  });

  it("refuse an update and a deletion without a filter", async () => {
    const admin = await newAdmin(target());
    for (const method of ["PATCH", "DELETE"]) {
      const token = (await admin.client.auth.getSession()).data.session?.access_token;
      const response = await target().fetch(new URL("/rest/v1/books", target().siteUrl), {
        method,
        headers: {
          apikey: target().key,
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
        },
        ...(method === "PATCH" ? { body: JSON.stringify({ edition: "all" }) } : {}),
      });
      expect(response.status).toBe(400);
    }
  });
});

describeContract("Answers of the storage", (target) => {
  let admin: Member;
  beforeAll(async () => {
    admin = await newAdmin(target());
  });
  const jpeg = (bytes = 100) => new Blob([jpegOfSize(bytes)], { type: "image/jpeg" });
  const named = () => `book-cover-${Date.now()}-${randomUUID().slice(0, 8)}.jpg`;

  it("refuse to overwrite a file", async () => {
    const covers = admin.client.storage.from("book-covers");
    const name = named();
    expect((await covers.upload(name, jpeg(), { upsert: false })).error).toBeNull();
    const again = await covers.upload(name, jpeg(), { upsert: false });
    expect(again.error?.message).toMatch(/already exists/i);
  });

  it("refuse a customer and a visitor", async () => {
    const customer = await newCustomer(target());
    for (const client of [customer.client, target().client()]) {
      const { error } = await client.storage.from("book-covers").upload(named(), jpeg());
      expect(error?.message).toBe("new row violates row-level security policy");
    }
  });

  it("accept 120 covers from one admin within ten minutes, then say when to continue, and refuse no other admin", {
    tags: "long",
  }, async () => {
    const [busy, other] = [await newAdmin(target()), await newAdmin(target())];
    const upload = ({ client }: Member) => client.storage.from("book-covers").upload(named(), jpeg());
    for (let done = 0; done < 120; done += 8) {
      const batch = await Promise.all(Array.from({ length: 8 }, () => upload(busy)));
      expect(batch.map(({ error }) => error)).toEqual(Array(8).fill(null));
    }
    const { error } = await upload(busy);
    expect(error?.message).toMatch(
      /You have uploaded 120 covers within 10 minutes\. Please try again in (1 minute|\d+ minutes)\.$/,
    );
    if (target().kind === "embedded") expect((error as { status?: number }).status).toBe(429);
    expect((await upload(other)).error).toBeNull();
  });

  it("refuse anything that is not a JPEG or is larger than 5 MiB", async () => {
    const covers = admin.client.storage.from("book-covers");
    const page = new Blob(["<script>alert(1)</script>"], { type: "text/html" });
    expect((await covers.upload(named(), page)).error).not.toBeNull();
    expect((await covers.upload(named(), jpeg(5 * 1024 * 1024 + 1))).error).not.toBeNull();
  });

  it("let a browser cache a public file, and revalidate it", async () => {
    const covers = admin.client.storage.from("book-covers");
    const name = named();
    await covers.upload(name, jpeg(), { cacheControl: "3600" });
    const address = covers.getPublicUrl(name).data.publicUrl;
    const first = await target().fetch(address);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).not.toBe("");
    const second = await target().fetch(address, { headers: { "if-none-match": etag } });
    expect(second.status).toBe(304);
  });

  it("report a missing file as not found", async () => {
    const address = admin.client.storage.from("book-covers").getPublicUrl("missing.jpg").data.publicUrl;
    expect((await target().fetch(address)).status).toBe(400);
  });
});
