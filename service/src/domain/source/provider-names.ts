// Human-readable names of providers.
import { DATA_SOURCES } from './sources.ts'

/** Provider of values that this service derives by its own rules, and of its conclusions (decision E31). */
export const RULES = 'rules'

const PROVIDERS: ReadonlyMap<string, string> = new Map(
  Object.values(DATA_SOURCES).flatMap(({ providers = {} }) =>
    Object.entries(providers).map(([id, { label, inText }]) => [id, inText ?? label] as const),
  ),
)

/** CNAs whose common name differs from the CVE Program's short name. The keys are short names in lower case. */
export const ORGANISATIONS: Readonly<Record<string, string>> = {
  adobe: 'Adobe',
  apache: 'Apache',
  apple: 'Apple',
  atlassian: 'Atlassian',
  autodesk: 'Autodesk',
  brocade: 'Brocade',
  canonical: 'Canonical',
  certcc: 'CERT/CC',
  certvde: 'CERT@VDE',
  checkpoint: 'Check Point',
  chrome: 'Google Chrome',
  cisco: 'Cisco',
  cpansec: 'the CPAN Security Group',
  // The CVE Program's own container, which repeats references from older records.
  cve: 'the CVE Program',
  debian: 'Debian',
  dell: 'Dell',
  drupal: 'Drupal',
  dsf: 'the Django Software Foundation',
  eclipse: 'Eclipse',
  eef: 'the Erlang Ecosystem Foundation',
  elastic: 'Elastic',
  f5: 'F5',
  fedora: 'Fedora',
  fortinet: 'Fortinet',
  github_m: 'GitHub',
  hackerone: 'HackerOne',
  hpe: 'HPE',
  huawei: 'Huawei',
  huntr_ai: 'huntr',
  huntrdev: 'huntr',
  ibm: 'IBM',
  icscert: "CISA's ICS-CERT",
  incd: "Israel's National Cyber Directorate",
  intel: 'Intel',
  ivanti: 'Ivanti',
  jpcert: 'JPCERT/CC',
  juniper: 'Juniper',
  lenovo: 'Lenovo',
  linux: 'the Linux kernel project',
  manageengine: 'ManageEngine',
  microsoft: 'Microsoft',
  mitre: 'MITRE',
  mozilla: 'Mozilla',
  nvidia: 'NVIDIA',
  openjs: 'the OpenJS Foundation',
  openssl: 'OpenSSL',
  oracle: 'Oracle',
  palo_alto: 'Palo Alto Networks',
  php: 'PHP',
  progresssoftware: 'Progress Software',
  qnap: 'QNAP',
  qualcomm: 'Qualcomm',
  redhat: 'Red Hat',
  samsungmobile: 'Samsung Mobile',
  sap: 'SAP',
  schneider: 'Schneider Electric',
  siemens: 'Siemens',
  snyk: 'Snyk',
  sonicwall: 'SonicWall',
  synology: 'Synology',
  talos: 'Cisco Talos',
  tenable: 'Tenable',
  'tha-psirt': 'Thales',
  tplink: 'TP-Link',
  twcert: 'TWCERT/CC',
  vmware: 'VMware',
  zdi: 'the Zero Day Initiative',
  zephyr: 'the Zephyr project',
}

const ROLE = /^(?:cna|adp):/
/** The first part of a UUID, given for an organisation whose name is not known. */
const UUID_PART = /^[\da-f]{8}$/
const UNNAMED = 'an organisation of the CVE Program'

/**
 * The digits of a UUID mean nothing to people, so an organisation without a known name is described as one of the CVE
 * Program.
 */
export function toDisplayName(provider: string): string {
  if (provider === RULES) return 'this service'
  const known = PROVIDERS.get(provider)
  if (known !== undefined) return known
  const name = provider.replace(ROLE, '')
  const key = name.toLowerCase()
  if (UUID_PART.test(key)) return UNNAMED
  return Object.hasOwn(ORGANISATIONS, key) ? (ORGANISATIONS[key] ?? name) : name
}

/** Formats a name for the start of a sentence. */
export function toLeadingName(provider: string): string {
  const name = toDisplayName(provider)
  return /^(?:the|an?|this) /.test(name) ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name
}
