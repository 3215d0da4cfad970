// The JSON of a session, as the console's pages receive it.
import type { ReadLimits } from '../../accounts/console-reads.ts'
import type { SessionDescription } from '../../accounts/sessions.ts'
import { formatInstant } from '../../domain/instant.ts'

interface SessionOptions {
  readonly limits: ReadLimits
  readonly allowsKeySignIn: boolean
}

/** Describes a session, or says why there is none (`problem`), and lists the ways to sign in. */
export function describeSession(
  found: SessionDescription | undefined,
  problem: string,
  { limits, allowsKeySignIn }: SessionOptions,
) {
  return {
    session: found ? renderSession(found, limits) : null,
    ...(found ? {} : { reason: problem }),
    sign_in: { api_key: allowsKeySignIn },
  }
}

function renderSession(session: SessionDescription, { perMinute, perDay }: ReadLimits) {
  return {
    account: { name: session.accountName, plan: session.plan },
    role: session.role,
    signed_in_with: { method: 'api-key', key_id: session.keyId, key_last_four: session.keyLastFour },
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
