import { ADMIN, type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { connect } from "#tests/support/test.ts";
import { milliseconds, percentile, type Section } from "./report.ts";

const READS = 300;
const SIGN_INS = 60;
/** As many people at the same time as press Sign In at the start of a lesson. */
const AT_ONCE = 4;

/** How fast people are signed in, and how that slows a visitor who is browsing. */
export async function measureSignIns(): Promise<Section> {
  const shop = await startShop();
  try {
    const alone = await readFor(shop, READS);
    let signedIn = 0;
    const startedAt = performance.now();
    const signingIn = Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (signedIn < SIGN_INS) await signIn(shop, signedIn++);
      }),
    );
    let over = false;
    void signingIn.then(() => {
      over = true;
    });
    const during: number[] = [];
    while (!over) during.push(...(await readFor(shop, 5)));
    const seconds = (performance.now() - startedAt) / 1000;
    const row = (name: string, times: number[], perSecond: string) => [
      name,
      perSecond,
      milliseconds(percentile(times, 0.5)),
      milliseconds(percentile(times, 0.95)),
    ];
    return {
      title: "Sign-ins, and reads during them",
      about: `Embedded backend; ${AT_ONCE} people sign in at a time, ${SIGN_INS} in all, while a visitor reads 24 books at a time through the API. The floor is the same read alone.`,
      header: ["", "Sign-ins a second", "Read, p50", "Read, p95"],
      rows: [
        row("Floor: no one signs in", alone, "0"),
        row("During sign-ins", during, (SIGN_INS / seconds).toFixed(1)),
      ],
    };
  } finally {
    await shop.stop();
  }
}

async function readFor(shop: ShopServer, reads: number): Promise<number[]> {
  const client = await connect(shop, "2001:db8::1");
  const times: number[] = [];
  for (let read = 0; read < reads; read++) {
    const startedAt = performance.now();
    const { error } = await client.rpc("search_books", {});
    if (error) throw error;
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Each from an address of its own: the limits count attempts per address. */
async function signIn(shop: ShopServer, number: number): Promise<void> {
  const client = await connect(shop, `2001:db8::2:${number.toString(16)}`);
  const { error } = await client.auth.signInWithPassword(ADMIN);
  if (error) throw error;
}
