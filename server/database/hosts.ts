import { connect, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";

/*
 * Several servers in one connection string: a primary and its replicas. postgres.js (3.4.9) knows such strings and
 * target_session_attrs, but while no server may be written to, or none responds, it tries them again without a pause and without an
 * end; and of two that both may be written to, after a failover, it takes the first. So the shop chooses.
 */

const probeTimeoutMs = 2_000;
/** Once a server may be written to, others have this long to say that they have been promoted later. */
const laterMs = 300;
/** Connections that are opened at the same time share one look. */
const freshMs = 1_000;

type Found = { url: string; timeline: string } | null;

/**
 * Whether a server may be written to, and since which promotion: the timeline, which each promotion counts on. A former primary that
 * comes back by mistake has an older one.
 */
async function probe(url: string): Promise<Found> {
  let isOver = false;
  // The driver tries again, even after its end, where a server closes a connection before it is ready.
  const socket = async () => {
    if (isOver) throw unreachable();
    return openSocket(url);
  };
  const sql = postgres(url, {
    socket,
    max: 1,
    fetch_types: false,
    prepare: false,
    onnotice: () => {},
    connect_timeout: probeTimeoutMs / 1_000,
    connection: { application_name: "shop (look)" },
  } as postgres.Options<Record<string, postgres.PostgresType>>);
  const look = sql
    .unsafe<{ timeline: string | null }[]>(
      `select case when pg_is_in_recovery() or current_setting('transaction_read_only')::bool then null
                   else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`,
    )
    .then(
      ([row]) => (row?.timeline ? { url, timeline: row.timeline } : null),
      () => null,
    );
  const found = await Promise.race([look, pause(probeTimeoutMs, null, { ref: false })]);
  isOver = true;
  void sql.end({ timeout: 0 }).catch(() => {});
  return found;
}

const unreachable = () =>
  Object.assign(new Error("None of the database's servers may be written to"), { code: "CONNECT_TIMEOUT" });

/** The server that was promoted last. @throws when none may be written to */
async function findPrimary(urls: string[]): Promise<string> {
  const found: NonNullable<Found>[] = [];
  const looks = urls.map(async (url) => {
    const each = await probe(url);
    if (!each) throw unreachable();
    found.push(each);
  });
  const all = Promise.allSettled(looks);
  await Promise.any(looks).then(
    () => Promise.race([all, pause(laterMs)]),
    () => all,
  );
  const [last] = found.sort((a, b) => b.timeline.localeCompare(a.timeline));
  if (!last) throw unreachable();
  return last.url;
}

async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connect({ host, port: Number(port || 5432), timeout: probeTimeoutMs });
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(unreachable());
    socket.once("connect", resolve).once("timeout", fail).once("error", fail);
  }).catch((error) => {
    socket.destroy();
    throw error;
  });
  socket.setTimeout(0).removeAllListeners("timeout");
  // Until the driver listens to it itself.
  socket.on("error", () => {});
  // By which the driver checks a certificate.
  return Object.assign(socket, { host });
}

/** The driver tells all that waits for a connection when it closes, but not when there is none. */
function closedSocket(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(unreachable()));
  return socket;
}

/** Connects to the primary. For the option `socket` of postgres.js, which requests one per connection. */
export function createDialer(urls: string[]): () => Promise<Socket> {
  let look: { at: number; primary: Promise<string> } | null = null;

  function primary(): Promise<string> {
    if (!look || performance.now() - look.at > freshMs) {
      look = { at: performance.now(), primary: findPrimary(urls) };
      look.primary.catch(() => {});
    }
    return look.primary;
  }

  return () => primary().then(openSocket).catch(closedSocket);
}
