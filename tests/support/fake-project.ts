import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import postgres from "postgres";

/** What a hosted project's API was asked to keep. */
export type FakeProject = {
  url: string;
  /** Covers by bucket and name. */
  stored: Map<string, { type: string; content: Buffer }>;
  /** Addresses that got a mail to choose a new password. */
  mailed: string[];
  stop: () => Promise<void>;
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

type NewUser = { id: string; email: string; email_confirm: boolean; user_metadata: object };

/**
 * The parts of a hosted project's API that the owner's commands use, over a database that has the shop's migrations: accounts by
 * their admin API, profiles, storage, recovery mails (after `mailLimit` of them 429, as hosts answer).
 */
export async function startFakeProject(
  databaseUrl: string,
  secretKey: string,
  mailLimit = Number.POSITIVE_INFINITY,
): Promise<FakeProject> {
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} });
  const stored: FakeProject["stored"] = new Map();
  const mailed: string[] = [];

  async function answer(request: IncomingMessage): Promise<[status: number, body: unknown]> {
    const { pathname } = new URL(request.url ?? "/", "http://project");
    if (request.headers.apikey !== secretKey) return [401, { message: "no key" }];
    const body = await bodyOf(request);
    if (pathname === "/auth/v1/admin/users") {
      const user = JSON.parse(body.toString()) as NewUser;
      await sql`insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
        values (${user.id}, ${user.email}, ${user.email_confirm ? new Date() : null}, ${sql.json(user.user_metadata as never)})`;
      return [200, { id: user.id, email: user.email }];
    }
    const account = /^\/auth\/v1\/admin\/users\/([0-9a-f-]+)$/.exec(pathname)?.[1];
    if (account && request.method === "PUT") {
      const { email, user_metadata } = JSON.parse(body.toString()) as NewUser;
      await sql`update auth.users set email = ${email}, raw_user_meta_data = ${sql.json(user_metadata as never)},
        banned_until = '2999-12-31' where id = ${account}`;
    }
    if (account) {
      const [user] = await sql`select id, email, raw_user_meta_data as user_metadata from auth.users
        where id = ${account}`;
      return user ? [200, user] : [404, { message: "User not found" }];
    }
    if (pathname === "/rest/v1/profiles") {
      const wanted = new URL(request.url ?? "", "http://project").searchParams.get("email")?.slice(3) ?? "";
      const rows =
        await sql`select id, full_name, '[]'::jsonb as user_roles from public.profiles where email = ${wanted}`;
      return [200, rows];
    }
    const forgets = /^\/rest\/v1\/rpc\/(anonymise_customer|close_account)$/.exec(pathname)?.[1];
    if (forgets) {
      const { _user_id } = JSON.parse(body.toString()) as { _user_id: string };
      const [row] = await sql`select ${sql(`public.${forgets}`)}(${_user_id}) as kept`;
      return [200, row?.kept];
    }
    if (pathname === "/rest/v1/rpc/preview_anonymising") {
      const { _user_id, _who } = JSON.parse(body.toString()) as { _user_id: string; _who: string };
      const [row] = await sql`select public.preview_anonymising(${_user_id}, ${_who}) as found`;
      return [200, row?.found];
    }
    if (pathname === "/rest/v1/rpc/anonymise_caller") {
      const { _who } = JSON.parse(body.toString()) as { _who: string };
      return [200, await sql`select id, number::int from public.anonymise_caller(${_who})`];
    }
    if (pathname === "/auth/v1/recover") {
      if (mailed.length >= mailLimit) return [429, { code: 429, msg: "email rate limit exceeded" }];
      mailed.push((JSON.parse(body.toString()) as { email: string }).email);
      return [200, {}];
    }
    const object = /^\/storage\/v1\/object\/([^/]+\/.+)$/.exec(pathname)?.[1];
    if (object) {
      const form = await new Response(new Uint8Array(body), {
        headers: { "content-type": request.headers["content-type"] ?? "" },
      })
        .formData()
        .catch(() => null);
      const file = form ? ([...form.values()].find((value) => value instanceof Blob) as Blob) : null;
      const content = file ? Buffer.from(await file.arrayBuffer()) : body;
      stored.set(object, { type: file?.type ?? request.headers["content-type"] ?? "", content });
      return [200, { Id: object, Key: object }];
    }
    return [404, { message: "not found" }];
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ([status, body]) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
      (error: Error) => response.writeHead(500).end(JSON.stringify({ message: error.message })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored,
    mailed,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sql.end({ timeout: 1 });
    },
  };
}
