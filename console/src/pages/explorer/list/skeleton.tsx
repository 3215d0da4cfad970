// Grey rows in place of the list while it is loading, as high as the rows that will replace them: nothing moves then.
import { Loading } from '../../../kit/states/loading.tsx'

/** More rows than a high window shows. */
const ROWS = 24

export function ListSkeleton() {
  return (
    <div className="relative">
      <div className="sr-only">
        <Loading label="Loading CVEs" lines={1} />
      </div>
      <div aria-hidden>
        <div className="h-9" />
        {Array.from({ length: ROWS }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are equal and never move.
          <div key={index} className="grid h-[53px] content-center gap-2 border-t border-line-2 px-4">
            <div className="h-3 w-1/2 animate-pulse rounded bg-soft" />
            <div className="h-2.5 w-1/4 animate-pulse rounded bg-soft" />
          </div>
        ))}
      </div>
    </div>
  )
}
