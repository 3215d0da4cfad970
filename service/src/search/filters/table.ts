// All filters of CVE lists, by the name of their parameter and in the order of the documentation.
import type { Parameter } from '../../contract/request/parameters.ts'
import type { Filter, List } from '../filter.ts'
import { cpe, purl } from './components.ts'
import {
  becameUrgentAfter,
  kevAddedAfter,
  kevAddedBefore,
  modifiedAfter,
  modifiedBefore,
  publishedAfter,
  publishedBefore,
} from './dates.ts'
import { disagree, scoreDisagreement } from './disagreements.ts'
import { evidenceMin, exploit, exploitable, exploitMaturity, kev, kevIn, priority, ransomware } from './exploitation.ts'
import { assigner, product, productVendor } from './names.ts'
import { attackVector, cpeCountMin, hasAcsc, hasFix, hasReferences, ids, patched, status, vendor } from './record.ts'
import {
  cvssMin,
  epssMax,
  epssMin,
  epssPercentileMin,
  hasCvss,
  hasEpss,
  scoreVersion,
  severity,
  severityMax,
  severityMin,
} from './scores.ts'
import { ssvcAutomatable, ssvcExploitation, ssvcImpact } from './ssvc.ts'
import { q } from './text.ts'
import { cwe, technique } from './weaknesses.ts'

const FILTERS = {
  q,
  ids,
  severity,
  severity_min: severityMin,
  severity_max: severityMax,
  exploit,
  exploitable,
  kev,
  kev_in: kevIn,
  has_acsc: hasAcsc,
  has_references: hasReferences,
  epss_min: epssMin,
  epss_max: epssMax,
  cvss_min: cvssMin,
  cpe_count_min: cpeCountMin,
  published_after: publishedAfter,
  published_before: publishedBefore,
  modified_after: modifiedAfter,
  modified_before: modifiedBefore,
  vendor,
  attack_vector: attackVector,
  patched,
  status,
  priority,
  cwe,
  technique,
  product_vendor: productVendor,
  product,
  assigner,
  has_fix: hasFix,
  has_cvss: hasCvss,
  has_epss: hasEpss,
  score_version: scoreVersion,
  epss_percentile_min: epssPercentileMin,
  ransomware,
  kev_added_after: kevAddedAfter,
  kev_added_before: kevAddedBefore,
  became_urgent_after: becameUrgentAfter,
  exploit_maturity: exploitMaturity,
  evidence_min: evidenceMin,
  ssvc_exploitation: ssvcExploitation,
  ssvc_automatable: ssvcAutomatable,
  ssvc_impact: ssvcImpact,
  score_disagreement: scoreDisagreement,
  disagree,
  cpe,
  purl,
}

type Filters = typeof FILTERS

export type FilterName = keyof Filters

/** The filters that a request uses; an absent value means that the filter is not used. */
export type FilterValues = {
  readonly [Name in FilterName]?: Filters[Name] extends Filter<infer T> ? T | undefined : never
}

// The cast is safe: Object.entries returns the keys of FILTERS. A filter gets only the value that its own parameter
// parsed.
export const FILTER_ENTRIES = Object.entries(FILTERS) as readonly (readonly [FilterName, Filter<unknown>])[]

type ParametersOf<L extends List> = {
  readonly [Name in FilterName as L extends Filters[Name]['lists'][number] ? Name : never]: Filters[Name]['parameter']
}

/** Returns the parameters for the filters that a list offers. */
export function filterParameters<L extends List>(list: L): ParametersOf<L> {
  const parameters: readonly (readonly [FilterName, Parameter<unknown>])[] = FILTER_ENTRIES.flatMap(
    ([name, { lists, parameter }]) => (lists.includes(list) ? [[name, parameter] as const] : []),
  )
  // The cast is safe: ParametersOf selects the names in the same way.
  return Object.fromEntries(parameters) as ParametersOf<L>
}
