// The upstream data sources, their terms of use and the notices that they require. The page /docs/guide/attributions
// shows this list of sources.

export interface Attribution {
  /** Name of the feed (in feeds/index.ts) that imports the data to which the terms of use apply. */
  readonly feed: string
  readonly source: string
  readonly url: `https://${string}`
  /** Description of the response data that come from this data source. */
  readonly gives: string
  readonly terms: { readonly name: string; readonly url: `https://${string}` }
  /** Attribution notice to show with the data, in the source's own words if the source prescribes them. */
  readonly notice: string
}

/** Last sentence that all MITRE licenses share. */
const MITRE_CONDITION =
  "Any copy you make for such purposes is authorized provided that you reproduce MITRE's copyright designation and this license in any such copy."

const MITRE_GRANTS = 'The MITRE Corporation (MITRE) hereby grants you a non-exclusive, royalty-free license to use'

const formatMitreGrant = (work: string) =>
  `${MITRE_GRANTS} ${work} for research, development, and commercial purposes. ${MITRE_CONDITION}`

const CC_BY = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' } as const
const CC0 = { name: 'CC0 1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' } as const

const EPSS_TERMS: Attribution['terms'] = {
  name: 'Free to use, with attribution',
  url: 'https://www.first.org/epss/faq',
}
const EPSS_NOTICE = 'EPSS scores are published by FIRST; see EPSS at https://www.first.org/epss.'

const KEV_NOTICE = 'Source: CISA. CISA does not endorse this service.'

export const ATTRIBUTIONS: readonly Attribution[] = [
  {
    feed: 'nvd',
    source: 'National Vulnerability Database (NIST)',
    url: 'https://nvd.nist.gov/',
    gives: 'scores, CPE matches, weaknesses, references, status',
    terms: { name: 'Public domain', url: 'https://nvd.nist.gov/developers/start-here' },
    notice: 'This product uses data from the NVD API but is not endorsed or certified by the NVD.',
  },
  {
    feed: 'cve',
    source: 'CVE List (CVE Program, with the containers of CISA-ADP)',
    url: 'https://www.cve.org/',
    gives: 'ids, descriptions, the data of the CNAs, SSVC',
    terms: { name: 'CVE terms of use', url: 'https://www.cve.org/Legal/TermsOfUse' },
    notice: `Copyright © 1999–2026, The MITRE Corporation. CVE and the CVE logo are registered trademarks of The MITRE Corporation. MITRE hereby grants you a perpetual, worldwide, non-exclusive, no-charge, royalty-free, irrevocable copyright license to reproduce, prepare derivative works of, publicly display, publicly perform, sublicense, and distribute Common Vulnerabilities and Exposures (CVE®). ${MITRE_CONDITION}`,
  },
  {
    feed: 'kev',
    source: 'Known Exploited Vulnerabilities Catalog (CISA)',
    url: 'https://www.cisa.gov/known-exploited-vulnerabilities-catalog',
    gives: 'kev, /api/v1/kev',
    terms: CC0,
    notice: KEV_NOTICE,
  },
  {
    feed: 'kev-history',
    source: 'Known Exploited Vulnerabilities Catalog (CISA), earlier releases',
    url: 'https://www.cisa.gov/known-exploited-vulnerabilities-catalog',
    gives: '/api/v1/kev/history',
    terms: CC0,
    notice: KEV_NOTICE,
  },
  {
    feed: 'eukev',
    source: 'EU Known Exploited Vulnerabilities (ENISA and the EU CSIRTs network)',
    url: 'https://github.com/enisaeu/CNW',
    gives: 'the entries eu in exploits.kev_catalogs, and the filter kev_in',
    terms: { name: 'No licence stated', url: 'https://github.com/enisaeu/CNW/tree/main/eukev' },
    notice: 'Source: ENISA. Only facts are stored and served, and no text of the catalog.',
  },
  {
    feed: 'epss',
    source: 'Exploit Prediction Scoring System (FIRST)',
    url: 'https://www.first.org/epss',
    gives: 'epss',
    terms: EPSS_TERMS,
    notice: EPSS_NOTICE,
  },
  {
    feed: 'epss-history',
    source: 'Exploit Prediction Scoring System (FIRST), scores of earlier days',
    url: 'https://www.first.org/epss',
    gives: '/api/v1/cve/{cve-id}/epss, /api/v1/epss/movers',
    terms: EPSS_TERMS,
    notice: EPSS_NOTICE,
  },
  {
    feed: 'acsc',
    source: "Australian Signals Directorate's Australian Cyber Security Centre",
    url: 'https://www.cyber.gov.au/',
    gives: 'acsc, acsc_notices',
    terms: CC_BY,
    notice: "© Commonwealth of Australia, ASD's ACSC. Notices are shortened; each has the URL of the original.",
  },
  {
    feed: 'attack',
    source: 'ATT&CK (MITRE)',
    url: 'https://attack.mitre.org/',
    gives: 'technique ids',
    terms: { name: 'ATT&CK terms of use', url: 'https://attack.mitre.org/resources/legal-and-branding/terms-of-use/' },
    notice: `© 2026 The MITRE Corporation. This work is reproduced and distributed with the permission of The MITRE Corporation. ${formatMitreGrant('ATT&CK®')}`,
  },
  {
    feed: 'attack-mapping',
    source: 'Mappings Explorer (Center for Threat-Informed Defense)',
    url: 'https://center-for-threat-informed-defense.github.io/mappings-explorer/',
    gives: 'the techniques that exploit a CVE',
    terms: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    notice: '© Center for Threat-Informed Defense. Techniques that ATT&CK has withdrawn are left out.',
  },
  {
    feed: 'cwe',
    source: 'Common Weakness Enumeration (MITRE)',
    url: 'https://cwe.mitre.org/',
    gives: 'names and descriptions of weaknesses',
    terms: { name: 'CWE terms of use', url: 'https://cwe.mitre.org/about/termsofuse.html' },
    notice: `Copyright © 2006–2026, The MITRE Corporation. ${formatMitreGrant('Common Weakness Enumeration (CWE™)')}`,
  },
  {
    feed: 'capec',
    source: 'CAPEC (MITRE)',
    url: 'https://capec.mitre.org/',
    gives: 'a relation between weaknesses and techniques, with which derived techniques are compared',
    terms: { name: 'CAPEC terms of use', url: 'https://capec.mitre.org/about/termsofuse.html' },
    notice: `Copyright © 2007–2026, The MITRE Corporation. ${formatMitreGrant('Common Attack Pattern Enumeration and Classification (CAPEC™)')}`,
  },
  {
    feed: 'ghsa',
    source: 'GitHub Advisory Database',
    url: 'https://github.com/advisories',
    gives: 'packages and fixed versions; the source ghsa',
    terms: CC_BY,
    notice: '© GitHub, Inc. Advisories are excerpted; references link to the originals.',
  },
  {
    feed: 'osv-go',
    source: 'Go Vulnerability Database',
    url: 'https://pkg.go.dev/vuln/',
    gives: 'packages, fixed versions and references',
    terms: CC_BY,
    notice: '© The Go Authors. Advisories are excerpted; references link to the originals.',
  },
  {
    feed: 'osv-rustsec',
    source: 'RustSec Advisory Database',
    url: 'https://rustsec.org/',
    gives: 'packages, fixed versions and references',
    terms: CC0,
    notice: 'Some advisories come from the GitHub Advisory Database, © GitHub, Inc., under CC BY 4.0.',
  },
  {
    feed: 'osv-bitnami',
    source: 'Bitnami Vulnerability Database',
    url: 'https://github.com/bitnami/vulndb',
    gives: 'packages, fixed versions and references',
    terms: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    notice: '© Broadcom. Advisories are excerpted.',
  },
  {
    feed: 'osv-almalinux',
    source: 'AlmaLinux errata',
    url: 'https://errata.almalinux.org/',
    gives: 'packages, fixed versions and references',
    terms: { name: 'MIT', url: 'https://github.com/AlmaLinux/osv-database/blob/master/LICENSE' },
    notice: '© AlmaLinux OS Foundation. Errata are excerpted; references link to the originals.',
  },
  {
    feed: 'osv-pypa',
    source: 'Python Packaging Advisory Database',
    url: 'https://github.com/pypa/advisory-database',
    gives: 'packages, fixed versions and references',
    terms: CC_BY,
    notice: '© The Python Packaging Authority. Advisories are excerpted.',
  },
  {
    feed: 'redhat',
    source: 'Red Hat security data',
    url: 'https://access.redhat.com/security/data',
    gives: 'severity, products and fixes; the source redhat',
    terms: CC_BY,
    notice: '© Red Hat, Inc. Documents are excerpted; references link to the page of the CVE at Red Hat.',
  },
  {
    feed: 'msrc',
    source: 'Microsoft Security Update Guide',
    url: 'https://msrc.microsoft.com/update-guide',
    gives: 'products, updates and exploitation; the source msrc',
    terms: { name: 'Microsoft terms of use', url: 'https://www.microsoft.com/en-us/legal/terms-of-use' },
    notice: '© Microsoft. Facts are taken from the Security Update Guide, https://msrc.microsoft.com/update-guide.',
  },
  {
    feed: 'debian',
    source: 'Debian security tracker',
    url: 'https://security-tracker.debian.org/',
    gives: 'nothing yet: states and fixed versions are stored, and no answer contains them',
    terms: { name: 'No licence stated', url: 'https://security-team.debian.org/security_tracker.html' },
    notice: 'Source: Debian security team. Only facts are stored, and no text of the tracker.',
  },
  {
    feed: 'exploitdb',
    source: 'Exploit-DB (OffSec)',
    url: 'https://www.exploit-db.com/',
    gives: 'the fact that an exploit is public, never the exploit itself',
    terms: { name: 'GPL-2.0-or-later', url: 'https://gitlab.com/exploit-database/exploitdb' },
    notice: 'Numbers, titles and dates of entries come from Exploit-DB, https://www.exploit-db.com/.',
  },
  {
    feed: 'metasploit',
    source: 'Metasploit Framework (Rapid7)',
    url: 'https://github.com/rapid7/metasploit-framework',
    gives: 'the fact that a module exists, never the module itself',
    terms: {
      name: 'BSD-3-Clause',
      url: 'https://github.com/rapid7/metasploit-framework/blob/master/LICENSE',
    },
    notice: 'Copyright © 2006–2026, Rapid7, Inc. Rapid7 does not endorse this service.',
  },
  {
    feed: 'nuclei',
    source: 'Nuclei templates (ProjectDiscovery)',
    url: 'https://github.com/projectdiscovery/nuclei-templates',
    gives: 'the fact that a template exists, never the template itself',
    terms: { name: 'MIT', url: 'https://github.com/projectdiscovery/nuclei-templates/blob/main/LICENSE.md' },
    notice: 'Copyright © ProjectDiscovery, Inc.',
  },
  {
    feed: 'poc',
    source: 'PoC-in-GitHub (nomi-sec)',
    url: 'https://github.com/nomi-sec/PoC-in-GitHub',
    gives: 'the claim that a proof of concept exists',
    terms: CC0,
    notice: 'These proofs of concept are claims: nobody has verified them.',
  },
  {
    feed: 'overrides',
    source: 'NVD data overrides (Anchore)',
    url: 'https://github.com/anchore/nvd-data-overrides',
    gives: 'CPE matches for CVEs without CPE matches in NVD',
    terms: CC0,
    notice: 'CPE matches by Anchore have the cpe_source anchore.',
  },
]
