// The facets above the list. A phone has them in the dialog with all filters.

import type { FacetName } from '../../../text/search/facet-specs.ts'
import { FacetGroup, type FacetProps } from './facet-group.tsx'

/** The service counts up to five facets in one call. */
const NAMES: readonly FacetName[] = ['priority', 'exploit_maturity', 'severity', 'product_vendor', 'year']

export function FacetStrip(props: FacetProps) {
  return (
    <section
      aria-label="Filters with counts"
      className="hidden rounded-[10px] border border-line bg-panel shadow-panel md:block"
    >
      <a
        href="#list"
        className="sr-only z-10 rounded-md bg-accent px-2 py-1 text-xs text-accent-ink focus:not-sr-only focus:absolute"
      >
        Skip the filters
      </a>
      <div className="grid grid-cols-3 xl:grid-cols-5">
        {NAMES.map((name) => (
          <div
            key={name}
            className="min-w-0 border-line-2 px-3 pt-2.5 pb-1.5 not-first:border-l max-xl:nth-4:border-l-0"
          >
            <FacetGroup name={name} isCompact {...props} />
          </div>
        ))}
      </div>
    </section>
  )
}
