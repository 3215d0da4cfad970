// Computes CVSS 2.0 and 3.x base scores from the formulas of the specifications, to check the scores that the service
// computed. CVSS 4.0 scores come from a table, so they are compared with the score that the source states.

interface VectorParts {
  /** `2.0`, `3.0`, `3.1` or `4.0`. */
  readonly version: string
  readonly metrics: ReadonlyMap<string, string>
}

/** Returns undefined for a text that is not a vector. */
function splitVector(text: string): VectorParts | undefined {
  const plain = text.trim().toUpperCase().replaceAll(/[()]/g, '')
  const [, version = '2.0', metrics = ''] = /^(?:CVSS:(\d\.\d)\/)?(.*)$/.exec(plain) ?? []
  const pairs = metrics
    .split('/')
    .filter((each) => each !== '')
    .map((each) => each.split(':'))
  if (pairs.length === 0 || pairs.some((each) => each.length !== 2)) return undefined
  return { version, metrics: new Map(pairs.map(([name = '', value = '']) => [name, value])) }
}

/** Two vectors with equal keys say the same. Metrics that are not defined say nothing. */
export function toVectorKey(text: string): string {
  const parts = splitVector(text)
  if (parts === undefined) return text
  const stated = [...parts.metrics].filter(([, value]) => value !== 'X' && value !== 'ND')
  return [parts.version, ...stated.map(([name, value]) => `${name}:${value}`).sort()].join('/')
}

/** Returns undefined for CVSS 4.0 and for an incomplete vector. */
export function computeBaseScore(text: string): number | undefined {
  const parts = splitVector(text)
  if (parts === undefined) return undefined
  const score = parts.version === '2.0' ? computeV2(parts) : parts.version.startsWith('3.') ? computeV3(parts) : NaN
  return Number.isNaN(score) ? undefined : score
}

const weigh = ({ metrics }: VectorParts, name: string, weights: Readonly<Record<string, number>>): number =>
  weights[metrics.get(name) ?? ''] ?? Number.NaN

const V2_IMPACT = { N: 0, P: 0.275, C: 0.66 }

function computeV2(parts: VectorParts): number {
  const [c, i, a] = ['C', 'I', 'A'].map((name) => weigh(parts, name, V2_IMPACT))
  const impact = 10.41 * (1 - (1 - (c ?? NaN)) * (1 - (i ?? NaN)) * (1 - (a ?? NaN)))
  const exploitability =
    20 *
    weigh(parts, 'AV', { L: 0.395, A: 0.646, N: 1 }) *
    weigh(parts, 'AC', { H: 0.35, M: 0.61, L: 0.71 }) *
    weigh(parts, 'AU', { M: 0.45, S: 0.56, N: 0.704 })
  const score = (0.6 * impact + 0.4 * exploitability - 1.5) * (impact === 0 ? 0 : 1.176)
  return Math.max(0, Math.round(score * 10) / 10)
}

const V3_IMPACT = { N: 0, L: 0.22, H: 0.56 }

function computeV3(parts: VectorParts): number {
  const isChanged = parts.metrics.get('S') === 'C'
  const [c, i, a] = ['C', 'I', 'A'].map((name) => weigh(parts, name, V3_IMPACT))
  const base = 1 - (1 - (c ?? NaN)) * (1 - (i ?? NaN)) * (1 - (a ?? NaN))
  const impact = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base
  const exploitability =
    8.22 *
    weigh(parts, 'AV', { N: 0.85, A: 0.62, L: 0.55, P: 0.2 }) *
    weigh(parts, 'AC', { L: 0.77, H: 0.44 }) *
    weigh(parts, 'PR', isChanged ? { N: 0.85, L: 0.68, H: 0.5 } : { N: 0.85, L: 0.62, H: 0.27 }) *
    weigh(parts, 'UI', { N: 0.85, R: 0.62 })
  if (Number.isNaN(impact + exploitability)) return Number.NaN
  return impact <= 0 ? 0 : roundUp(Math.min((isChanged ? 1.08 : 1) * (impact + exploitability), 10))
}

/** The specification of CVSS 3.1 rounds this way, so that the result does not depend on floating-point errors. */
function roundUp(value: number): number {
  const whole = Math.round(value * 100_000)
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10
}
