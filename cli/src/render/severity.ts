// Formats scores: severity band, color, number and bar.
import type { Style } from './terminal.ts'

const BANDS: readonly { readonly from: number; readonly name: string; readonly style: Style }[] = [
  { from: 9, name: 'CRITICAL', style: ['bold', 'whiteBright', 'bgRed'] },
  { from: 7, name: 'HIGH', style: ['bold', 'red'] },
  { from: 4, name: 'MEDIUM', style: 'yellow' },
  { from: 0.1, name: 'LOW', style: 'green' },
  { from: 0, name: 'NONE', style: 'gray' },
]

/** CVSS 2.0 has no critical severity, and even its lowest scores are low. */
const BANDS_OF_VERSION_2: typeof BANDS = [
  { from: 7, name: 'HIGH', style: ['bold', 'red'] },
  { from: 4, name: 'MEDIUM', style: 'yellow' },
  { from: 0, name: 'LOW', style: 'green' },
]

const UNSCORED = { name: 'UNSCORED', style: 'gray' } satisfies { name: string; style: Style }

/** Returns the severity of a score in the terms of that CVSS version. */
export function findBand(
  score: number | null | undefined,
  version = '3.1',
): { readonly name: string; readonly style: Style } {
  if (score === null || score === undefined) return UNSCORED
  const bands = version.startsWith('2') ? BANDS_OF_VERSION_2 : BANDS
  return bands.find(({ from }) => score >= from) ?? UNSCORED
}

interface Scored {
  readonly severity: number | null
  readonly cvss: { readonly v2_0?: unknown }
}

/** Returns the severity of a CVE. The score of a CVE with `cvss.v2_0` is a CVSS 2.0 score. */
export function findCveBand({ severity, cvss }: Scored): ReturnType<typeof findBand> {
  return findBand(severity, cvss.v2_0 ? '2.0' : '3.1')
}

export function formatScore(score: number | null | undefined): string {
  return score === null || score === undefined ? '-' : score.toFixed(1)
}

/**
 * Formats a probability. Only certainty is shown as 100 %: 0.99999 becomes 99.9 %, because it must not look certain.
 */
export function formatPercent(share: number | undefined): string {
  if (share === undefined) return '-'
  const percent = share < 1 ? Math.min(share * 100, 99.9) : 100
  return `${percent.toFixed(1)} %`
}

/** Returns the filled and the empty part of a bar such as `████░░░░` separately, because they get different colors. */
export function renderBar(share: number, width: number): readonly [full: string, rest: string] {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width)
  return ['█'.repeat(full), '░'.repeat(width - full)]
}
