// Builds small records of each source (NVD, CVE List, …) for the tests of the resolver, which merges them into one CVE.
import { describeEvidence } from '../../src/catalog/model/fix-evidence.ts'
import type { Resolved } from '../../src/catalog/model/resolved.ts'
import type { KevEntry, RecordSource, SourceData, SourceRecord } from '../../src/catalog/model/source-data.ts'
import { resolve } from '../../src/catalog/resolve/resolve.ts'
import { notice as buildNotice, sourceData as buildSourceData, kev, toCveId } from './records.ts'

type Members = Readonly<Record<string, unknown>>

export const CISA = '134c704f-9b21-4f2e-91b3-4a467353bcc0'

/** CVSS vectors by their score. The key also contains the CVSS version if the version is not 3.1. */
export const VECTORS = {
  '9.8': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  '7.5': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  '5.5': 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H',
  '3.0 9.8': 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  '4.0 9.3': 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  '2.0 10.0': 'AV:N/AC:L/Au:N/C:C/I:C/A:C',
} as const

export function sourceData(records: readonly SourceRecord[], more: Partial<SourceData> = {}): SourceData {
  return buildSourceData({ cveId: toCveId('CVE-2026-4711'), records, ...more })
}

/** Merges source records into a CVE. Throws if the records do not result in a CVE. */
export function resolved(records: readonly SourceRecord[], more: Partial<SourceData> = {}): Resolved {
  const record = resolve(sourceData(records, more))
  if (record === undefined) throw new Error('the source data resolve to no CVE')
  return record
}

/** Returns the evidence of the fix as `include=sources` shows it. */
export function showFix({ fix }: Pick<Resolved, 'fix'>) {
  return fix && { ...fix, value: describeEvidence(fix.value) }
}

export function record(source: RecordSource, value: unknown, modified = '2026-08-01T00:00:00Z'): SourceRecord {
  return { source, modified: new Date(modified), record: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** An NVD record with only a description, unless `members` adds more. */
export function nvd(members: Members = {}, modified = '2026-08-10T09:30:00Z'): SourceRecord {
  const value = {
    id: 'CVE-2026-4711',
    sourceIdentifier: 'security@apache.org',
    published: '2026-07-01T10:15:20.123',
    lastModified: modified,
    vulnStatus: 'Analyzed',
    descriptions: [
      { lang: 'es', value: 'Una descripción.' },
      { lang: 'en', value: 'Description by NVD.' },
    ],
    metrics: {},
    references: [],
    ...members,
  }
  return record('nvd', value, modified)
}

export function nvdRating(source: string, vectorString: string, baseScore: number, type = 'Secondary') {
  return { source, type, cvssData: { vectorString, baseScore } }
}

interface CveParts {
  readonly metadata?: Members
  readonly cna?: Members
  readonly adp?: readonly Members[]
}

/** A CVE List record of the CNA (assigner of CVE ids) "apache" with only a description, unless the parts add more. */
export function cve(
  { metadata = {}, cna = {}, adp = [] }: CveParts = {},
  modified = '2026-08-05T00:00:00Z',
): SourceRecord {
  const value = {
    dataType: 'CVE_RECORD',
    dataVersion: '5.2',
    cveMetadata: {
      state: 'PUBLISHED',
      assignerShortName: 'apache',
      datePublished: '2026-06-30T08:00:00Z',
      ...metadata,
    },
    containers: {
      cna: {
        providerMetadata: { shortName: 'apache', dateUpdated: '2026-07-02T00:00:00Z' },
        descriptions: [{ lang: 'en', value: 'Description by the CNA.' }],
        ...cna,
      },
      adp,
    },
  }
  return record('cve', value, modified)
}

export function cisa(members: Members): Members {
  return { title: 'CISA ADP Vulnrichment', providerMetadata: { orgId: CISA, shortName: 'CISA-ADP' }, ...members }
}

export function ssvc(exploitation: string, timestamp = '2026-07-03T12:00:00.5Z'): Members {
  return {
    other: { type: 'ssvc', content: { timestamp, options: [{ Exploitation: exploitation }, { Automatable: 'no' }] } },
  }
}

export function override(
  configurations: unknown,
  modified = '2026-07-20T00:00:00Z',
  references: readonly Members[] = [],
): SourceRecord {
  return record(
    'overrides',
    { _annotation: { cve_id: 'CVE-2026-4711' }, cve: { configurations, references } },
    modified,
  )
}

export function vendor(source: 'ghsa' | 'redhat' | 'msrc', members: Members = {}, modified?: string): SourceRecord {
  const value = {
    cve_id: 'CVE-2026-4711',
    advisories: [`${source.toUpperCase()}-1`],
    title: null,
    description: `Description by ${source}.`,
    published: '2026-07-04T00:00:00Z',
    modified: '2026-07-05T00:00:00Z',
    withdrawn: false,
    severity: 'HIGH',
    scores: [],
    weaknesses: [],
    products: [],
    references: [],
    exploitation: null,
    ...members,
  }
  return record(source, value, modified ?? '2026-07-05T00:00:00Z')
}

export function cpe(product: string, version = '*'): string {
  return `cpe:2.3:a:examplesoft:${product}:${version}:*:*:*:*:*:*:*`
}

/** Builds an NVD configuration that combines the given CPE matches with OR. */
export function configurations(...cpeMatch: readonly Members[]) {
  return [{ nodes: [{ operator: 'OR', negate: false, cpeMatch }] }]
}

export function match(product: string, limits: Members = {}): Members {
  return { vulnerable: true, criteria: cpe(product), ...limits }
}

export const kevEntry = (changes: Partial<KevEntry> = {}) =>
  kev({ dateAdded: '2026-08-02', dueDate: '2026-08-23', notes: null, ...changes })

export const notice = (published: string, updated: string | null = null) =>
  buildNotice('acsc-1', { published: new Date(published), updated: updated === null ? null : new Date(updated) })
