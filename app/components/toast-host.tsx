import { useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import { createLazyModule } from "#app/lib/react/create-lazy-module.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import { queuedToasts, toastLayers } from "./toast.ts";

/** Fetches the code that renders toasts; also used to prefetch it. */
export const loadToaster = () => import("./toaster.tsx");

const toaster = createLazyModule(loadToaster, () => {
  console.error("Failed to load the toaster");
  window.addEventListener("online", toaster.fetch, { once: true });
});
queuedToasts.subscribe(toaster.fetch);

/**
 * Where both notification systems appear; their code is fetched with the first toast. When that fails, toasts are
 * queued until the next one or until the browser is online.
 */
export function ToastHost() {
  const loaded = useStore(toaster);
  return loaded && <ToastPlace Toaster={loaded.Toaster} />;
}

/** One element, moved into the open dialog and back, so that visible toasts survive the move. */
function ToastPlace({ Toaster }: Awaited<ReturnType<typeof loadToaster>>) {
  const [container] = useState(() => document.createElement("div"));

  // Moved at once, and not with the next render: a toast that is drawn while a dialog closes would be measured outside the page.
  useLayoutEffect(() => {
    const move = () => (toastLayers.get().at(-1) ?? document.body).append(container);
    move();
    return toastLayers.subscribe(move);
  }, [container]);

  return createPortal(<Toaster />, container);
}
