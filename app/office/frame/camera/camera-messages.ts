/** From the camera's window to the page that opened it: a code, sent again until it is received. */
type CodeMessage = { type: "scanned-code"; id: number; code: string };

/** Response: the code was received. */
type ReceivedMessage = { type: "received-code"; id: number };

/** Response: the result of the last scan. */
type ResultMessage = { type: "scan-result"; text: string; isProblem: boolean };

type Message = CodeMessage | ReceivedMessage | ResultMessage;

/** Accepts messages of these types only from this window and the shop's own origin. */
export function readMessage<Type extends Message["type"]>(
  event: MessageEvent<unknown>,
  from: Window | null,
  type: Type,
): Extract<Message, { type: Type }> | null {
  if (from === null || event.source !== from || event.origin !== location.origin) return null;
  const message = event.data as Message | null;
  return message?.type === type ? (message as Extract<Message, { type: Type }>) : null;
}

export const sendMessage = (to: Window, message: Message): void => to.postMessage(message, location.origin);
