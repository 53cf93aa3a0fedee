import { noSuchAddress } from "./refusals.ts";

/** What a storage URL refers to. */
export type Address = {
  call: "object" | "public" | "authenticated" | "list";
  bucket: string;
  /** Empty for the bucket itself. */
  name: string;
};

const path = /^\/storage\/v1\/object\/(?:(list|public|authenticated)\/)?([^/]+)(?:\/(.+))?$/;

/** As on a hosted project: what S3 allows in a key. */
const validName = /^[\w/!\-.*'() &$@=;:+,?]{0,1000}$/;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw noSuchAddress();
  }
}

/** @throws Refusal */
export function readAddress(pathname: string): Address {
  const [, call = "object", rawBucket = "", rawName = ""] = path.exec(pathname) ?? [];
  const [bucket, name] = [decode(rawBucket), decode(rawName)];
  // Signed addresses and the rest are not used by the shop.
  if (
    !/^[\w.-]{1,100}$/.test(bucket) ||
    !validName.test(name) ||
    /^(sign|upload|info|move|copy)$/.test(bucket)
  )
    throw noSuchAddress();
  return { call: call as Address["call"], bucket, name };
}
