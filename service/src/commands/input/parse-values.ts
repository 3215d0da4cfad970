// Strict parsers for command line values. Each parser throws a UsageError that says which values are allowed.
import type { Expiry } from '../../accounts/keys/account-keys.ts'
import { toHalfCredits } from '../../domain/account/credits.ts'
import { toOrigin } from '../../domain/account/origin.ts'
import { PLANS, type Plan } from '../../domain/account/plan.ts'
import { parseScopes, SCOPES, type Scope } from '../../domain/account/scope.ts'
import { parseDate, parseDateTime } from '../../domain/instant.ts'
import { UsageError } from '../../domain/usage-error.ts'

const SECONDS_PER_UNIT = { m: 60, h: 3600, d: 86_400 } as const
const MAX_OVERLAP_SECONDS = 7 * SECONDS_PER_UNIT.d
const DURATION_PATTERN = /^(\d{1,5})([mhd])$/
const CONTROL_CHARACTERS = /\p{Cc}/u

const ID_KINDS = {
  account: ['an account', 'vis-server accounts list'],
  key: ['a key', 'vis-server keys list --account …'],
  member: ['a member', 'vis-server members list --account …'],
} as const

export function parseId(text: string, kind: keyof typeof ID_KINDS): string {
  if (/^[1-9]\d{0,17}$/.test(text)) return text
  const [name, hint] = ID_KINDS[kind]
  throw new UsageError(`${JSON.stringify(text)} is not ${name} id. Ids are numbers; look them up: ${hint}`)
}

export function parseLine(text: string, option: string): string {
  const line = text.trim()
  if (line !== '' && line.length <= 200 && !CONTROL_CHARACTERS.test(line)) return line
  throw new UsageError(`${option} takes 1 to 200 characters in one line, not ${JSON.stringify(text.slice(0, 210))}.`)
}

export function parseCredits(text: string): number {
  if (/^\d{1,9}(\.[05])?$/.test(text)) return toHalfCredits(Number(text))
  throw new UsageError(
    `A quota is a number of credits from 0 to 999999999, in steps of 0.5, such as 5000 or 12.5; not ${JSON.stringify(text)}.`,
  )
}

export function parseLimit(plan: Plan, quota: string | undefined): number {
  if (quota !== undefined) return parseCredits(quota)
  const { monthlyCredits } = PLANS[plan]
  if (monthlyCredits !== undefined) return toHalfCredits(monthlyCredits)
  throw new UsageError(`The ${plan} plan has no default quota. Add the credits per month, for example: --quota 1000000`)
}

export function parseExpiry(text: string): Expiry {
  const seconds = parseDuration(text)
  if (seconds) return { seconds }
  const at = parseDate(text) ?? parseDateTime(text)
  if (at) return { at }
  throw new UsageError(
    `--expires takes a time from now, such as 90d, 12h or 30m, or a date, such as 2027-01-01; not ${JSON.stringify(text)}.`,
  )
}

export function parseScopeList(text: string): readonly Scope[] {
  const words = text.split(',').map((word) => word.trim())
  const scopes = parseScopes(words)
  if (scopes.length > 0 && scopes.length === new Set(words).size) return scopes
  throw new UsageError(
    `--scopes takes a comma-separated list of ${SCOPES.join(' and ')}, such as read or read,manage; not ${JSON.stringify(text.slice(0, 80))}.`,
  )
}

export function parseOverlap(text: string): number {
  const seconds = text === '0' ? 0 : parseDuration(text)
  if (seconds !== undefined && seconds <= MAX_OVERLAP_SECONDS) return seconds
  throw new UsageError(
    `--overlap takes a time of at most 7d, such as 24h or 30m, or 0 to end the old key at once; not ${JSON.stringify(text)}.`,
  )
}

/** Accepts an origin only in the exact form that browsers send, because origins are compared as text. */
export function parseOrigin(text: string): string {
  const origin = toOrigin(text)
  if (origin === undefined)
    throw new UsageError(
      `${JSON.stringify(text)} is not an origin. Give scheme, host and, unless it is the default, the port, such as https://console.example or http://localhost:8080`,
    )
  if (origin === text) return text
  throw new UsageError(
    `${JSON.stringify(text)} is not the form in which browsers send an origin. Did you mean ${origin} ?`,
  )
}

function parseDuration(text: string): number | undefined {
  const [, count, unit] = DURATION_PATTERN.exec(text) ?? []
  if (unit !== 'm' && unit !== 'h' && unit !== 'd') return undefined
  return Number(count) * SECONDS_PER_UNIT[unit]
}
