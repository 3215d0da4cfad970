// Limits for texts and lists in upstream records (decision E42). Each is at least four times the largest value in the
// 2026 data; upstream-limits.long.ts compares them with real files.

/**
 * A shortened description is still a description. A shortened id or version would be a different one, so the record is
 * rejected. A link is dropped with its list entry.
 */
type Excess = 'cut' | 'reject' | 'drop'

export interface TextLimit {
  readonly max: number
  readonly excess: Excess
}

/** Lengths are in UTF-16 code units, which the comments call characters. */
export const TEXT_LIMITS = {
  /** Longest in 2026: 273 characters, a CPE name. */
  id: { max: 2000, excess: 'reject' },
  /** Longest in 2026: 147 characters, the other ids of an Exploit-DB entry. */
  alias: { max: 2000, excess: 'drop' },
  /** Longest in 2026: 1,186 characters, a Fortinet version field that lists many versions. */
  version: { max: 5000, excess: 'reject' },
  /** Longest in 2026: 1,585 characters, the URL of a query in Mozilla's bug tracker. */
  link: { max: 8000, excess: 'drop' },
  /** Longest in 2026: 1,873 characters, a product name that lists many models. */
  name: { max: 8000, excess: 'cut' },
  /** Longest in 2026: 8,093 characters, a configuration in HTML; descriptions from NVD or a CNA: 4,096 characters. */
  text: { max: 40_000, excess: 'cut' },
  /** Longest in 2026: 37,189 characters, a GitHub advisory that contains a report in Markdown. */
  article: { max: 160_000, excess: 'cut' },
} as const satisfies Record<string, TextLimit>

type TextKind = keyof typeof TEXT_LIMITS

/** No CVE had more than 434 references. */
const MAX_REFERENCES = 2000
/** The longest list seen is 4,891 CPE names in one node of a configuration. */
const MAX_LIST_LENGTH = 20_000
/** Red Hat's documents, up to 32 MiB, list every build of a package for every product. */
const MAX_DOCUMENT_LIST_LENGTH = 200_000

/** The largest object has 54 members, the parts of a CVSS 4.0 vector. */
export const MAX_MEMBERS = 1000
/** The longest name is 39 characters. */
export const MAX_MEMBER_NAME_LENGTH = 200

/** Values as `include=sources` reports them. */
export type TruncatedValue =
  | 'acsc'
  | 'cpe'
  | 'description'
  | 'exploits'
  | 'kev'
  | 'other'
  | 'products'
  | 'references'
  | 'weaknesses'

const splitWords = (text: string) => text.trim().split(/\s+/)

/** The members that are not of type `text`. A text in a list has the type of the list. */
const KINDS: Readonly<Record<TextKind, readonly string[]>> = {
  id: splitWords(`
    id ID cve CVE cveId cveID cve_id ghsa_id euvdID capability_id fullname attack_object_id external_id
    criteria cpe cpes purl packageURL package release product_id product_reference
    relates_to_product_reference ProductID package.name
  `),
  alias: ['aliases', 'related', 'advisories', 'cve_ids', 'cveIds'],
  version: splitWords(`
    version versions lessThan lessThanOrEqual at introduced fixed last_affected versionStartIncluding
    versionStartExcluding versionEndIncluding versionEndExcluding version_value
    last_known_affected_version_range vulnerable_version_range first_patched_version FixedBuild
    fixed_version fixedVersion
  `),
  link: ['url', 'URL', 'html_url', 'link', 'references', 'file_path'],
  name: splitWords(`
    name Name title Title summary product vendor vendorProject vulnerabilityName packageName shortName
    source originSource status severity Severity type lang vectorString Vector vector score tags
    phase_name capability_group affectedProducts
  `),
  text: [],
  article: ['details'],
}

const KIND_BY_MEMBER = new Map<string, TextKind>(
  (Object.entries(KINDS) as [TextKind, readonly string[]][]).flatMap(([kind, members]) =>
    members.map((member) => [member, kind] as const),
  ),
)

/** Maps each member to the value of a CVE record to which it contributes. */
const VALUE_BY_MEMBER = new Map<string, TruncatedValue>(
  (
    [
      ['other', ['metrics', 'impacts', 'x_legacyV4Record']],
      ['description', ['descriptions', 'description', 'details', 'summary', 'title', 'notes', 'Notes', 'Title']],
      ['weaknesses', ['weaknesses', 'problemTypes', 'cwe', 'CWE', 'cwes', 'cwe_ids']],
      ['cpe', ['configurations']],
      ['products', ['affected', 'products', 'product_tree', 'product_status', 'ProductStatuses', 'Remediations']],
      ['references', ['references']],
    ] as const
  ).flatMap(([value, members]) => members.map((member) => [member, value] as const)),
)

/** How a source differs from the common limits. */
interface SourceRules {
  readonly kinds?: Readonly<Record<string, TextKind>>
  readonly maxListLength?: number
  /** The value to which all members contribute. */
  readonly value?: TruncatedValue
  readonly values?: Readonly<Record<string, TruncatedValue>>
}

const ADVISORIES: SourceRules = { kinds: { description: 'article' } }
const REPOSITORY: SourceRules = {
  kinds: {
    ...ADVISORIES.kinds,
    path: 'id',
    gem: 'id',
    ghsa: 'id',
    reference: 'id',
    patched_versions: 'version',
    unaffected_versions: 'version',
  },
}
const EXPLOITS: SourceRules = { value: 'exploits', kinds: { description: 'name', path: 'link' } }

/** Rules by feed, and by source of a stored record. */
const RULES: Readonly<Record<string, SourceRules>> = {
  // A CNA's configurations are free text; NVD's are CPE names.
  cve: { values: { configurations: 'other' } },
  'nvd-history': { value: 'other', kinds: { oldValue: 'article', newValue: 'article' } },
  kev: { value: 'kev' },
  'kev-history': { value: 'kev' },
  acsc: { value: 'acsc' },
  exploitdb: EXPLOITS,
  metasploit: EXPLOITS,
  nuclei: EXPLOITS,
  poc: EXPLOITS,
  ghsa: ADVISORIES,
  osv: ADVISORIES,
  rubysec: REPOSITORY,
  friendsofphp: REPOSITORY,
  malicious: { kinds: { ...ADVISORIES.kinds, path: 'id' } },
  msrc: ADVISORIES,
  redhat: { ...ADVISORIES, maxListLength: MAX_DOCUMENT_LIST_LENGTH },
  csaf: { ...ADVISORIES, maxListLength: MAX_DOCUMENT_LIST_LENGTH },
}

export interface UpstreamLimits {
  /** `path`: the member names that lead to the text; list entries have no name. */
  findTextLimit(path: readonly string[]): TextLimit
  findMaxLength(path: readonly string[]): number
  findValue(path: readonly string[]): TruncatedValue
}

/** The feeds of a family have the same format. */
const FAMILY = /^(osv|csaf)-.*/

/** `source`: a feed such as `osv-go`, or a source of stored records such as `osv`. */
export function findUpstreamLimits(source: string): UpstreamLimits {
  const { kinds, maxListLength = MAX_LIST_LENGTH, value, values } = RULES[source.replace(FAMILY, '$1')] ?? {}
  return {
    findTextLimit: (path) => {
      const [member = '', parent = ''] = [path.at(-1), path.at(-2)]
      return TEXT_LIMITS[
        kinds?.[member] ?? KIND_BY_MEMBER.get(`${parent}.${member}`) ?? KIND_BY_MEMBER.get(member) ?? 'text'
      ]
    },
    findMaxLength: (path) => (path.at(-1) === 'references' ? MAX_REFERENCES : maxListLength),
    findValue: (path) => {
      if (value !== undefined) return value
      const member = path.find((each) => VALUE_BY_MEMBER.has(each)) ?? ''
      return values?.[member] ?? VALUE_BY_MEMBER.get(member) ?? 'other'
    },
  }
}

/** A record below both limits is within every limit. */
export const SHORTEST_TEXT_LIMIT = Math.min(...Object.values(TEXT_LIMITS).map(({ max }) => max))
export const SHORTEST_LIST_LIMIT = Math.min(MAX_REFERENCES, MAX_LIST_LENGTH)
