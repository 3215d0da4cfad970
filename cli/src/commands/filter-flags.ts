// The words that filters take; what the service gains, and is not here, does not compile.
import type { RecentFilters, Severity, Sort, Source } from '@vis/sdk'
import type { Flag } from '../command.ts'

/** All members of a union, none forgotten. */
const all = <Word extends string>(words: Readonly<Record<Word, true>>): readonly string[] => Object.keys(words)

export const SORTS = all<Sort>({
  severity_desc: true,
  severity_asc: true,
  published_desc: true,
  published_asc: true,
  modified_desc: true,
  modified_asc: true,
  epss_desc: true,
  epss_asc: true,
})

export const SOURCES = all<Source>({ nvd: true, cve: true, ghsa: true, redhat: true, msrc: true })

export const SEVERITY_FLAG: Flag = {
  kind: 'list',
  values: all<Severity>({ critical: true, high: true, medium: true, low: true }),
  about: 'any of these',
}

type Status = NonNullable<RecentFilters['status']>[number]

export const STATUS_FLAG: Flag = {
  kind: 'list',
  values: all<Status>({
    Received: true,
    'Awaiting Analysis': true,
    'Undergoing Analysis': true,
    Analyzed: true,
    Modified: true,
    Deferred: true,
    Rejected: true,
  }),
  about: 'any of these',
}
