// Sources whose own record of a CVE a caller can request by name (decision A12).
import { CSAF_COORDINATORS, CSAF_VENDORS } from './csaf-sources.ts'
import { DATA_SOURCES, SOURCE_IDS, type SourceIdWith } from './sources.ts'

export type VendorSource = SourceIdWith<{ readonly ownRecord: 'vendor' }>

/** Values of the parameter `vendor`. */
export type Source = SourceIdWith<{ readonly ownRecord: 'public' | 'vendor' }>

export const SOURCES = SOURCE_IDS.filter((id) => DATA_SOURCES[id].ownRecord !== undefined) as readonly Source[]

/**
 * The sources that describe CVEs, in the order in which they lead a record (decisions C13, E32). `osv` stands for all
 * databases in the OSV format. A CVE that none of them describes has no record, even if it has an EPSS score.
 */
export const DESCRIBING_SOURCES = [
  'nvd',
  'cve',
  'kev',
  'ghsa',
  'msrc',
  'redhat',
  ...CSAF_VENDORS,
  'overrides',
  'osv',
  ...CSAF_COORDINATORS,
  'eukev',
  'debian',
  'metasploit',
  'nuclei',
  'exploitdb',
] as const

export type DescribingSource = (typeof DESCRIBING_SOURCES)[number]

/** These sources' records are stored as VendorRecord, and requests for them require an enterprise plan. */
export const VENDOR_SOURCES = SOURCES.filter((id) => DATA_SOURCES[id].ownRecord === 'vendor') as readonly VendorSource[]

export function isVendorSource(source: string | undefined): source is VendorSource {
  return VENDOR_SOURCES.some((each) => each === source)
}
