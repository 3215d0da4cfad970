// Shows the account's credits at the bottom of the navigation, with a warning before they run out.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { sessionQuery, usageQuery } from '../data/queries.ts'
import { classNames } from '../text/class-names.ts'
import { formatDay, formatNumber } from '../text/format.ts'

/** Share of the month's credits from which the account is warned. */
const WARN_SHARE = 0.8

export function AccountFoot() {
  const { data } = useQuery(sessionQuery)
  const session = data?.session
  const { data: usage } = useQuery({ ...usageQuery, enabled: session !== undefined && session !== null })
  if (!session || !usage) return null
  const { credits_used: used, credits_limit: limit, reset_at } = usage
  const share = limit === 0 ? 0 : Math.min(1, used / limit)
  const isLow = share >= WARN_SHARE
  return (
    <Link
      to="/usage"
      title={`Plan ${session.account.plan}. Renewed on ${formatDay(reset_at)}. Reading in the console costs no credits.`}
      className="block rounded-md px-2 py-1.5 text-xs text-ink-3 hover:bg-hover"
    >
      <span className={classNames('flex items-center gap-1.5', isLow && 'font-semibold text-high')}>
        {isLow && <TriangleAlert aria-hidden size={14} />}
        {share === 1 ? 'No credits left' : 'Credits'}
        <span className="ml-auto">{Math.floor(share * 100)} %</span>
      </span>
      <svg aria-hidden viewBox="0 0 100 4" preserveAspectRatio="none" className="my-1 h-1 w-full rounded-full bg-soft">
        <rect width={share * 100} height="4" className={isLow ? 'fill-high-solid' : 'fill-accent'} />
      </svg>
      <span className="block truncate">
        {`${formatNumber(used)} of ${formatNumber(limit)}`}
        <span className="sr-only"> used this month{isLow && ', almost used up'}</span>
      </span>
    </Link>
  )
}
