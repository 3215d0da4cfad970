// The controls of the filters: a column on wide screens, a dialog on narrow ones.
import { SlidersHorizontal } from 'lucide-react'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { listActiveFilters } from './describe-filters.ts'
import { Checkboxes, DateField, FilterGroup, type FilterProps, FilterSelect, NumberField } from './filter-controls.tsx'
import type { FilterName } from './filters.ts'

/** Filters that few people need. They are closed unless one of them is in use. */
const RARE: readonly FilterName[] = [
  'cvss_min',
  'epss_max',
  'modified_after',
  'modified_before',
  'kev_in',
  'exploit',
  'has_acsc',
  'has_references',
  'cpe_count_min',
  'vendor',
  'status',
]

export function FilterPanel(props: FilterProps) {
  const { filters } = props.state
  return (
    <div className="space-y-4">
      <FilterGroup title="Priority">
        <Checkboxes name="priority" {...props} />
      </FilterGroup>
      <FilterGroup title="Severity">
        <Checkboxes name="severity" {...props} />
      </FilterGroup>
      <FilterGroup title="Exploitation">
        <FilterSelect name="kev" label="In CISA KEV" {...props} />
        <FilterSelect name="exploitable" label="Public exploit" {...props} />
        <NumberField name="epss_min" label="EPSS at least" {...props} />
      </FilterGroup>
      <FilterGroup title="Exposure">
        <FilterSelect name="attack_vector" label="Attack vector" {...props} />
        <FilterSelect name="patched" label="Fix named" {...props} />
      </FilterGroup>
      <FilterGroup title="Published">
        <DateField name="published_after" label="From" {...props} />
        <DateField name="published_before" label="Until" {...props} />
      </FilterGroup>
      <details open={RARE.some((name) => filters[name] !== undefined)}>
        <summary className="text-xs font-semibold text-ink-2">More filters</summary>
        <div className="mt-3 space-y-4">
          <RareFilters {...props} />
        </div>
      </details>
    </div>
  )
}

function RareFilters(props: FilterProps) {
  return (
    <>
      <FilterGroup title="Modified">
        <DateField name="modified_after" label="From" {...props} />
        <DateField name="modified_before" label="Until" {...props} />
      </FilterGroup>
      <FilterGroup title="Scores">
        <NumberField name="cvss_min" label="CVSS at least" {...props} />
        <NumberField name="epss_max" label="EPSS at most" {...props} />
      </FilterGroup>
      <FilterGroup title="In the KEV catalog of">
        <Checkboxes name="kev_in" {...props} />
      </FilterGroup>
      <FilterGroup title="Record">
        <FilterSelect name="exploit" label="In KEV or public exploit" {...props} />
        <FilterSelect name="has_acsc" label="ACSC notice" {...props} />
        <FilterSelect name="has_references" label="References" {...props} />
        <NumberField name="cpe_count_min" label="CPE matches at least" {...props} />
        <FilterSelect name="vendor" label="Source has a record" {...props} />
      </FilterGroup>
      <FilterGroup title="Status in NVD">
        <Checkboxes name="status" {...props} />
      </FilterGroup>
    </>
  )
}

/** The button that opens the filters on narrow screens. */
export function FilterDialog(props: FilterProps) {
  const count = listActiveFilters(props.state).filter((name) => name !== 'q').length
  return (
    <Dialog
      title="Filters"
      side="right"
      trigger={
        <Button className="xl:hidden">
          <SlidersHorizontal aria-hidden size={14} />
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
      }
    >
      <FilterPanel {...props} />
    </Dialog>
  )
}
