// The plans of accounts (decision A4). Charges are checked against the limit stored with the account; the credits here
// are only its default.

export const PLANS = {
  free: { monthlyCredits: 1_000, isRateLimited: true },
  pro: { monthlyCredits: 30_000, isRateLimited: false },
  business: { monthlyCredits: 200_000, isRateLimited: false },
  // The credits are negotiated with each customer.
  enterprise: { monthlyCredits: undefined, isRateLimited: false },
} as const satisfies Record<string, { monthlyCredits: number | undefined; isRateLimited: boolean }>

/** What an account may have of each, and for how many days its events are kept. */
export interface WatchLimits {
  readonly watches: number
  readonly feeds: number
  readonly eventDays: number
}

export type Plan = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

export function parsePlan(text: string): Plan | undefined {
  return PLAN_NAMES.find((name) => name === text)
}

export const WATCH_LIMITS = {
  free: { watches: 3, feeds: 3, eventDays: 30 },
  pro: { watches: 25, feeds: 25, eventDays: 90 },
  business: { watches: 200, feeds: 200, eventDays: 400 },
  enterprise: { watches: 1000, feeds: 1000, eventDays: 400 },
} as const satisfies Record<Plan, WatchLimits>
