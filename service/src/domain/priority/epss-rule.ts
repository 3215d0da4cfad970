// How the policy uses EPSS (decision E34). A score that moves around a threshold would change the level every few days,
// so a CVE gets a threshold when its score reaches it, and keeps it until the score is below a part of it. The result
// follows from the stored scores alone, so every installation with the same scores finds the same.
//
// Each EPSS model distributes scores in its own way: with one threshold for all, a third of P0 to P2 would leave these
// levels in the week of a new model, although the world has not changed. So each model has its own thresholds, which
// select as many CVEs as those of the reference model. lab/docs/priority-levels.md has the measurements.

/** Thresholds of one day, lowest first. */
export type Thresholds = readonly number[]

export interface EpssRule {
  /** A CVE keeps a threshold until its score is below this part of it. */
  readonly keep: number
  readonly referenceModel: string
  /** The rules of the levels name thresholds of the reference model. */
  readonly models: Readonly<Record<string, Thresholds>>
  /**
   * For each threshold, the share of all scored CVEs whose score reaches it with the reference model. They replace the
   * thresholds of a model without thresholds.
   */
  readonly shares: readonly number[]
}

/** The shares are those of the reference model's scores of 2026-06-14, the day before the next model. */
export const EPSS_RULE: EpssRule = {
  keep: 0.65,
  referenceModel: 'v2025.03.14',
  models: { 'v2025.03.14': [0.1, 0.2, 0.7], 'v2026.06.15': [0.069, 0.121, 0.475] },
  shares: [0.0676, 0.0437, 0.013],
}

/** Returns undefined if the policy has no thresholds for the model, so that `shares` apply. */
export function findThresholds(model: string | null): Thresholds | undefined {
  return model === null ? undefined : EPSS_RULE.models[model]
}

/** The thresholds by which rules name what a CVE holds. */
export const REFERENCE_THRESHOLDS: Thresholds = findThresholds(EPSS_RULE.referenceModel) ?? []

/**
 * For each threshold that a CVE holds, lowest first: the day on which it got it. A CVE that holds a threshold also
 * holds all lower ones.
 */
export type HeldSince = readonly string[]

export const HOLDS_NONE: HeldSince = []

export interface ScoredDay {
  readonly day: string
  readonly score: number
  readonly thresholds: Thresholds
}

export function advanceHold(
  held: HeldSince,
  { day, score, thresholds }: ScoredDay,
  keep: number = EPSS_RULE.keep,
): HeldSince {
  const next: string[] = []
  for (const [index, threshold] of thresholds.entries()) {
    const since = held[index]
    if (score >= threshold) next.push(since ?? day)
    else if (since !== undefined && score >= keep * threshold) next.push(since)
    else break
  }
  return next
}

/** `days` starts with the oldest. A day without a score changes nothing. */
export function findHold(days: readonly ScoredDay[]): HeldSince {
  return days.reduce<HeldSince>((held, day) => advanceHold(held, day), HOLDS_NONE)
}

/** Returns the highest held threshold as one of the reference model, 0 for none, or null without a score. */
export function toHeldThreshold(score: number | null, held: HeldSince): number | null {
  return score === null ? null : (REFERENCE_THRESHOLDS[held.length - 1] ?? 0)
}
