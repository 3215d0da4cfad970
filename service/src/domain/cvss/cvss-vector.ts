// Parsing is strict, because a wrong score is worse than no score.
import { BASE_METRICS, type BaseMetrics, type CvssVersion, OTHER_METRICS } from './cvss-metrics.ts'

export type CvssVector = { readonly [V in CvssVersion]: VectorInVersion<V> }[CvssVersion]

interface VectorInVersion<V extends CvssVersion> {
  readonly version: V
  /** Metrics in the order of the CVSS standard; a CVSS 2.0 vector has no parentheses. */
  readonly vector: string
  readonly baseVector: string
  readonly metrics: BaseMetrics<V>
}

export type CvssV2Vector = VectorInVersion<'2.0'>
export type CvssV3Vector = VectorInVersion<'3.0'> | VectorInVersion<'3.1'>
export type CvssV4Vector = VectorInVersion<'4.0'>

/** A CVSS 4.0 vector with all metrics is about 200 characters long. */
const MAX_LENGTH = 256

/** Returns undefined if a base metric is missing, a metric is repeated, or a metric or value is unknown. */
export function parseCvssVector(text: string): CvssVector | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const { version, prefix, body } = splitPrefix(text)
  const grammar = GRAMMARS[version]
  const given = readMetrics(body, grammar)
  if (given === undefined || !grammar.base.every((name) => given.has(name))) return undefined
  const baseVector = prefix + join(grammar.base, given)
  const others = join(grammar.others, given)
  // The cast is safe: CvssVector and the grammar come from the same tables, and the vector conforms to the grammar.
  return {
    version,
    vector: others === '' ? baseVector : `${baseVector}/${others}`,
    baseVector,
    metrics: Object.fromEntries(grammar.base.map((name) => [name, given.get(name)])),
  } as CvssVector
}

interface Grammar {
  readonly base: readonly string[]
  readonly others: readonly string[]
  readonly values: ReadonlyMap<string, ReadonlySet<string>>
}

const GRAMMARS: Record<CvssVersion, Grammar> = {
  '2.0': buildGrammar('2.0'),
  '3.0': buildGrammar('3.0'),
  '3.1': buildGrammar('3.1'),
  '4.0': buildGrammar('4.0'),
}

function buildGrammar(version: CvssVersion): Grammar {
  const base = Object.entries(BASE_METRICS[version]).map(([name, words]) => [name, Object.keys(words)] as const)
  const others = Object.entries(OTHER_METRICS[version]).map(([name, values]) => [name, values.split(' ')] as const)
  return {
    base: base.map(([name]) => name),
    others: others.map(([name]) => name),
    values: new Map([...base, ...others].map(([name, values]) => [name, new Set(values)])),
  }
}

function splitPrefix(text: string): { version: CvssVersion; prefix: string; body: string } {
  const prefix = text.slice(0, 'CVSS:x.x/'.length)
  const body = text.slice(prefix.length)
  switch (prefix) {
    case 'CVSS:3.0/':
      return { version: '3.0', prefix, body }
    case 'CVSS:3.1/':
      return { version: '3.1', prefix, body }
    case 'CVSS:4.0/':
      return { version: '4.0', prefix, body }
    default:
      return { version: '2.0', prefix: '', body: /^\((.*)\)$/.exec(text)?.[1] ?? text }
  }
}

/** Accepts metrics in any order, which CVSS 3.x allows and some CNAs use. */
function readMetrics(body: string, grammar: Grammar): Map<string, string> | undefined {
  const given = new Map<string, string>()
  for (const part of body.split('/')) {
    const [name = '', value = '', ...rest] = part.split(':')
    const isValid = grammar.values.get(name)?.has(value) ?? false
    if (!isValid || rest.length > 0 || given.has(name)) return undefined
    given.set(name, value)
  }
  return given
}

function join(names: readonly string[], given: ReadonlyMap<string, string>): string {
  return names
    .filter((name) => given.has(name))
    .map((name) => `${name}:${given.get(name)}`)
    .join('/')
}
