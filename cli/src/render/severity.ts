// Formats scores: severity band, color, number and bar.
import type { Style } from '../terminal.ts'

const BANDS: readonly { readonly from: number; readonly name: string; readonly style: Style }[] = [
  { from: 9, name: 'CRITICAL', style: ['bold', 'whiteBright', 'bgRed'] },
  { from: 7, name: 'HIGH', style: ['bold', 'red'] },
  { from: 4, name: 'MEDIUM', style: 'yellow' },
  { from: 0.1, name: 'LOW', style: 'green' },
  { from: 0, name: 'NONE', style: 'gray' },
]

const UNSCORED = { name: 'UNSCORED', style: 'gray' } satisfies { name: string; style: Style }

export function findBand(score: number | null | undefined): { readonly name: string; readonly style: Style } {
  if (score === null || score === undefined) return UNSCORED
  return BANDS.find(({ from }) => score >= from) ?? UNSCORED
}

export function formatScore(score: number | null | undefined): string {
  return score === null || score === undefined ? '-' : score.toFixed(1)
}

export function formatPercent(share: number | undefined): string {
  return share === undefined ? '-' : `${(share * 100).toFixed(1)} %`
}

/** Returns the filled and the empty part of a bar such as `████░░░░`, because the two parts get different colors. */
export function renderBar(share: number, width: number): readonly [full: string, rest: string] {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width)
  return ['█'.repeat(full), '░'.repeat(width - full)]
}
