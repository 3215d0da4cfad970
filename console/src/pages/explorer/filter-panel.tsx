// The controls of the filters: a column on wide screens, a dialog on narrow ones.
import { SlidersHorizontal } from 'lucide-react'
import { Button } from '../../kit/controls/button.tsx'
import { Dialog } from '../../kit/controls/dialog.tsx'
import { listActiveFilters } from './describe-filters.ts'
import { FacetGroup, FacetList, type FacetProps } from './facets/facet-group.tsx'
import { FacetNote } from './facets/facet-note.tsx'
import { Checkboxes, DateField, FilterGroup, type FilterProps, FilterSelect, NumberField } from './filter-controls.tsx'
import { FILTER_NAMES, type FilterName } from './filters.ts'

/** Filters that stand in the first part of the panel. The others are closed unless one of them is in use. */
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

export function FilterPanel({ facets, ...props }: FacetProps) {
  const { filters } = props.state
  const isRareInUse = FILTER_NAMES.some((name) => !FREQUENT.includes(name) && filters[name] !== undefined)
  return (
    <div className="space-y-4">
      <FacetNote facets={facets} />
      <FacetGroup name="priority" facets={facets} {...props} />
      <FacetGroup name="severity" facets={facets} {...props} />
      <FilterGroup title="Exploitation">
        <FacetList name="kev" facets={facets} {...props} />
        <NumberField name="epss_min" label="EPSS at least" {...props} />
      </FilterGroup>
      <FacetGroup name="exploit_maturity" facets={facets} {...props} />
      <FacetGroup name="product_vendor" facets={facets} {...props} />
      <FacetGroup name="product" facets={facets} {...props} />
      <FacetGroup name="cwe" facets={facets} {...props} />
      <FilterGroup title="Published">
        <FacetList name="year" facets={facets} {...props} />
        <DateField name="published_after" label="From" {...props} />
        <DateField name="published_before" label="Until" {...props} />
      </FilterGroup>
      <FacetGroup name="attack_vector" facets={facets} {...props} />
      <FilterGroup title="Fix">
        <FilterSelect name="has_fix" label="Fixed version" {...props} />
      </FilterGroup>
      <details open={isRareInUse}>
        <summary className="text-xs font-semibold text-ink-2">More filters</summary>
        <div className="mt-3 space-y-4">
          <FacetGroup name="technique" facets={facets} {...props} />
          <FacetGroup name="assigner" facets={facets} {...props} />
          <ExploitationFilters {...props} />
          <ScoreFilters {...props} />
          <RecordFilters {...props} />
          <FacetGroup name="status" facets={facets} {...props} />
        </div>
      </details>
    </div>
  )
}

function ExploitationFilters(props: FilterProps) {
  return (
    <>
      <FilterGroup title="In the KEV catalog of">
        <Checkboxes name="kev_in" {...props} />
        <DateField name="kev_added_after" label="CISA from" {...props} />
        <DateField name="kev_added_before" label="CISA until" {...props} />
        <FilterSelect name="ransomware" label="Ransomware" {...props} />
      </FilterGroup>
      <FilterGroup title="SSVC exploitation">
        <Checkboxes name="ssvc_exploitation" {...props} />
      </FilterGroup>
      <FilterGroup title="SSVC automatable">
        <Checkboxes name="ssvc_automatable" {...props} />
      </FilterGroup>
      <FilterGroup title="SSVC technical impact">
        <Checkboxes name="ssvc_impact" {...props} />
      </FilterGroup>
      <FilterGroup title="Exploit evidence">
        <FilterSelect name="exploitable" label="Public exploit" {...props} />
        <FilterSelect name="exploit" label="In KEV or public" {...props} />
        <NumberField name="evidence_min" label="Items at least" {...props} />
      </FilterGroup>
    </>
  )
}

function ScoreFilters(props: FilterProps) {
  return (
    <>
      <FilterGroup title="EPSS">
        <NumberField name="epss_percentile_min" label="Percentile from" {...props} />
        <NumberField name="epss_max" label="EPSS at most" {...props} />
        <FilterSelect name="has_epss" label="Has a value" {...props} />
      </FilterGroup>
      <FilterGroup title="Score">
        <NumberField name="cvss_min" label="CVSS at least" {...props} />
        <NumberField name="severity_max" label="CVSS up to" {...props} />
        <FilterSelect name="has_cvss" label="Has a score" {...props} />
        <Checkboxes name="score_version" {...props} />
      </FilterGroup>
    </>
  )
}

function RecordFilters(props: FilterProps) {
  return (
    <>
      <FilterGroup title="Modified">
        <DateField name="modified_after" label="From" {...props} />
        <DateField name="modified_before" label="Until" {...props} />
      </FilterGroup>
      <FilterGroup title="Record">
        <FilterSelect name="patched" label="Fix named" {...props} />
        <FilterSelect name="has_acsc" label="ACSC notice" {...props} />
        <FilterSelect name="has_references" label="References" {...props} />
        <NumberField name="cpe_count_min" label="CPE matches from" {...props} />
        <FilterSelect name="vendor" label="Record in" {...props} />
      </FilterGroup>
      <FilterGroup title="Sources disagree about">
        <Checkboxes name="disagree" {...props} />
      </FilterGroup>
    </>
  )
}

/** The button that opens the filters on narrow screens. */
export function FilterDialog(props: FacetProps) {
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
