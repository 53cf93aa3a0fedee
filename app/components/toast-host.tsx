import { useEffect, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useToastLayer, useToastsWanted } from "./toast.ts";
import { useLate } from "./use-late.ts";

/** Fetches the drawing side of the messages, also ahead of the first one. */
export const loadToaster = () => import("./toaster.tsx");

const late = {
  load: loadToaster,
  onFailure: () => console.error("Failed to load the messages"),
};

/**
 * Place of both notification systems; their code comes with the first message. When it cannot be fetched, messages
 * wait for the next one or for the connection.
 */
export function ToastHost() {
  const wanted = useToastsWanted();
  const [reconnected, setReconnected] = useState(0);
  const toaster = useLate(wanted && wanted + reconnected, late);

  useEffect(() => {
    const retry = () => setReconnected((times) => times + 1);
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  }, []);

  return toaster && <ToastPlace Toaster={toaster.Toaster} />;
}

/** One element for good, moved into the open dialog and back, so that messages on show survive the move. */
function ToastPlace({ Toaster }: Awaited<ReturnType<typeof loadToaster>>) {
  const layer = useToastLayer();
  const [place] = useState(() => document.createElement("div"));

  useLayoutEffect(() => {
    (layer ?? document.body).append(place);
  }, [layer, place]);

  return createPortal(<Toaster />, place);
}
