/** Keeps the place of the state in the verdict until it is known, so that nothing beside it moves. */
export function StateSlot() {
  return <span aria-hidden className="inline-block h-4.5 w-22 print:hidden" />
}
