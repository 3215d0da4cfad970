// Names of the sources of the data, for people.

interface SourceName {
  /** The source in a sentence: "according to CISA Vulnrichment". */
  readonly name: string
  /** Title of its data set. Without it, the name is the title. */
  readonly dataset?: string
}

/** Names by the ids that the API uses for sources and for data sets. */
const SOURCES: Readonly<Record<string, SourceName>> = {
  nvd: { name: 'NVD' },
  cve: { name: 'CVE record', dataset: 'CVE List' },
  kev: { name: 'CISA KEV' },
  'kev-history': { name: 'CISA KEV', dataset: 'Earlier releases of KEV' },
  'cisa-kev': { name: 'CISA KEV' },
  'cisa-adp': { name: 'CISA Vulnrichment' },
  eukev: { name: 'EU KEV (ENISA)' },
  'eu-kev': { name: 'EU KEV (ENISA)' },
  epss: { name: 'FIRST EPSS', dataset: 'EPSS' },
  'epss-history': { name: 'FIRST EPSS', dataset: 'EPSS of earlier days' },
  acsc: { name: 'ACSC', dataset: 'ACSC notices' },
  cwe: { name: 'CWE weaknesses' },
  attack: { name: 'MITRE ATT&CK' },
  'attack-mapping': { name: 'Center for Threat-Informed Defense', dataset: 'ATT&CK mappings' },
  capec: { name: 'CAPEC patterns' },
  exploitdb: { name: 'Exploit-DB' },
  metasploit: { name: 'Metasploit' },
  nuclei: { name: 'Nuclei', dataset: 'Nuclei templates' },
  poc: { name: 'PoC-in-GitHub' },
  anchore: { name: 'Anchore' },
  overrides: { name: 'Anchore', dataset: 'NVD overrides (Anchore)' },
  ghsa: { name: 'GitHub advisory', dataset: 'GitHub advisories' },
  redhat: { name: 'Red Hat' },
  msrc: { name: 'Microsoft' },
  debian: { name: 'Debian tracker' },
  'osv-almalinux': { name: 'OSV: AlmaLinux' },
  'osv-bitnami': { name: 'OSV: Bitnami' },
  'osv-go': { name: 'OSV: Go' },
  'osv-pypa': { name: 'OSV: PyPA' },
  'osv-rustsec': { name: 'OSV: RustSec' },
  rules: { name: 'rules of this service' },
}

/** Returns undefined for a source that has no entry in the table, such as a CNA. */
function nameSource(id: string): string | undefined {
  return SOURCES[id]?.name
}

/** Returns the title of a data set, or its id if it has no entry in the table. */
export function titleDataset(id: string): string {
  const source = SOURCES[id]
  return source?.dataset ?? source?.name ?? id
}

const PREFIXES: readonly (readonly [prefix: string, words: string])[] = [
  ['derived:', 'derived from '],
  ['cna:', 'the CNA '],
  ['adp:', 'the ADP '],
  ['osv:', 'OSV database '],
]

const FROM_VECTOR = 'derived:cvss:'

/** Names a source in words: `cna:apache` becomes "the CNA apache", `derived:cvss:nvd` "CVSS vector from NVD". */
export function describeSource(source: string): string {
  const known = nameSource(source)
  if (known !== undefined) return known
  if (source.startsWith(FROM_VECTOR)) return `CVSS vector from ${describeSource(source.slice(FROM_VECTOR.length))}`
  const [prefix, words] = PREFIXES.find(([each]) => source.startsWith(each)) ?? ['', '']
  const rest = source.slice(prefix.length)
  return prefix === 'derived:' ? `${words}${describeSource(rest)}` : `${words}${rest.replaceAll('_', ' ')}`
}
