// Computes CVSS v3 base scores from vectors, because the service serves the computed score (decision C5).

const WEIGHTS = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  PR_CHANGED: { N: 0.85, L: 0.68, H: 0.5 },
  CIA: { H: 0.56, L: 0.22, N: 0 },
}

const roundUp31 = (value) => {
  const scaled = Math.round(value * 100_000)
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10
}
const roundUp30 = (value) => Math.ceil(value * 10) / 10

export function parseMetrics(vector) {
  const pairs = vector.split('/').slice(1)
  return Object.fromEntries(pairs.map((pair) => pair.split(':')))
}

function computeUnrounded(metrics) {
  const isChanged = metrics.S === 'C'
  const left = ['C', 'I', 'A'].reduce((product, name) => product * (1 - WEIGHTS.CIA[metrics[name]]), 1)
  const base = 1 - left
  const impact = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base
  if (impact <= 0) return 0
  const privileges = (isChanged ? WEIGHTS.PR_CHANGED : WEIGHTS.PR)[metrics.PR]
  const exploitability = 8.22 * WEIGHTS.AV[metrics.AV] * WEIGHTS.AC[metrics.AC] * privileges * WEIGHTS.UI[metrics.UI]
  return Math.min((isChanged ? 1.08 : 1) * (impact + exploitability), 10)
}

/** Returns the permitted scores of a v3 vector. v3.0 has two, because its rounding depends on binary fractions. */
export function computeScores(vector) {
  const value = computeUnrounded(parseMetrics(vector))
  return vector.startsWith('CVSS:3.1') ? [roundUp31(value)] : [roundUp31(value), roundUp30(value)]
}
