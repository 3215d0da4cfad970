/** Keeps the place of the bell in the verdict until it is known whether the CVE is watched. */
export function BellSlot() {
  return <span aria-hidden className="inline-block h-4.5 w-18 print:hidden" />
}
