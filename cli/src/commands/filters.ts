// Filters that several visctl commands share. The code does not compile if an allowed value of a filter, such as a
// severity, is missing here.
import type { Level, RecentFilters, SearchFilters, Severity, Source } from 'vis-sdk'
import { booleanOptions, listMembers, listOption } from '../options.ts'

/** Heading above the filters in the help of a command. */
export const FILTER_GROUP = 'Filters:'

export const SOURCES = listMembers<Source>({ nvd: true, cve: true, ghsa: true, redhat: true, msrc: true })

export const SEVERITIES = listMembers<Severity>({ critical: true, high: true, medium: true, low: true })

export const SEVERITY_FILTER = listOption(
  'levels',
  'CVEs with any of these severities, separated by commas',
  SEVERITIES,
)

/** Levels of the priority policy, most urgent first. */
export const LEVELS = listMembers<Level>({ P0: true, P1: true, P2: true, P3: true, P4: true })

export const PRIORITY_FILTER = listOption(
  'levels',
  'CVEs with any of these priority levels, separated by commas: P0 is the most urgent',
  LEVELS,
)

type Status = NonNullable<RecentFilters['status']>[number]

export const STATUS_FILTER = listOption(
  'statuses',
  'CVEs with any of these statuses, separated by commas',
  listMembers<Status>({
    Received: true,
    'Awaiting Analysis': true,
    'Undergoing Analysis': true,
    Analyzed: true,
    Modified: true,
    Deferred: true,
    Rejected: true,
  }),
)

export const ACSC_FILTER = booleanOptions(
  'CVEs with notices of the Australian Cyber Security Centre (ACSC)',
  'CVEs without ACSC notices',
)

/** Filters that the service accepts only together with include=enrichment. */
const ENRICHMENT_FILTERS = ['vendor', 'attack_vector', 'patched'] as const

/** Adds include=enrichment if a filter requires it. */
export function addEnrichment(filters: SearchFilters): SearchFilters {
  const { include = [] } = filters
  const needsEnrichment = ENRICHMENT_FILTERS.some((name) => filters[name] !== undefined)
  return needsEnrichment && !include.includes('enrichment')
    ? { ...filters, include: [...include, 'enrichment'] }
    : filters
}
