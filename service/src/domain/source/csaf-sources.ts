// Publishers of security advisories in the format CSAF 2.0 (https://docs.oasis-open.org/csaf/csaf/v2.0/). Each is a
// separate feed: if one is unreachable, the others go on, and each has its own age.
import type { AliasForm, CsafDescriptor } from './descriptor.ts'

/** Addresses that the importers of Vulnerability-Lookup, which run every day, read. */
const FEEDERS = 'https://github.com/vulnerability-lookup/vulnerability-lookup/blob/main/vulnerabilitylookup/feeders'
const HOUR = 60 * 60
const DAY = 24 * HOUR

/** Only what differs between the publishers. */
interface CsafFacts
  extends Pick<
    CsafDescriptor,
    'work' | 'homepage' | 'terms' | 'content' | 'maxDataAgeDays' | 'role' | 'mayQuote' | 'metadata'
  > {
  /** Name next to a value, and in titles. */
  readonly label: string
  /** The name within a sentence, if it differs. */
  readonly inText?: string
  /** By default, a notice that names the publisher. */
  readonly notice?: string
  readonly advisories?: AliasForm
}

// The terms of most publishers forbid copies of their texts, or the page of the terms does not mention advisories. Then
// only facts and links are served.
const PROVIDERS = {
  cisco: {
    label: 'Cisco',
    role: 'vendor',
    work: 'Cisco Security Advisories',
    homepage: 'https://sec.cloudapps.cisco.com/security/center/publicationListing.x',
    terms: {
      name: 'Cisco terms and conditions',
      url: 'https://www.cisco.com/c/en/us/about/legal/terms-conditions.html',
    },
    content: 'advisories about Cisco products: affected releases, fixes and workarounds',
    maxDataAgeDays: 30,
    advisories: {
      name: 'cisco-sa',
      pattern: /^cisco-sa-[a-z\d][a-z\d_-]{3,90}$/,
      example: 'cisco-sa-asaftd-persist-rce-flsnxf4h',
      issuer: 'Cisco',
      isLowerCase: 'whole',
    },
    metadata: {
      url: 'https://www.cisco.com/.well-known/csaf/provider-metadata.json',
      page: `${FEEDERS}/csaf_cisco.py`,
    },
  },
  paloalto: {
    label: 'Palo Alto Networks',
    role: 'vendor',
    work: 'Palo Alto Networks Security Advisories',
    homepage: 'https://security.paloaltonetworks.com/',
    terms: {
      name: 'Palo Alto Networks terms of use',
      url: 'https://www.paloaltonetworks.com/legal-notices/terms-of-use',
    },
    content: 'VEX documents about Palo Alto Networks products: affected, fixed and unaffected versions',
    maxDataAgeDays: 45,
    advisories: {
      name: 'PAN-SA',
      pattern: /^PAN-SA-\d{4}-\d{4}$/,
      example: 'PAN-SA-2020-0011',
      issuer: 'Palo Alto Networks',
      page: 'https://security.paloaltonetworks.com/{id}',
    },
  },
  cisa: {
    label: 'CISA advisory',
    inText: "CISA's advisories",
    role: 'coordinator',
    work: 'ICS advisories and IT vulnerability advisories (CISA)',
    homepage: 'https://www.cisa.gov/news-events/cybersecurity-advisories',
    terms: { name: 'Public domain (work of the US government)', url: 'https://www.usa.gov/government-works' },
    mayQuote: true,
    notice: 'Source: CISA. CISA does not endorse this service.',
    content: 'advisories about industrial control systems (ICS), medical devices and software, coordinated by CISA',
    maxDataAgeDays: 21,
    advisories: {
      name: 'ICSA',
      pattern: /^ICSM?A-\d{2}-\d{3}-\d{2}[A-Z]?$/,
      example: 'ICSA-22-349-21',
      issuer: 'CISA',
    },
    metadata: {
      url: 'https://www.cisa.gov/sites/default/files/csaf/provider-metadata.json',
      page: 'https://github.com/cisagov/CSAF/blob/develop/README.md',
      hosts: ['raw.githubusercontent.com'],
      keys: [
        { fingerprint: '144AED0A57BE7D4AE835D9D8CAC5AC4F74164B17', page: 'https://github.com/cisagov/CSAF/issues/341' },
      ],
    },
  },
  suse: {
    label: 'SUSE',
    role: 'vendor',
    work: 'SUSE security data',
    homepage: 'https://www.suse.com/support/security/csaf/',
    terms: { name: 'No licence stated', url: 'https://www.suse.com/support/security/csaf/' },
    content: "SUSE's advisories: fixed packages of SUSE products and openSUSE",
    maxDataAgeDays: 14,
    metadata: {
      url: 'https://www.suse.com/.well-known/csaf/provider-metadata.json',
      page: `${FEEDERS}/csaf_suse.py`,
      hosts: ['ftp.suse.com'],
    },
  },
  siemens: {
    label: 'Siemens',
    role: 'vendor',
    work: 'Siemens Security Advisories (Siemens ProductCERT)',
    homepage: 'https://www.siemens.com/global/en/products/services/cert.html',
    terms: { name: 'Siemens terms of use', url: 'https://www.siemens.com/terms_of_use' },
    content: 'advisories about Siemens products: affected versions, fixes and mitigations',
    maxDataAgeDays: 45,
    advisories: {
      name: 'SSA',
      pattern: /^SSA-\d{6}$/,
      example: 'SSA-712929',
      issuer: 'Siemens',
      page: 'https://cert-portal.siemens.com/productcert/html/ssa-{digits}.html',
    },
    metadata: {
      url: 'https://cert-portal.siemens.com/productcert/csaf/provider-metadata.json',
      page: `${FEEDERS}/csaf_siemens.py`,
    },
  },
  schneider: {
    label: 'Schneider Electric',
    role: 'vendor',
    work: 'Schneider Electric Security Notifications',
    homepage: 'https://www.se.com/ww/en/work/support/cybersecurity/security-notifications.jsp',
    terms: { name: 'Schneider Electric terms of use', url: 'https://www.se.com/ww/en/about-us/legal/terms-of-use.jsp' },
    content: 'notifications about Schneider Electric products',
    maxDataAgeDays: 60,
    advisories: {
      name: 'SEVD',
      pattern: /^SEVD-\d{4}-\d{3}-\d{2}$/,
      example: 'SEVD-2024-100-01',
      issuer: 'Schneider Electric',
    },
    metadata: {
      url: 'https://www.se.com/.well-known/csaf/provider-metadata.json',
      page: `${FEEDERS}/csaf_se.py`,
    },
  },
  certvde: {
    label: 'CERT@VDE',
    role: 'coordinator',
    work: 'CERT@VDE advisories',
    homepage: 'https://certvde.com/en/advisories/',
    terms: { name: 'No licence stated', url: 'https://certvde.com/en/imprint/' },
    content: 'advisories of makers of automation products that CERT@VDE publishes for them',
    maxDataAgeDays: 60,
    advisories: {
      name: 'VDE',
      pattern: /^VDE-\d{4}-\d{3}$/,
      example: 'VDE-2024-022',
      issuer: 'CERT@VDE',
      page: 'https://certvde.com/en/advisories/{id}/',
    },
    metadata: {
      url: 'https://certvde.csaf-tp.certvde.com/.well-known/csaf/provider-metadata.json',
      page: `${FEEDERS}/csaf_certvde.py`,
    },
  },
  fortinet: {
    label: 'Fortinet',
    role: 'vendor',
    work: 'FortiGuard PSIRT advisories',
    homepage: 'https://fortiguard.fortinet.com/psirt',
    terms: { name: 'Fortinet terms of use', url: 'https://www.fortinet.com/corporate/about-us/legal' },
    content: 'advisories about Fortinet products: affected versions and solutions',
    maxDataAgeDays: 60,
    advisories: {
      name: 'FG-IR',
      pattern: /^FG-IR-\d{2}-\d{3,4}$/,
      example: 'FG-IR-24-015',
      issuer: 'Fortinet',
      page: 'https://fortiguard.fortinet.com/psirt/{id}',
    },
  },
  microsoft: {
    label: 'Microsoft CSAF',
    inText: 'Microsoft',
    role: 'vendor',
    work: 'Microsoft Security Response Center, CSAF documents',
    homepage: 'https://msrc.microsoft.com/csaf',
    terms: { name: 'Microsoft terms of use', url: 'https://www.microsoft.com/en-us/legal/terms-of-use' },
    content: "Microsoft's advisories and VEX documents, among them those about Azure Linux",
    maxDataAgeDays: 45,
    metadata: {
      url: 'https://msrc.microsoft.com/csaf/provider-metadata.json',
      page: `${FEEDERS}/csaf_microsoft.py`,
      hosts: ['api.msrc.microsoft.com'],
    },
  },
  oracle: {
    label: 'Oracle',
    role: 'vendor',
    work: 'Oracle Critical Patch Updates',
    homepage: 'https://www.oracle.com/security-alerts/',
    terms: { name: 'Oracle terms of use', url: 'https://www.oracle.com/legal/terms/' },
    content: "Oracle's quarterly updates and security alerts",
    maxDataAgeDays: 120,
  },
  bsi: {
    label: 'BSI',
    role: 'coordinator',
    work: 'BSI advisories (CERT-Bund)',
    homepage: 'https://wid.cert-bund.de/portal/wid/kurzinformationen',
    terms: { name: 'No licence stated', url: 'https://wid.cert-bund.de/portal/wid/impressum' },
    content: "advisories of Germany's Federal Office for Information Security about products of all makers",
    maxDataAgeDays: 14,
    advisories: {
      name: 'WID-SEC',
      pattern: /^WID-SEC-(?:W-)?\d{4}-\d{4}$/,
      example: 'WID-SEC-2024-0769',
      issuer: 'BSI',
      page: 'https://wid.cert-bund.de/portal/wid/securityadvisory?name={id}',
    },
    metadata: {
      url: 'https://wid.cert-bund.de/.well-known/csaf/provider-metadata.json',
      page: `${FEEDERS}/csaf_certbund.py`,
    },
  },
  intel: {
    label: 'Intel',
    role: 'vendor',
    work: 'Intel Security Advisories',
    homepage: 'https://www.intel.com/content/www/us/en/security-center/default.html',
    terms: { name: 'Intel terms of use', url: 'https://www.intel.com/content/www/us/en/legal/terms-of-use.html' },
    content: 'advisories about Intel products',
    maxDataAgeDays: 120,
    advisories: {
      name: 'INTEL-SA',
      pattern: /^INTEL-SA-\d{5}$/,
      example: 'INTEL-SA-00657',
      issuer: 'Intel',
    },
  },
  abb: {
    label: 'ABB',
    role: 'vendor',
    work: 'ABB cyber security alerts and notifications',
    homepage: 'https://global.abb/group/en/technology/cyber-security/alerts-and-notifications',
    terms: { name: 'ABB terms of use', url: 'https://new.abb.com/provider-information/terms-conditions' },
    content: 'advisories about ABB products',
    maxDataAgeDays: 120,
    metadata: {
      url: 'https://psirt.abb.com/.well-known/csaf/provider-metadata.json',
      page: 'https://github.com/CloudSecurityAlliance/SecID/blob/main/docs/project/csaf-advisory-entries-todo.md',
    },
  },
  bosch: {
    label: 'Bosch',
    role: 'vendor',
    work: 'Bosch PSIRT advisories',
    homepage: 'https://psirt.bosch.com/security-advisories/',
    terms: { name: 'No licence stated', url: 'https://psirt.bosch.com/legal-notice/' },
    content: 'advisories about products of Bosch and Bosch Rexroth',
    maxDataAgeDays: 120,
    advisories: {
      name: 'BOSCH-SA',
      pattern: /^BOSCH-SA-\d{6}(?:-[A-Z]{2,4})?$/,
      example: 'BOSCH-SA-247053-BT',
      issuer: 'Bosch',
      page: 'https://psirt.bosch.com/security-advisories/{id}.html',
    },
  },
  sick: {
    label: 'SICK',
    role: 'vendor',
    work: 'SICK PSIRT advisories',
    homepage: 'https://www.sick.com/psirt',
    terms: { name: 'No licence stated', url: 'https://www.sick.com/psirt' },
    content: 'advisories about SICK products',
    maxDataAgeDays: 120,
    advisories: {
      name: 'SCA',
      pattern: /^SCA-\d{4}-\d{4}$/,
      example: 'SCA-2023-0008',
      issuer: 'SICK',
    },
    metadata: {
      url: 'https://www.sick.com/.well-known/csaf/provider-metadata.json',
      page: `${FEEDERS}/csaf_sick.py`,
    },
  },
  nozomi: {
    label: 'Nozomi Networks',
    role: 'vendor',
    work: 'Nozomi Networks PSIRT advisories',
    homepage: 'https://security.nozominetworks.com/psirt',
    terms: { name: 'No licence stated', url: 'https://security.nozominetworks.com/psirt' },
    content: 'advisories about Nozomi Networks products',
    maxDataAgeDays: 180,
    advisories: {
      name: 'NN',
      pattern: /^NN-\d{4}:\d{1,3}-\d{2}$/,
      example: 'NN-2023:12-01',
      issuer: 'Nozomi Networks',
      page: 'https://security.nozominetworks.com/{+id}',
    },
    metadata: {
      url: 'https://csaf.data.security.nozominetworks.com/provider-metadata.json',
      page: `${FEEDERS}/csaf_nozominetworks.py`,
      hosts: ['security.nozominetworks.com'],
    },
  },
  ncscnl: {
    label: 'NCSC-NL',
    role: 'coordinator',
    work: "Advisories of the Netherlands' National Cyber Security Centre",
    homepage: 'https://advisories.ncsc.nl/',
    terms: { name: 'No licence stated', url: 'https://www.ncsc.nl/copyright' },
    content: 'Dutch advisories about products of all makers',
    maxDataAgeDays: 14,
    advisories: {
      name: 'NCSC',
      pattern: /^NCSC-\d{4}-\d{4}$/,
      example: 'NCSC-2024-0269',
      issuer: 'NCSC-NL',
      page: 'https://advisories.ncsc.nl/advisory?id={id}',
    },
    metadata: {
      url: 'https://advisories.ncsc.nl/csaf/provider-metadata.json',
      page: `${FEEDERS}/csaf_ncscnl.py`,
    },
  },
} as const satisfies Readonly<Record<string, CsafFacts>>

export type CsafSourceId = `csaf-${keyof typeof PROVIDERS}`

export const CSAF_SOURCES = Object.fromEntries(
  Object.entries<CsafFacts>(PROVIDERS).map(([publisher, facts]) => [`csaf-${publisher}`, describe(publisher, facts)]),
) as Readonly<Record<CsafSourceId, CsafDescriptor>>

// The cast is safe: Object.keys returns the keys of CSAF_SOURCES.
const CSAF_SOURCE_IDS = Object.keys(CSAF_SOURCES) as readonly CsafSourceId[]

/** Builds an object with a member for each publisher. */
export function mapCsafSources<T>(toValue: (id: CsafSourceId) => T): Readonly<Record<CsafSourceId, T>> {
  // The cast is safe: the keys are all ids of publishers.
  return Object.fromEntries(CSAF_SOURCE_IDS.map((id) => [id, toValue(id)])) as Record<CsafSourceId, T>
}

const listByRole = (role: CsafDescriptor['role']) => CSAF_SOURCE_IDS.filter((id) => CSAF_SOURCES[id].role === role)

export const CSAF_VENDORS = listByRole('vendor')
export const CSAF_COORDINATORS = listByRole('coordinator')

/** True for a vendor that publishes CSAF documents about its own products. */
export function isCsafVendor(id: string): boolean {
  return isCsafSource(id) && CSAF_SOURCES[id].role === 'vendor'
}

export function isCsafSource(id: string): id is CsafSourceId {
  return Object.hasOwn(CSAF_SOURCES, id)
}

function describe(publisher: string, { label, inText, ...facts }: CsafFacts): CsafDescriptor {
  const id = `csaf-${publisher}`
  return {
    ...facts,
    title: label,
    providers: { [id]: { label, ...(inText !== undefined && { inText }) } },
    gives: `products, fixes, remediations and not-affected statements; the source ${id}`,
    notice: facts.notice ?? `Source: ${facts.work}. References link to the originals.`,
    ...(!facts.mayQuote && { excerpt: 'We store the documents, and serve facts and links but no remediation texts' }),
    origin: 'CSAF 2.0 documents, found through the provider metadata of the publisher',
    intervalSeconds: 6 * HOUR,
    staleAfterSeconds: 3 * DAY,
    ownRecord: 'vendor',
    files: id,
  }
}
