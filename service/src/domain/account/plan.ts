// The plans that an account can have (decision A4), in one table. Charges are checked against the limit that is stored
// with the account; the credits in this table are only the default for that limit.

export const PLANS = {
  free: { monthlyCredits: 1_000, isRateLimited: true },
  pro: { monthlyCredits: 30_000, isRateLimited: false },
  business: { monthlyCredits: 200_000, isRateLimited: false },
  // Enterprise quotas are agreed with each customer, so the enterprise plan has no default quota.
  enterprise: { monthlyCredits: undefined, isRateLimited: false },
} as const satisfies Record<string, { monthlyCredits: number | undefined; isRateLimited: boolean }>

export type Plan = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

export function parsePlan(text: string): Plan | undefined {
  return PLAN_NAMES.find((name) => name === text)
}
