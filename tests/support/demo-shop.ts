import { signInMember } from "./factories.ts";
import { startPreparedShop } from "./prepared-folder.ts";
import { connect } from "./shop-client.ts";
import { ADMIN } from "./shop-server.ts";

/** Passes test processes the demo shop that their parent started. */
const variable = "SHOP_TEST_DEMO";

/** Runs before the first test file: all files share one shop with the demo catalogue. */
export async function setup(): Promise<() => Promise<void>> {
  const { url, stop } = await startPreparedShop("demo");
  process.env[variable] = url;
  return async () => {
    delete process.env[variable];
    await stop();
  };
}

export const demoShop = () => ({ url: process.env[variable] ?? "" });

/** The admin of the demo shop. */
export const demoAdmin = async () =>
  signInMember(await connect(demoShop(), "2001:db8::2"), ADMIN.email, ADMIN.password);
