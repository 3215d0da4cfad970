// All filters, in a dialog.
import { SlidersHorizontal } from 'lucide-react'
import { Button } from '../../kit/controls/button.tsx'
import { Dialog } from '../../kit/controls/dialog.tsx'
import { FILTER_NAMES, type FilterName } from '../../text/search/filters.ts'
import { listChips } from './chips.ts'
import { FacetGroup, FacetList, type FacetProps } from './facets/facet-group.tsx'
import { FacetNote } from './facets/facet-note.tsx'
import { FilterControl, FilterGroup } from './filter-controls.tsx'

/**
 * Filters in the first section of the panel. The other sections are collapsed unless one of their filters is active.
 */
const FREQUENT: readonly FilterName[] = [
  'q',
  'ids',
  'priority',
  'severity',
  'kev',
  'exploit_maturity',
  'epss_min',
  'product_vendor',
  'product',
  'cwe',
  'published_after',
  'published_before',
  'attack_vector',
  'has_fix',
]

/** The groups below "More filters". A filter that appears nowhere else goes into the last one. */
const GROUPS: readonly (readonly [title: string, filters: readonly FilterName[]])[] = [
  ['In the KEV catalog of', ['kev_in', 'kev_added_after', 'kev_added_before', 'ransomware']],
  ['SSVC exploitation', ['ssvc_exploitation']],
  ['SSVC automatable', ['ssvc_automatable']],
  ['SSVC technical impact', ['ssvc_impact']],
  ['Exploit evidence', ['exploitable', 'exploit', 'evidence_min']],
  ['EPSS', ['epss_percentile_min', 'epss_max', 'has_epss']],
  ['Score', ['cvss_min', 'severity_max', 'has_cvss', 'score_version']],
  ['Modified', ['modified_after', 'modified_before']],
  ['Record', ['patched', 'has_acsc', 'has_references', 'cpe_count_min', 'vendor']],
  ['Sources disagree about', ['disagree']],
]
const FACET_FILTERS: readonly FilterName[] = ['technique', 'assigner', 'status']
/** These repeat other filters, or are entered in the search box. */
const NOT_OFFERED: readonly FilterName[] = ['severity_min', 'score_disagreement', 'cpe', 'purl']
const PLACED = new Set([...FREQUENT, ...FACET_FILTERS, ...NOT_OFFERED, ...GROUPS.flatMap(([, filters]) => filters)])
const OTHERS = FILTER_NAMES.filter((name) => !PLACED.has(name))

function FilterPanel({ facets, ...props }: FacetProps) {
  const { filters } = props.state
  const isRareInUse = FILTER_NAMES.some((name) => !FREQUENT.includes(name) && filters[name] !== undefined)
  return (
    <div className="space-y-4">
      <FacetNote facets={facets} />
      <FacetGroup name="priority" facets={facets} {...props} />
      <FacetGroup name="severity" facets={facets} {...props} />
      <FilterGroup title="KEV and EPSS">
        <FacetList name="kev" facets={facets} {...props} />
        <FilterControl name="epss_min" {...props} />
      </FilterGroup>
      <FacetGroup name="exploit_maturity" facets={facets} {...props} />
      <FacetGroup name="product_vendor" facets={facets} {...props} />
      <FacetGroup name="product" facets={facets} {...props} />
      <FacetGroup name="cwe" facets={facets} {...props} />
      <FilterGroup title="Published">
        <FacetList name="year" facets={facets} {...props} />
        <FilterControl name="published_after" {...props} />
        <FilterControl name="published_before" {...props} />
      </FilterGroup>
      <FacetGroup name="attack_vector" facets={facets} {...props} />
      <FilterGroup title="Fix">
        <FilterControl name="has_fix" {...props} />
      </FilterGroup>
      <details open={isRareInUse}>
        <summary className="text-xs font-semibold text-ink-2">More filters</summary>
        <div className="mt-3 space-y-4">
          <FacetGroup name="technique" facets={facets} {...props} />
          <FacetGroup name="assigner" facets={facets} {...props} />
          {[...GROUPS, ...(OTHERS.length > 0 ? [['Other', OTHERS] as const] : [])].map(([title, names]) => (
            <FilterGroup key={title} title={title}>
              {names.map((name) => (
                <FilterControl key={name} name={name} {...props} />
              ))}
            </FilterGroup>
          ))}
          <FacetGroup name="status" facets={facets} {...props} />
        </div>
      </details>
    </div>
  )
}

/** The button that opens all filters. */
export function FilterDialog(props: FacetProps) {
  const count = listChips(props.state).length
  return (
    <Dialog
      title="Filters"
      side="right"
      trigger={
        <Button>
          <SlidersHorizontal aria-hidden size={14} />
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
      }
    >
      <FilterPanel {...props} />
    </Dialog>
  )
}
