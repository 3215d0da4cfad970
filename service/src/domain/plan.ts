// The plans of decision A4, in one table. Credits are charged against the limit stored with the account, not against
// the limit in this table.

export const PLANS = {
  free: { monthlyCredits: 1_000, isRateLimited: true },
  pro: { monthlyCredits: 30_000, isRateLimited: false },
  business: { monthlyCredits: 200_000, isRateLimited: false },
  // Enterprise quotas are agreed per account, so that the enterprise plan has no default quota.
  enterprise: { monthlyCredits: undefined, isRateLimited: false },
} as const satisfies Record<string, { monthlyCredits: number | undefined; isRateLimited: boolean }>

export type Plan = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

export function parsePlan(text: string): Plan | undefined {
  return PLAN_NAMES.find((name) => name === text)
}
