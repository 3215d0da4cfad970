// A dash in place of a missing value.

/** Stands for a missing value. Screen readers hear what is missing. */
export function Dash({ means }: { readonly means: string }) {
  return (
    <span className="text-ink-3" title={means}>
      <span aria-hidden>–</span>
      <span className="sr-only">{means}</span>
    </span>
  )
}
