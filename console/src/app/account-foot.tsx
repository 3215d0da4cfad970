// Shows the account's credits at the bottom of the navigation.
import { useQuery } from '@tanstack/react-query'
import { sessionQuery, usageQuery } from '../data/queries.ts'
import { formatNumber } from '../text/format.ts'

export function AccountFoot() {
  const { data } = useQuery(sessionQuery)
  const session = data?.session
  const { data: usage } = useQuery({ ...usageQuery, enabled: session !== undefined && session !== null })
  if (!session || !usage) return null
  const { credits_used: used, credits_limit: limit } = usage
  return (
    <section aria-label="Credits" className="mt-auto border-t border-line px-2.5 pt-2.5 text-xs text-ink-3">
      <p className="truncate">
        {session.account.name} · {session.account.plan}
      </p>
      <svg
        aria-hidden
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        className="my-1 h-1.5 w-full rounded-full bg-soft"
      >
        <rect width={limit === 0 ? 0 : Math.min(100, (used / limit) * 100)} height="4" className="fill-accent" />
      </svg>
      <p>{`${formatNumber(used)} of ${formatNumber(limit)} credits`}</p>
    </section>
  )
}
