// Filters that several commands share. A value that the service adds and that is missing here does not compile.
import type { RecentFilters, Severity, Source } from 'vis-sdk'
import { booleanOptions, listMembers, listOption } from '../options.ts'

/** Heading of the filters in help. */
export const FILTER_GROUP = 'Filters:'

export const SOURCES = listMembers<Source>({ nvd: true, cve: true, ghsa: true, redhat: true, msrc: true })

export const SEVERITY_FILTER = listOption(
  'levels',
  'CVEs with any of these severities',
  listMembers<Severity>({ critical: true, high: true, medium: true, low: true }),
)

type Status = NonNullable<RecentFilters['status']>[number]

export const STATUS_FILTER = listOption(
  'statuses',
  'CVEs with any of these statuses',
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

export const ACSC_FILTER = booleanOptions('CVEs with ACSC notices', 'CVEs without ACSC notices')
