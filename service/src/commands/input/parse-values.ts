// What an operator typed, read strictly: a value, or a sentence that says what is allowed.
import type { Expiry } from '../../accounts/administer-keys.ts'
import { halfCredits } from '../../domain/credits.ts'
import { parseDate, parseDateTime } from '../../domain/instant.ts'
import { PLANS, type Plan } from '../../domain/plan.ts'
import { UsageError } from '../../domain/usage-error.ts'

const SECONDS_OF = { m: 60, h: 3600, d: 86_400 } as const
const MAX_OVERLAP_SECONDS = 7 * SECONDS_OF.d
const DURATION = /^(\d{1,5})([mhd])$/
const CONTROL_CHARACTERS = /\p{Cc}/u

export function readId(text: string, of: 'account' | 'key'): string {
  if (/^[1-9]\d{0,17}$/.test(text)) return text
  const hint = of === 'account' ? 'vis-server accounts list' : 'vis-server keys list --account …'
  throw new UsageError(`The ${of} is named by its number, not by ${JSON.stringify(text)}. Look it up: ${hint}`)
}

/** A name or a reason: something that can be shown in one line of a terminal. */
export function readLine(text: string, option: string): string {
  const line = text.trim()
  if (line !== '' && line.length <= 200 && !CONTROL_CHARACTERS.test(line)) return line
  throw new UsageError(`${option} takes 1 to 200 characters in one line, not ${JSON.stringify(text.slice(0, 210))}.`)
}

export function readCredits(text: string): number {
  if (/^\d{1,9}(\.[05])?$/.test(text)) return halfCredits(Number(text))
  throw new UsageError(
    `A quota is a number of credits from 0 to 999999999, in steps of 0.5, such as 5000 or 12.5; not ${JSON.stringify(text)}.`,
  )
}

/** What is asked for, or else what the plan stands for. */
export function readLimit(plan: Plan, quota: string | undefined): number {
  if (quota !== undefined) return readCredits(quota)
  const { monthlyCredits } = PLANS[plan]
  if (monthlyCredits !== undefined) return halfCredits(monthlyCredits)
  throw new UsageError(
    `The ${plan} plan has no quota of its own, it is agreed for each account. Add it in credits a month: --quota 1000000`,
  )
}

export function readExpiry(text: string): Expiry {
  const seconds = readDuration(text)
  if (seconds) return { seconds }
  const at = parseDate(text) ?? parseDateTime(text)
  if (at) return { at }
  throw new UsageError(
    `--expires takes a time from now, such as 90d, 12h or 30m, or a date, such as 2027-01-01; not ${JSON.stringify(text)}.`,
  )
}

export function readOverlap(text: string): number {
  const seconds = text === '0' ? 0 : readDuration(text)
  if (seconds !== undefined && seconds <= MAX_OVERLAP_SECONDS) return seconds
  throw new UsageError(
    `--overlap takes a time of at most 7d, such as 24h or 30m, or 0 to end the old key at once; not ${JSON.stringify(text)}.`,
  )
}

/** Exactly as a browser will send it, since it is compared letter by letter. */
export function readOrigin(text: string): string {
  const origin = originIn(text.includes('://') ? text : `https://${text}`)
  if (origin === undefined || text === 'null' || origin.includes('*'))
    throw new UsageError(
      `${JSON.stringify(text)} cannot be allowed as an origin. Name each one in full, with scheme, host and the port if it is not the usual one, such as https://console.example or http://localhost:8080`,
    )
  if (origin === text) return text
  throw new UsageError(`${JSON.stringify(text)} is not what a browser sends as its origin. Did you mean ${origin} ?`)
}

function originIn(text: string): string | undefined {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.origin : undefined
}

function readDuration(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? []
  if (unit !== 'm' && unit !== 'h' && unit !== 'd') return undefined
  return Number(count) * SECONDS_OF[unit]
}
