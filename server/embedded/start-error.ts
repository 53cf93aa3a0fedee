/** A reason why the backend cannot start, told in one line for the shop's owner. */
export class StartError extends Error {
  override name = "StartError";
}
