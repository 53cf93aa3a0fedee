/** A message for the error that getUserMedia threw. */
export function describeCameraProblem(error: unknown): string {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  switch (name) {
    case "NotAllowedError":
    case "SecurityError":
      return "The camera is not allowed. Allow it for this shop in the browser's settings (the icon before the address), then start again.";
    case "NotFoundError":
    case "OverconstrainedError":
      return "This device has no camera. Type the ISBN, or use a barcode scanner.";
    case "NotReadableError":
    case "AbortError":
      return "Another app is using the camera. Close it, then start again.";
    case "NotSupportedError":
      return "This browser allows the camera only on https pages. Open the shop with https.";
    default:
      return "The camera could not be started. Check the connection, then start again.";
  }
}
