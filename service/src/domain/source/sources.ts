// One descriptor per source. Everything that the service, its documents and its clients say about a source comes from
// here.
import { CSAF_SOURCES } from './csaf-sources.ts'
import type { SourceDescriptor } from './descriptor.ts'
import { EXPLOIT_SOURCES } from './exploit-sources.ts'
import { OSV_SOURCES } from './osv-sources.ts'
import { REPOSITORY_SOURCES } from './repository-sources.ts'
import { SECDB_SOURCES } from './secdb-sources.ts'
import { APACHE, CC_BY, CC0, formatMitreGrant, MITRE_CONDITION } from './terms.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const EPSS = {
  homepage: 'https://www.first.org/epss',
  terms: { name: 'Free to use, with attribution', url: 'https://www.first.org/epss/faq' },
  notice: 'EPSS scores are published by FIRST; see EPSS at https://www.first.org/epss.',
} as const

const KEV = {
  homepage: 'https://www.cisa.gov/known-exploited-vulnerabilities-catalog',
  terms: CC0,
  notice: 'Source: CISA. CISA does not endorse this service.',
} as const

/** A few releases a year: most requests return 304 Not Modified. */
const RARE = { intervalSeconds: DAY, staleAfterSeconds: 30 * DAY } as const

const TABLE = {
  nvd: {
    title: 'NVD',
    providers: { nvd: { label: 'NVD' } },
    work: 'National Vulnerability Database (NIST)',
    homepage: 'https://nvd.nist.gov/',
    gives: 'scores, CPE matches, weaknesses, references, status',
    terms: { name: 'Public domain', url: 'https://nvd.nist.gov/developers/start-here' },
    notice: 'This product uses data from the NVD API but is not endorsed or certified by the NVD.',
    content: "NVD's record of every CVE",
    origin: '`nvd.nist.gov` year files and `modified`, or the API of `services.nvd.nist.gov`',
    // NVD updates its files every two hours, and asks API users not to poll more often.
    intervalSeconds: 2 * HOUR,
    staleAfterSeconds: DAY,
    maxDataAgeDays: 2,
    isRequired: true,
    ownRecord: 'public',
    judges: ['products'],
  },
  cve: {
    title: 'CVE List',
    providers: {
      cve: { label: 'CVE record', inText: 'the CVE Program' },
      'cisa-adp': { label: 'CISA Vulnrichment', inText: 'CISA' },
    },
    work: 'CVE List (CVE Program, with the containers of CISA-ADP)',
    homepage: 'https://www.cve.org/',
    gives: 'ids, descriptions, the data of the CNAs, SSVC',
    terms: { name: 'CVE terms of use', url: 'https://www.cve.org/Legal/TermsOfUse' },
    notice: `Copyright © 1999–2026, The MITRE Corporation. CVE and the CVE logo are registered trademarks of The MITRE Corporation. MITRE hereby grants you a perpetual, worldwide, non-exclusive, no-charge, royalty-free, irrevocable copyright license to reproduce, prepare derivative works of, publicly display, publicly perform, sublicense, and distribute Common Vulnerabilities and Exposures (CVE®). ${MITRE_CONDITION}`,
    content: "CVE List: the records of the CNAs, with CISA's additions (SSVC, CVSS, CWE, KEV; CC0-1.0)",
    origin: 'releases of `github.com/CVEProject/cvelistV5`',
    // The CVE Program publishes a release every hour.
    intervalSeconds: HOUR,
    intervalNote: 'a full comparison every day',
    staleAfterSeconds: DAY,
    maxDataAgeDays: 2,
    isRequired: true,
    ownRecord: 'public',
    judges: ['products'],
  },
  kev: {
    ...KEV,
    title: 'CISA KEV',
    providers: { 'cisa-kev': { label: 'CISA KEV', inText: "CISA's KEV catalog" } },
    work: 'Known Exploited Vulnerabilities Catalog (CISA)',
    gives: 'kev, /api/v1/kev',
    content: "CISA's catalog of known exploited vulnerabilities (KEV)",
    origin: '`www.cisa.gov`',
    // New entries are urgent, and most requests return 304 Not Modified.
    intervalSeconds: 30 * MINUTE,
    staleAfterSeconds: DAY,
    // CISA adds entries on working days. The longest gap since 2022 was 18 days (March 2024).
    maxDataAgeDays: 21,
    isRequired: true,
    judges: ['products', 'levels'],
  },
  'kev-history': {
    ...KEV,
    title: 'Earlier releases of KEV',
    work: 'Known Exploited Vulnerabilities Catalog (CISA), earlier releases',
    gives: '/api/v1/kev/history',
    content: "earlier releases of CISA's KEV catalog, with the entries that CISA has removed",
    origin: 'none: CISA publishes only the newest release, so an operator imports a file with `--from`',
    // A run without a directory reads nothing and succeeds, so the data set does not become stale.
    intervalSeconds: DAY,
    intervalNote: 'without a download',
    staleAfterSeconds: 7 * DAY,
    maxDataAgeDays: null,
  },
  eukev: {
    title: 'EU KEV (ENISA)',
    providers: { 'eu-kev': { label: 'EU KEV (ENISA)', inText: "ENISA's EU KEV catalog" } },
    work: 'EU Known Exploited Vulnerabilities (ENISA and the EU CSIRTs network)',
    homepage: 'https://github.com/enisaeu/CNW',
    gives: 'the entries eu in exploits.kev_catalogs, and the filter kev_in',
    terms: { name: 'No licence stated', url: 'https://github.com/enisaeu/CNW/tree/main/eukev' },
    notice: 'Source: ENISA. Only facts are stored and served, and no text of the catalog.',
    excerpt:
      'We store ids, names, dates, the reporting organisation and the kind of exploitation, and serve only the names of the vendor and the product, the day of the listing and the removal',
    content: "ENISA's catalog of vulnerabilities that are known to be exploited in the EU (EU KEV)",
    origin: '`raw.githubusercontent.com/enisaeu/CNW`',
    intervalSeconds: 2 * HOUR,
    staleAfterSeconds: 7 * DAY,
    // ENISA added 43 entries in the first months of its catalog, with gaps of several weeks.
    maxDataAgeDays: 60,
    judges: ['products'],
  },
  epss: {
    ...EPSS,
    title: 'EPSS',
    providers: { epss: { label: 'FIRST EPSS' } },
    work: 'Exploit Prediction Scoring System (FIRST)',
    gives: 'epss',
    content: "FIRST's probability of exploitation, for every CVE",
    origin: '`epss.empiricalsecurity.com`',
    // FIRST publishes once a day, at noon or some hours later, and has missed single days.
    intervalSeconds: HOUR,
    intervalNote: 'one release a day',
    staleAfterSeconds: 2 * DAY,
    maxDataAgeDays: 3,
    isRequired: true,
    judges: ['levels'],
  },
  'epss-history': {
    ...EPSS,
    title: 'EPSS of earlier days',
    work: 'Exploit Prediction Scoring System (FIRST), scores of earlier days',
    gives: '/api/v1/cve/{cve-id}/epss, /api/v1/epss/movers',
    content: "FIRST's scores of earlier days, since 2021-04-14",
    origin: 'one file per day of `epss.empiricalsecurity.com`',
    intervalSeconds: HOUR,
    intervalNote: 'at most 31 files; one file a day after the first load',
    staleAfterSeconds: 3 * DAY,
    // Days are read from newest to oldest, so their age says nothing about staleness.
    maxDataAgeDays: null,
  },
  acsc: {
    title: 'ACSC notices',
    providers: { acsc: { label: 'ACSC' } },
    work: "Australian Signals Directorate's Australian Cyber Security Centre",
    homepage: 'https://www.cyber.gov.au/',
    gives: 'acsc, acsc_notices',
    terms: CC_BY,
    notice: "© Commonwealth of Australia, ASD's ACSC. Notices are shortened; each has the URL of the original.",
    content: 'alerts and advisories of the Australian Cyber Security Centre',
    origin: '`www.cyber.gov.au` RSS feeds, then the pages of the notices',
    // The ACSC publishes a few notices a week at any hour, and fewer over the Australian summer holidays.
    intervalSeconds: 30 * MINUTE,
    staleAfterSeconds: DAY,
    maxDataAgeDays: 30,
    isRequired: true,
  },
  cwe: {
    ...RARE,
    title: 'CWE weaknesses',
    work: 'Common Weakness Enumeration (MITRE)',
    homepage: 'https://cwe.mitre.org/',
    gives: 'names and descriptions of weaknesses',
    terms: { name: 'CWE terms of use', url: 'https://cwe.mitre.org/about/termsofuse.html' },
    notice: `Copyright © 2006–2026, The MITRE Corporation. ${formatMitreGrant('Common Weakness Enumeration (CWE™)')}`,
    content: 'Common Weakness Enumeration: weaknesses, categories and views',
    origin: '`cwe.mitre.org`',
    intervalNote: 'three or four releases a year',
    // The longest gap was nine months (January to October 2023).
    maxDataAgeDays: 365,
  },
  attack: {
    ...RARE,
    title: 'MITRE ATT&CK',
    work: 'ATT&CK (MITRE)',
    homepage: 'https://attack.mitre.org/',
    gives: 'technique ids',
    terms: { name: 'ATT&CK terms of use', url: 'https://attack.mitre.org/resources/legal-and-branding/terms-of-use/' },
    notice: `© 2026 The MITRE Corporation. This work is reproduced and distributed with the permission of The MITRE Corporation. ${formatMitreGrant('ATT&CK®')}`,
    content: 'ATT&CK techniques for enterprises',
    origin: '`enterprise-attack.json` of `github.com/mitre-attack/attack-stix-data`',
    intervalNote: 'releases in April and October',
    maxDataAgeDays: 270,
  },
  capec: {
    ...RARE,
    title: 'CAPEC patterns',
    work: 'CAPEC (MITRE)',
    homepage: 'https://capec.mitre.org/',
    gives: 'a relation between weaknesses and techniques, with which derived techniques are compared',
    terms: { name: 'CAPEC terms of use', url: 'https://capec.mitre.org/about/termsofuse.html' },
    notice: `Copyright © 2007–2026, The MITRE Corporation. ${formatMitreGrant('Common Attack Pattern Enumeration and Classification (CAPEC™)')}`,
    content: 'CAPEC attack patterns with their weaknesses and techniques',
    origin: '`stix-capec.json` of `github.com/mitre/cti`',
    // There has been no release since version 3.9 in January 2023.
    maxDataAgeDays: null,
  },
  'attack-mapping': {
    ...RARE,
    title: 'ATT&CK mappings',
    providers: { 'attack-mapping': { label: 'Center for Threat-Informed Defense' } },
    work: 'Mappings Explorer (Center for Threat-Informed Defense)',
    homepage: 'https://center-for-threat-informed-defense.github.io/mappings-explorer/',
    gives: 'the techniques that exploit a CVE',
    terms: APACHE,
    notice: '© Center for Threat-Informed Defense. Techniques that ATT&CK has withdrawn are left out.',
    content: 'ATT&CK techniques by which KEV vulnerabilities are exploited, and their impact',
    origin: '`github.com/center-for-threat-informed-defense/mappings-explorer`',
    // Each release requires a new value of FEED_ATTACK_MAPPING_URL.
    intervalNote: 'about one release a year',
    maxDataAgeDays: 400,
  },
  ...EXPLOIT_SOURCES,
  overrides: {
    title: 'NVD overrides (Anchore)',
    providers: { anchore: { label: 'Anchore' } },
    work: 'NVD data overrides (Anchore)',
    homepage: 'https://github.com/anchore/nvd-data-overrides',
    gives: 'CPE matches for CVEs without CPE matches in NVD',
    terms: CC0,
    notice: 'CPE matches by Anchore have the cpe_source anchore.',
    content: "Anchore's corrections of NVD's affected products",
    origin: 'archive of `github.com/anchore/nvd-data-overrides`',
    intervalSeconds: DAY,
    staleAfterSeconds: 7 * DAY,
    // Anchore corrects records on most days, and a quarter of its corrections have no date.
    maxDataAgeDays: 30,
    judges: ['products'],
  },
  ghsa: {
    title: 'GitHub advisories',
    providers: { ghsa: { label: 'GitHub advisory', inText: 'GitHub' } },
    work: 'GitHub Advisory Database',
    homepage: 'https://github.com/advisories',
    gives: 'packages and fixed versions; the source ghsa',
    terms: CC_BY,
    notice: '© GitHub, Inc. Advisories are excerpted; references link to the originals.',
    content: 'reviewed GitHub security advisories: affected packages and fixed versions (unreviewed ones repeat NVD)',
    origin: 'archive of `github.com/github/advisory-database`, then the API of `api.github.com`',
    intervalSeconds: HOUR,
    staleAfterSeconds: 2 * DAY,
    maxDataAgeDays: 7,
    ownRecord: 'vendor',
    packages: [
      'cargo',
      'composer',
      'gem',
      'githubactions',
      'golang',
      'hex',
      'maven',
      'npm',
      'nuget',
      'pub',
      'pypi',
      'swift',
    ],
    advisories: {
      name: 'GHSA',
      pattern: /^GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}$/,
      example: 'GHSA-jfh8-c2jp-5v3q',
      issuer: 'GitHub',
      page: 'https://github.com/advisories/{id}',
      isLowerCase: true,
    },
  },
  ...OSV_SOURCES,
  ...REPOSITORY_SOURCES,
  redhat: {
    title: 'Red Hat',
    providers: { redhat: { label: 'Red Hat' } },
    work: 'Red Hat security data',
    homepage: 'https://access.redhat.com/security/data',
    gives: 'severity, products and fixes; the source redhat',
    terms: CC_BY,
    notice: '© Red Hat, Inc. Documents are excerpted; references link to the page of the CVE at Red Hat.',
    excerpt: 'We store an excerpt',
    content: "Red Hat's VEX files: severity, score, advisories, and the status of each Red Hat product",
    origin: '`security.access.redhat.com` archive, `changes.csv`, `deletions.csv`, then single files',
    intervalSeconds: HOUR,
    staleAfterSeconds: 2 * DAY,
    maxDataAgeDays: 7,
    ownRecord: 'vendor',
    packages: ['rpm/redhat'],
    // Red Hat no longer assesses release 5 and earlier ones.
    releases: ['6', '7', '8', '9', '10'],
    namesSourcePackages: true,
    advisories: {
      name: 'RHSA',
      pattern: /^RH[SBE]A-\d{4}:\d{3,6}$/,
      example: 'RHSA-2024:4312',
      issuer: 'Red Hat',
      page: 'https://access.redhat.com/errata/{+id}',
    },
  },
  msrc: {
    title: 'Microsoft',
    providers: { msrc: { label: 'Microsoft' } },
    work: 'Microsoft Security Update Guide',
    homepage: 'https://msrc.microsoft.com/update-guide',
    gives: 'products, updates and exploitation; the source msrc',
    terms: { name: 'Microsoft terms of use', url: 'https://www.microsoft.com/en-us/legal/terms-of-use' },
    notice: '© Microsoft. Facts are taken from the Security Update Guide, https://msrc.microsoft.com/update-guide.',
    excerpt: 'Public without a key, no licence stated. We store facts and short descriptions',
    content: 'Microsoft Security Response Center: CVEs in Microsoft products, with fixes and exploitation status',
    origin: 'CVRF documents of `api.msrc.microsoft.com`, one per month',
    // Microsoft revises a month's document several times a day in the weeks after the second Tuesday.
    intervalSeconds: 6 * HOUR,
    intervalNote: 'revised months only',
    staleAfterSeconds: 7 * DAY,
    maxDataAgeDays: 45,
    ownRecord: 'vendor',
    advisories: {
      name: 'KB',
      pattern: /^KB\d{6,8}$/,
      example: 'KB5041580',
      issuer: 'Microsoft',
      page: 'https://support.microsoft.com/help/{digits}',
    },
  },
  debian: {
    title: 'Debian tracker',
    work: 'Debian security tracker',
    homepage: 'https://security-tracker.debian.org/',
    gives: 'affected source packages of a release, and the fact that a CVE exists',
    terms: { name: 'No licence stated', url: 'https://security-team.debian.org/security_tracker.html' },
    notice: 'Source: Debian security team. Only facts are stored, and no text of the tracker.',
    excerpt: 'We store status, fixed version and urgency, and redistribute nothing',
    content: "Debian's security tracker: status and fixed version by CVE, package and release; for matching packages",
    origin: '`security-tracker.debian.org/tracker/data/json`',
    intervalSeconds: 6 * HOUR,
    staleAfterSeconds: 3 * DAY,
    // The tracker changes several times a day. It states no time, so its data is as old as its delivery.
    maxDataAgeDays: 7,
    packages: ['deb/debian'],
    // The tracker drops a release when its long-term support ends.
    releases: ['bullseye', 'bookworm', 'trixie', 'forky', 'sid'],
    ecosystem: 'Debian',
    namesSourcePackages: true,
  },
  ...SECDB_SOURCES,
  endoflife: {
    title: 'endoflife.date',
    providers: { endoflife: { label: 'endoflife.date' } },
    work: 'endoflife.date',
    homepage: 'https://endoflife.date/',
    gives: 'end_of_life in /api/v1/match and /api/v1/sbom',
    terms: { name: 'MIT', url: 'https://github.com/endoflife-date/endoflife.date/blob/master/LICENSE' },
    notice: 'Copyright 2020 endoflife.date contributors.',
    content: 'endoflife.date: until when the makers of products support their releases',
    origin: '`endoflife.date/api/v1/products/full`',
    // Most days change a few products, and an end of life is announced months before.
    intervalSeconds: DAY,
    staleAfterSeconds: 14 * DAY,
    maxDataAgeDays: 30,
  },
  ...CSAF_SOURCES,
  'nvd-history': {
    title: "Changes of NVD's records",
    work: 'National Vulnerability Database (NIST), CVE change history',
    homepage: 'https://nvd.nist.gov/developers/vulnerabilities',
    gives: '/api/v1/cve/{cve-id}/as-of/{date} and /history for days before the installation',
    terms: { name: 'Public domain', url: 'https://nvd.nist.gov/developers/start-here' },
    notice: 'This product uses data from the NVD API but is not endorsed or certified by the NVD.',
    excerpt:
      'We store changes of descriptions, CVSS vectors, weaknesses, references and CPE configurations, and the times and names of the others',
    content: "the changes of NVD's records since 2015",
    origin: 'the API `cvehistory` of `services.nvd.nist.gov`',
    intervalSeconds: HOUR,
    intervalNote: 'at most 40 pages until the history is complete; then new changes every 6 h',
    staleAfterSeconds: 3 * DAY,
    // Changes are read from newest to oldest, so their age says nothing about staleness.
    maxDataAgeDays: null,
  },
} as const satisfies Readonly<Record<string, SourceDescriptor>>

export type SourceId = keyof typeof TABLE

/** Ids of the sources whose descriptor has these members. */
export type SourceIdWith<Members> = { [Id in SourceId]: (typeof TABLE)[Id] extends Members ? Id : never }[SourceId]

export const DATA_SOURCES: Readonly<Record<SourceId, SourceDescriptor>> = TABLE

export const SOURCE_IDS = Object.keys(TABLE) as readonly SourceId[]

export function isSourceId(id: string): id is SourceId {
  return Object.hasOwn(TABLE, id)
}
