// The plans of accounts (decision A4). Charges are checked against the limit stored with the account; the credits here
// are only its default.

export const PLANS = {
  free: { monthlyCredits: 1_000, isRateLimited: true },
  pro: { monthlyCredits: 30_000, isRateLimited: false },
  business: { monthlyCredits: 200_000, isRateLimited: false },
  // The credits are negotiated with each customer.
  enterprise: { monthlyCredits: undefined, isRateLimited: false },
} as const satisfies Record<string, { monthlyCredits: number | undefined; isRateLimited: boolean }>

export type Plan = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

export function parsePlan(text: string): Plan | undefined {
  return PLAN_NAMES.find((name) => name === text)
}
