// Affected products in CPE, as NVD writes them. Anchore and the CVE List (`cpeApplicability`) use the same form.
import { formatCpe, parseCpe } from '../../domain/cpe.ts'
import type { Configuration, ConfigurationNode, CpeMatch } from '../model/claim.ts'
import { isTrueIn, type JsonObject, objectsIn, textIn } from './json.ts'

const CPE_23 = /^cpe:2\.3:[aho*-]:/i
/** Anchore's way to say that no product is meant. */
const NO_PRODUCT = /^cpe:2\.3:[aho]:null:null:/i

export function readConfigurations(of: JsonObject, name: string): readonly Configuration[] {
  return objectsIn(of, name)
    .map((each) => ({
      operator: readOperator(each),
      negate: isTrueIn(each, 'negate'),
      nodes: readNodes(each, name === OF_CNA ? readName : asIs),
    }))
    .filter(({ nodes }) => nodes.length > 0)
}

type ReadName = (criteria: string) => string | undefined

/** NVD's and Anchore's names are those of the dictionary; CNAs write them in capitals, and with spaces. */
const OF_CNA = 'cpeApplicability'

const asIs: ReadName = (criteria) => criteria

function readName(criteria: string): string | undefined {
  const trimmed = criteria.split(':').map((each) => each.trim())
  const name = parseCpe(trimmed.join(':').replaceAll(/\s+/g, '_'))
  return name && formatCpe(name)
}

function readNodes(configuration: JsonObject, read: ReadName): readonly ConfigurationNode[] {
  return objectsIn(configuration, 'nodes')
    .map((each) => ({
      operator: readOperator(each),
      negate: isTrueIn(each, 'negate'),
      matches: objectsIn(each, 'cpeMatch').flatMap((match) => readMatch(match, read) ?? []),
    }))
    .filter(({ matches }) => matches.length > 0)
}

/** Only an AND says so; one part alone is an OR of one. */
function readOperator(of: JsonObject): 'AND' | 'OR' {
  return textIn(of, 'operator')?.toUpperCase() === 'AND' ? 'AND' : 'OR'
}

const LIMITS = [
  'matchCriteriaId',
  'versionStartIncluding',
  'versionStartExcluding',
  'versionEndIncluding',
  'versionEndExcluding',
] as const

function readMatch(match: JsonObject, readAs: ReadName): CpeMatch | undefined {
  const said = textIn(match, 'criteria')
  const criteria = said === null || !CPE_23.test(said) || NO_PRODUCT.test(said) ? undefined : readAs(said)
  if (criteria === undefined) return undefined
  const read: { -readonly [K in keyof CpeMatch]: CpeMatch[K] } = { vulnerable: match['vulnerable'] !== false, criteria }
  for (const limit of LIMITS) {
    const text = textIn(match, limit)
    if (text !== null) read[limit] = text
  }
  return read
}

/** In the order in which they stand there. */
export function matchesIn(configurations: readonly Configuration[]): readonly CpeMatch[] {
  return configurations.flatMap(({ nodes }) => nodes.flatMap(({ matches }) => matches))
}

/** The first end of a range that is not vulnerable itself: whoever names it knows of a fixed version. */
export function fixInConfigurations(configurations: readonly Configuration[]): string | null {
  const fixed = matchesIn(configurations).find((each) => each.vulnerable && each.versionEndExcluding !== undefined)
  return fixed === undefined ? null : `versionEndExcluding ${fixed.versionEndExcluding}`
}
