// Filters that several visctl commands share. The code does not compile if an allowed value of a filter, such as a
// severity, is missing here.
import type { Level, RecentFilters, SearchFilters, Severity, Source } from 'vis-sdk'
import { booleanOptions, listMembers, listOption, type OptionFactory, valueOption } from '../options.ts'

/** Heading above the filters in the help of a command. */
export const FILTER_GROUP = 'Filters:'

export const SOURCES = listMembers<Source>({ nvd: true, cve: true, ghsa: true, redhat: true, msrc: true })

export const SEVERITIES = listMembers<Severity>({ critical: true, high: true, medium: true, low: true })

const SEVERITY_FILTER = listOption('levels', 'CVEs with any of these severities, separated by commas', SEVERITIES)

/** Levels of the priority policy, most urgent first. */
export const LEVELS = listMembers<Level>({ P0: true, P1: true, P2: true, P3: true, P4: true })

const PRIORITY_FILTER = listOption(
  'levels',
  'CVEs with any of these priority levels, separated by commas: P0 is the most urgent',
  LEVELS,
)

type Status = NonNullable<RecentFilters['status']>[number]

const STATUS_FILTER = listOption(
  'statuses',
  'CVEs with any of these statuses, separated by commas',
  listMembers<Status>({
    Received: true,
    'Awaiting Analysis': true,
    'Undergoing Analysis': true,
    Analyzed: true,
    Modified: true,
    Deferred: true,
    Rejected: true,
  }),
)

const ACSC_FILTER = booleanOptions(
  'CVEs with notices of the Australian Cyber Security Centre (ACSC)',
  'CVEs without ACSC notices',
)

type KevCatalog = NonNullable<SearchFilters['kev_in']>[number]
type ScoreVersion = NonNullable<SearchFilters['score_version']>[number]
type ExploitMaturity = NonNullable<SearchFilters['exploit_maturity']>[number]
type Exploitation = NonNullable<SearchFilters['ssvc_exploitation']>[number]
type Disagreement = NonNullable<SearchFilters['disagree']>[number]

/** Filters that `visctl search` and `visctl recent` share, in the order of the help. */
export const SHARED_FILTERS = {
  severity: SEVERITY_FILTER,
  kev_in: listOption(
    'catalogs',
    "CVEs in any of these catalogs, separated by commas: CISA's KEV (cisa), ENISA's EU KEV (eu)",
    listMembers<KevCatalog>({ cisa: true, eu: true }),
  ),
  has_acsc: ACSC_FILTER,
  status: STATUS_FILTER,
  priority: PRIORITY_FILTER,
  cwe: listOption('ids', 'CVEs with any of these weaknesses, such as CWE-79, separated by commas'),
  technique: listOption('ids', 'CVEs with any of these ATT&CK techniques or their sub-techniques, such as T1059'),
  product_vendor: listOption('names', 'CVEs in products of any of these vendors, such as fortinet'),
  product: listOption('names', 'CVEs in any of these products, such as fortios'),
  assigner: listOption('names', 'CVEs whose id any of these organisations (CNAs) assigned'),
  has_fix: booleanOptions('CVEs with a named fixed version', 'CVEs without a named fixed version'),
  has_cvss: booleanOptions('CVEs with a CVSS base score', 'CVEs without a CVSS base score'),
  has_epss: booleanOptions('CVEs with an EPSS score', 'CVEs without an EPSS score'),
  score_version: listOption(
    'versions',
    'CVEs whose base score has any of these CVSS versions, separated by commas',
    listMembers<ScoreVersion>({ 2: true, 3: true, 4: true }),
  ),
  epss_percentile_min: valueOption('share', 'CVEs with at least this EPSS percentile, 0.0 to 1.0'),
  ransomware: booleanOptions(
    'CVEs that CISA knows to be used in ransomware campaigns',
    'CVEs that CISA does not know to be used in ransomware campaigns',
  ),
  kev_added_after: valueOption('date', "CVEs added to CISA's KEV on or after this day"),
  kev_added_before: valueOption('date', "CVEs added to CISA's KEV on or before this day"),
  exploit_maturity: listOption(
    'levels',
    'CVEs whose exploits have any of these levels of maturity, separated by commas',
    listMembers<ExploitMaturity>({
      none: true,
      poc: true,
      functional: true,
      weaponized: true,
      active: true,
      ransomware: true,
    }),
  ),
  evidence_min: valueOption('n', 'CVEs with at least this number of pieces of exploit evidence'),
  ssvc_exploitation: listOption(
    'values',
    'CVEs with any of these states of exploitation in SSVC, separated by commas',
    listMembers<Exploitation>({ none: true, poc: true, active: true }),
  ),
  ssvc_automatable: listOption('values', 'CVEs whose exploitation can or cannot be automated, in SSVC', ['no', 'yes']),
  ssvc_impact: listOption('values', 'CVEs with any of these technical impacts in SSVC', ['partial', 'total']),
  score_disagreement: booleanOptions(
    'CVEs about whose severity sources disagree',
    'CVEs about whose severity sources do not disagree',
  ),
  disagree: listOption(
    'subjects',
    'CVEs about which sources disagree in any of these subjects, separated by commas',
    listMembers<Disagreement>({ score: true, affected: true, rejected: true, kev_ssvc: true }),
  ),
  cpe: valueOption('name', 'CVEs that affect the product and version of this CPE name'),
  purl: valueOption('url', 'CVEs that affect the package and version of this package URL'),
} satisfies Partial<Record<keyof RecentFilters & keyof SearchFilters, OptionFactory>>

/** Filters that the service accepts only together with include=enrichment. */
const ENRICHMENT_FILTERS = ['vendor', 'attack_vector', 'patched'] as const

/** Adds include=enrichment if a filter requires it. */
export function addEnrichment(filters: SearchFilters): SearchFilters {
  const { include = [] } = filters
  const needsEnrichment = ENRICHMENT_FILTERS.some((name) => filters[name] !== undefined)
  return needsEnrichment && !include.includes('enrichment')
    ? { ...filters, include: [...include, 'enrichment'] }
    : filters
}
