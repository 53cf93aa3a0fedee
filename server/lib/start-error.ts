/** Why the backend cannot start, in one line for the shop's owner. */
export class StartError extends Error {
  override name = "StartError";
}
