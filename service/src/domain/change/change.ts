// A change as the change log (catalog.change) describes it.

/**
 * What changed: a CVE, its KEV entry, its EPSS score, an advisory without a CVE, the rules, which affect all CVEs, or the
 * whole catalog.
 */
type ChangeKind = 'added' | 'changed' | 'removed' | 'kev' | 'epss' | 'advisory' | 'rules' | 'loaded'

/** Causes of a change, as explained to callers. */
export const CHANGE_CAUSES = {
  data: 'Upstream data changed.',
  rules:
    'Upstream data about this CVE did not change: the service merges it in another way, after an update of its rules or of the data that its rules use.',
  reload: 'An operator of the service published the CVE again.',
  source:
    'A source was read completely for the first time or in a new way, or one run of it changed more than 2 % of the CVEs. What it says about this CVE can be old.',
  epss_model:
    'The EPSS score changed in the first week of a new EPSS model, which scores nearly every CVE anew; the threat did not change.',
} as const

export type ChangeCause = keyof typeof CHANGE_CAUSES

/** The causes in order of precedence. A change that news from upstream took part in has the cause `data`. */
const BY_STRENGTH = ['data', 'source', 'epss_model', 'rules', 'reload'] as const satisfies readonly ChangeCause[]

/** The cause of a change that several causes have produced together. */
export function strongestCause(causes: readonly [ChangeCause, ...ChangeCause[]]): ChangeCause {
  return BY_STRENGTH.find((cause) => causes.includes(cause)) ?? causes[0]
}

/** Members whose old and new values the change log keeps. */
export const DIFF_MEMBERS = {
  severity: 'Base score (number, or null without a score).',
  status: "Status of NVD's analysis.",
  'priority.level':
    'Level of the priority policy, P0 to P4 or unrated; null for a rejected CVE, and as the old level of a new one.',
  'exploits.maturity': 'Maturity of the exploits.',
  'enrichment.exploit_flag': 'Whether there is public evidence of an exploit.',
  'enrichment.patch_available': 'Whether a source names a fix.',
  'enrichment.cwe_list': 'CWE ids.',
  'acsc.count': 'Number of ACSC notices that name the CVE.',
  'kev.dateAdded': 'Day on which the CVE was added to KEV; null: not listed.',
  'kev.dueDate': 'Due date of the KEV entry.',
  'kev.knownRansomware': 'Whether KEV knows of ransomware campaigns.',
  'eu_kev.listed': 'Whether the CVE is in the EU KEV catalog.',
  'epss.score': 'EPSS score before and after a jump.',
  'epss.date': 'Day of the EPSS release.',
  'epss.model_version': 'Version of the EPSS model.',
  'advisory.id':
    'Id of an advisory without a CVE; as old value null if it is new, as new value null if it was withdrawn.',
  'rules.resolver_version': 'Version of the rules that merge the sources.',
  'rules.policy_version': 'Version of the priority policy.',
  'loaded.cves': 'Number of CVEs after the first load.',
  'loaded.kev': 'Number of KEV entries after the first load.',
  'loaded.eu_kev': 'Number of CVEs in the EU KEV catalog after the first load.',
  'loaded.epss': 'Number of CVEs with an EPSS score after the first load.',
} as const

/** Members of `fields` that are no members of a record, as explained to callers. */
export const OTHER_FIELDS = {
  detail: 'the answer of /detail',
  affected: 'the affected versions that /match and /sbom compare with',
  search: 'only values that no answer has and that filters of /cves read, such as the assigner and other names',
} as const

export type DiffMember = keyof typeof DIFF_MEMBERS

export interface OldAndNew {
  readonly old: unknown
  readonly new: unknown
}

export type Diff = Readonly<Partial<Record<DiffMember, OldAndNew>>>

/** A change without its cause and the id of its CVE. */
export interface ChangeContent {
  readonly kind: ChangeKind
  /**
   * The changed columns of catalog.cve_document, and `kev`, `epss`, `priority`, `detail`, `affected` and `search`. Empty
   * for an added CVE.
   */
  readonly fields: readonly string[]
  readonly diff: Diff
  /** Day of publication of an added CVE or advisory. */
  readonly publishedDay?: string | null
}
