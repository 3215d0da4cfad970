// Reads the start of a list of changes, as people write it: `yesterday`, `Monday`, `2d`.
import { UsageError } from './command.ts'

export interface Since {
  /** The value that the service accepts: a time, a position, or one of its words. */
  readonly since: string
  /** True if the text was a day or a duration, so that the user should see how it was read. */
  readonly isRelative: boolean
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }
const DURATION = /^([1-9]\d{0,3})([hdw])$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** What the service reads itself. It explains what is wrong with a position or a time. */
const ABSOLUTE = /^(?:start|now|\d.*)$/
const MIN_WEEKDAY_LETTERS = 3

/** Words and days mean the start of the day in UTC, a weekday the last one, and `2d` 48 hours before now. */
export async function readSince(text: string, readNow: () => Promise<Date>): Promise<Since> {
  const word = text.toLowerCase()
  const [, count = '', unit = ''] = DURATION.exec(word) ?? []
  const length = UNITS[unit]
  if (length !== undefined) return toSince((await readNow()).getTime() - Number(count) * length)
  if (DAY.test(word)) return { since: word, isRelative: true }
  if (ABSOLUTE.test(word)) return { since: text, isRelative: false }
  const daysAgo = findDaysAgo(word)
  if (daysAgo === undefined)
    throw new UsageError(
      `--since takes a time, a position, start, now, yesterday, a weekday or a duration such as 2d, not ${JSON.stringify(text)}.`,
    )
  const now = await readNow()
  return toSince(startOfDay(now) - daysAgo(now) * DAY_MS)
}

function findDaysAgo(word: string): ((now: Date) => number) | undefined {
  if (word === 'today') return () => 0
  if (word === 'yesterday') return () => 1
  const weekday = WEEKDAYS.findIndex((name) => name.startsWith(word) && word.length >= MIN_WEEKDAY_LETTERS)
  return weekday < 0 ? undefined : (now) => (now.getUTCDay() - weekday + 7) % 7
}

const startOfDay = (now: Date) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())

const toSince = (time: number): Since => ({
  since: `${new Date(time).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`,
  isRelative: true,
})
