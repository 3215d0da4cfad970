// Display names of the data sources.
import { SOURCES } from 'vis-sdk/sources'
import { ORGANISATIONS } from 'vis-sdk/vocabulary'

/** Provider names by their ids in answers. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ...Object.values(SOURCES).flatMap(({ providers }) => Object.entries(providers)),
  ['rules', 'rules of this service'],
  // The record of a CVE that only databases in OSV format describe.
  ['osv', 'a database in OSV format'],
])

/** Returns the title of a data set, or its id if the title is unknown. */
export function titleDataset(id: string): string {
  return SOURCES[id]?.title ?? id
}

const PREFIXES: readonly (readonly [prefix: string, words: string])[] = [
  ['derived:', 'derived from '],
  ['cna:', 'the CNA '],
  ['adp:', 'the ADP '],
  ['osv:', 'OSV database '],
]

const FROM_VECTOR = 'derived:cvss:'

const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(ORGANISATIONS))
const ROLES: Readonly<Record<string, string>> = { 'cna:': 'CNA', 'adp:': 'ADP' }

/**
 * Returns the display name of a source: `cna:apache` becomes "Apache (CNA)", `derived:cvss:nvd` "CVSS vector from
 * NVD".
 */
export function describeSource(source: string): string {
  const known = PROVIDERS.get(source) ?? SOURCES[source]?.title
  if (known !== undefined) return known
  if (source.startsWith(FROM_VECTOR)) return `CVSS vector from ${describeSource(source.slice(FROM_VECTOR.length))}`
  const [prefix, words] = PREFIXES.find(([each]) => source.startsWith(each)) ?? ['', '']
  const rest = source.slice(prefix.length)
  const organisation = NAMES.get(rest)
  if (organisation !== undefined && ROLES[prefix] !== undefined) return `${organisation} (${ROLES[prefix]})`
  return prefix === 'derived:' ? `${words}${describeSource(rest)}` : `${words}${rest.replaceAll('_', ' ')}`
}
