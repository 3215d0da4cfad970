// Reads CPE configurations in NVD's format, which Anchore and the CVE List (`cpeApplicability`) also use.
import { formatCpe, parseCpe } from '../../../domain/cpe/cpe.ts'
import { isInvertedRange } from '../../../domain/version/version-order.ts'
import type { Configuration, ConfigurationNode, CpeMatch } from '../../model/claim.ts'
import { isTrueIn, type JsonObject, objectsIn, textIn } from '../json.ts'

const CPE_23 = /^cpe:2\.3:[aho*-]:/i
/** How Anchore says that no product is affected. */
const NO_PRODUCT = /^cpe:2\.3:[aho]:null:null:/i

export function readConfigurations(object: JsonObject, name: string): readonly Configuration[] {
  return objectsIn(object, name)
    .map((each) => ({
      operator: readOperator(each),
      negate: isTrueIn(each, 'negate'),
      nodes: readNodes(each, name === CNA_MEMBER ? CNA_STYLE : NVD_STYLE),
    }))
    .filter(({ nodes }) => nodes.length > 0)
}

/** How CPE names and version limits are written. */
interface Style {
  readonly readName: (criteria: string) => string | undefined
  readonly isVersion: (text: string) => boolean
}

/** CNAs write CPE names with capitals and spaces; NVD and Anchore use the names in the CPE dictionary. */
const CNA_MEMBER = 'cpeApplicability'

const NVD_STYLE: Style = { readName: (criteria) => criteria, isVersion: () => true }
/**
 * A text without a digit is not a version. Microsoft ends the range of an online service with the word `publication`,
 * and that of Office with a web address.
 */
const CNA_STYLE: Style = { readName, isVersion: (text) => /\d/.test(text) }

function readName(criteria: string): string | undefined {
  const trimmed = criteria.split(':').map((each) => each.trim())
  const name = parseCpe(trimmed.join(':').replaceAll(/\s+/g, '_'))
  return name && formatCpe(name)
}

function readNodes(configuration: JsonObject, style: Style): readonly ConfigurationNode[] {
  return objectsIn(configuration, 'nodes')
    .map((each) => ({
      operator: readOperator(each),
      negate: isTrueIn(each, 'negate'),
      matches: objectsIn(each, 'cpeMatch').flatMap((match) => readMatch(match, style) ?? []),
    }))
    .filter(({ matches }) => matches.length > 0)
}

/** A missing operator counts as OR. */
function readOperator(object: JsonObject): 'AND' | 'OR' {
  return textIn(object, 'operator')?.toUpperCase() === 'AND' ? 'AND' : 'OR'
}

const LIMITS = ['versionStartIncluding', 'versionStartExcluding', 'versionEndIncluding', 'versionEndExcluding'] as const

function readMatch(match: JsonObject, { readName: readAs, isVersion }: Style): CpeMatch | undefined {
  const text = textIn(match, 'criteria')
  const criteria = text === null || !CPE_23.test(text) || NO_PRODUCT.test(text) ? undefined : readAs(text)
  if (criteria === undefined) return undefined
  const read: { -readonly [K in keyof CpeMatch]: CpeMatch[K] } = { vulnerable: match['vulnerable'] !== false, criteria }
  const id = textIn(match, 'matchCriteriaId')
  if (id !== null) read.matchCriteriaId = id
  for (const limit of LIMITS) {
    const value = textIn(match, limit)
    if (value === null) continue
    if (isVersion(value)) read[limit] = value
    else read.unknownVersions = true
  }
  return isInvertedRange(read) ? { ...read, inverted: true } : read
}

export function listMatches(configurations: readonly Configuration[]): readonly CpeMatch[] {
  const [configuration] = configurations
  const [node] = configuration?.nodes ?? []
  // Most CVEs have one configuration with one node, whose list does not have to be copied.
  if (node !== undefined && configurations.length === 1 && configuration?.nodes.length === 1) return node.matches
  return configurations.flatMap(({ nodes }) => nodes.flatMap(({ matches }) => matches))
}
