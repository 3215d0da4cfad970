// Filters that several visctl commands share. The code does not compile if an allowed value of a filter, such as a
// severity, is missing here.
import type { RecentFilters, Severity, Source } from 'vis-sdk'
import { booleanOptions, listMembers, listOption } from '../options.ts'

/** Heading above the filters in the help of a command. */
export const FILTER_GROUP = 'Filters:'

export const SOURCES = listMembers<Source>({ nvd: true, cve: true, ghsa: true, redhat: true, msrc: true })

export const SEVERITY_FILTER = listOption(
  'levels',
  'CVEs with any of these severities, separated by commas',
  listMembers<Severity>({ critical: true, high: true, medium: true, low: true }),
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
