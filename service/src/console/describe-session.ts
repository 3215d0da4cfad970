// The JSON of a session, as the console's pages receive it.
import type { ReadLimits } from '../accounts/people/console-reads.ts'
import type { ListedSession, SessionDescription } from '../accounts/people/sessions.ts'
import { formatInstant } from '../domain/instant.ts'

interface SignInWays {
  readonly api_key: boolean
  /** `off` while no sign-in process is running. */
  readonly members: 'on' | 'off'
  readonly link: boolean
  /** `delayed` while the mail server cannot be reached; null if this server sends no mail. */
  readonly mail: 'normal' | 'delayed' | null
  readonly oidc: { readonly name: string } | null
  readonly sign_up: 'open' | 'closed'
}

export function describeSession(
  found: SessionDescription | undefined,
  problem: string,
  limits: ReadLimits,
  ways: SignInWays,
) {
  return {
    session: found ? renderSession(found, limits) : null,
    ...(found ? {} : { reason: problem }),
    sign_in: ways,
  }
}

function renderSession(session: SessionDescription, { perMinute, perDay }: ReadLimits) {
  const { method, keyId, keyLastFour, memberId, memberEmail } = session
  return {
    account: { name: session.accountName, plan: session.plan },
    role: session.role,
    ...(memberId === null ? {} : { member: { id: memberId, email: memberEmail } }),
    signed_in_with: { method, ...(keyId === null ? {} : { key_id: keyId, key_last_four: keyLastFour }) },
    created_at: formatInstant(session.createdAt),
    ends_at: formatInstant(session.endsAt),
    reads: {
      minute: renderWindow(session.minuteReads, perMinute, session.minuteResetsAt),
      day: renderWindow(session.dayReads, perDay, session.dayResetsAt),
    },
  }
}

function renderWindow(used: number, limit: number, resetAt: Date) {
  return { limit, used, remaining: Math.max(0, limit - used), reset_at: formatInstant(resetAt) }
}

export function renderListedSession(session: ListedSession) {
  return {
    id: session.id,
    created_at: formatInstant(session.createdAt),
    last_used_at: formatInstant(session.lastUsedAt),
    ends_at: formatInstant(session.endsAt),
    method: session.method,
    is_current: session.isCurrent,
    browser: session.browser,
    network: session.network,
  }
}
