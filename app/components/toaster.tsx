import { useEffect } from "react";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { connectToasts, type Toast, useToastLayer } from "./toast.ts";

/** Between the 4 and 5 seconds of spec section 9. */
const VISIBLE_MS = 4500;

const classNames = {
  toast:
    "flex w-full items-start gap-3 rounded-card border border-line bg-surface p-4 text-15 text-ink shadow-float",
  title: "font-semibold",
  description: "mt-0.5 text-muted",
  content: "grow",
  actionButton: "shrink-0 rounded-control px-3 py-2 font-semibold text-green underline hover:bg-tint",
  success: "border-l-4 border-l-green",
  error: "border-l-4 border-l-clay",
  info: "border-l-4 border-l-sky",
} as const;

export function Toaster() {
  useEffect(() => connectToasts(draw), []);
  const layer = useToastLayer();
  // A question is in the middle, and its buttons with it.
  const inPanel = layer instanceof HTMLDialogElement && layer.role !== "alertdialog";
  const shared = { duration: VISIBLE_MS, toastOptions: { unstyled: true, classNames } };
  return (
    <>
      <Sonner
        {...shared}
        id="toasts"
        // On the left: the next button (add, proceed, place) is usually on the right. On a phone a panel has its
        // buttons at the bottom, and toasts stay above them.
        position="bottom-left"
        mobileOffset={{ bottom: inPanel ? "15rem" : "1rem" }}
        visibleToasts={3}
        containerAriaLabel="Messages"
      />
      <Sonner
        {...shared}
        id="notices"
        position="top-right"
        // Below the header, which keeps the cart and the wishlist in view.
        offset={{ top: "5.5rem" }}
        mobileOffset={{ top: "4.75rem" }}
        visibleToasts={1}
        containerAriaLabel="Notices"
      />
    </>
  );
}

function draw({ system, tone, title, description, action }: Toast): void {
  sonner[tone](title, {
    description,
    action,
    toasterId: system === "toast" ? "toasts" : "notices",
  });
}
