// A short form of the record's value for each statement that sources make, for the overview of sources.
import type { Cve } from 'vis-sdk'
import { readDay } from '../../../text/days.ts'
import type { SourcedValueName } from './statements.ts'

/** Returns an empty string for a value that is too long for one line, such as the description. */
export function describeRecordValue(cve: Cve, name: SourcedValueName): string {
  return READERS[name]?.(cve) ?? ''
}

const READERS: Readonly<Partial<Record<SourcedValueName, (cve: Cve) => string | undefined>>> = {
  severity: ({ severity }) => severity?.toFixed(1),
  cvss_v3_1: ({ cvss }) => cvss.v3_1?.baseScore.toFixed(1),
  cvss_v4_0: ({ cvss }) => cvss.v4_0?.baseScore.toFixed(1),
  cvss_v2_0: ({ cvss, sources }) => (cvss.v2_0?.baseScore ?? sources?.cvss_v2_0?.stated_by[0]?.score)?.toFixed(1),
  weaknesses: ({ enrichment }) => enrichment?.cwe_list.length.toLocaleString('en'),
  cpe: ({ cpe }) => cpe.length.toLocaleString('en'),
  exploitation: ({ sources }) => sources?.exploitation?.stated_by[0]?.value,
  automatable: ({ sources }) => sources?.automatable?.stated_by[0]?.value,
  technical_impact: ({ sources }) => sources?.technical_impact?.stated_by[0]?.value,
  kev: ({ kev }) => kev?.dateAdded,
  epss: ({ epss }) => epss?.date,
  attack: ({ attack }) => attack?.techniques.length.toLocaleString('en'),
  acsc: ({ acsc }) => acsc?.length.toLocaleString('en'),
  status: ({ status }) => status,
  published: ({ published }) => readDay(published),
  modified: ({ modified }) => readDay(modified),
  references: ({ references }) => references.length.toLocaleString('en'),
}
