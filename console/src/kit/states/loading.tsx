interface LoadingProps {
  readonly label?: string
  /** Number of grey lines, about as many as the content will have. */
  readonly lines?: number
}

const WIDTHS = ['w-11/12', 'w-4/5', 'w-full', 'w-2/3', 'w-5/6'] as const

/** Grey lines in place of content that is still loading. */
export function Loading({ label = 'Loading', lines = 4 }: LoadingProps) {
  return (
    <div role="status" className="space-y-3 px-4 py-5">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are equal and never move.
          key={index}
          aria-hidden
          className={`h-3.5 animate-pulse rounded bg-soft ${WIDTHS[index % WIDTHS.length]}`}
        />
      ))}
    </div>
  )
}
