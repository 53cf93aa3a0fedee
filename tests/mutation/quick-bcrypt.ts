import { vi } from "vitest";

/** bcrypt at its lowest cost: a run hashes some hundred thousand passwords, and no mutant is about how long that takes. */
vi.mock("bcrypt", async (original) => {
  const { default: bcrypt } = await original<{ default: typeof import("bcrypt") }>();
  const cheap = (text: string) => text.replace(/^\$2b\$\d\d\$/, "$2b$04$");
  return {
    default: {
      hash: (password: string, salt: string) => bcrypt.hash(password, cheap(salt)),
      compare: (password: string, hash: string) => bcrypt.compare(password, cheap(hash)),
    },
  };
});
