// Single values as they stand in a URL or a JSON string. Each item is one object: the schema that
// OpenAPI shows is the schema whose limits `parse` reads (decisions B5, B9, B10, C9).
import { type TSchema, Type } from 'typebox'
import { type CveId, parseCveId } from '../domain/cve-id.ts'
import { parseDate, parseDateTime } from '../domain/instant.ts'

export interface Item<T> {
  readonly schema: TSchema
  /** Completes "must be …". */
  readonly expects: string
  /** All values, where they can be listed. */
  readonly choices?: readonly string[]
  /** Free text and cursors: an empty value means that nothing was sent (decision B8). */
  readonly isAbsentWhenEmpty?: boolean
  parse(text: string): T | undefined
}

const INTEGER = /^\d{1,9}$/
const DECIMAL = /^\d+(\.\d+)?$/

export function integer(limits: { minimum: number; maximum?: number }): Item<number> {
  const schema = Type.Integer(limits)
  const { minimum, maximum = Number.POSITIVE_INFINITY } = limits
  return {
    schema,
    expects: range('an integer', minimum, limits.maximum),
    parse: (text) => within(INTEGER.test(text) ? Number(text) : undefined, minimum, maximum),
  }
}

/** The limits are whole numbers, so that text can be held against them before it is rounded to a number. */
export function decimal(limits: { minimum: number; maximum: number }): Item<number> {
  const { minimum, maximum } = limits
  return {
    schema: Type.Number(limits),
    expects: range('a decimal number', minimum, maximum),
    parse: (text) => {
      if (!DECIMAL.test(text)) return undefined
      const [integral = '', fraction = ''] = text.split('.')
      const whole = within(Number(integral), minimum, maximum)
      const isAbove = whole === maximum && /[1-9]/.test(fraction)
      return whole === undefined || isAbove ? undefined : Number(text)
    },
  }
}

export function flag(): Item<boolean> {
  return {
    schema: Type.Boolean(),
    expects: 'true or false',
    choices: ['true', 'false'],
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  }
}

/** One of a few words. `anyCase`: any letter case in, the listed spelling out. */
export function word<const W extends string>(choices: readonly W[], options: { anyCase?: boolean } = {}): Item<W> {
  return {
    schema: Type.Enum([...choices]),
    expects: `one of ${choices.join(', ')}`,
    choices,
    parse: (text) => {
      const wanted = options.anyCase ? text.toLowerCase() : text
      return choices.find((choice) => (options.anyCase ? choice.toLowerCase() : choice) === wanted)
    },
  }
}

export function text(limits: { maxLength: number }): Item<string> {
  return {
    schema: Type.String(limits),
    expects: `text of at most ${limits.maxLength} characters, without NUL`,
    isAbsentWhenEmpty: true,
    // PostgreSQL text cannot hold NUL, so no query could ever match it.
    // Code points are what JSON Schema counts.
    parse: (sent) => (Array.from(sent).length > limits.maxLength || sent.includes('\0') ? undefined : sent),
  }
}

export function date(): Item<Date> {
  return { schema: Type.String({ format: 'date' }), expects: 'a date that exists, as YYYY-MM-DD', parse: parseDate }
}

export interface Moment {
  readonly first: Date
  /** The last whole second that the text covers: a day has 86,400 of them, a date-time one. */
  readonly last: Date
}

export function moment(): Item<Moment> {
  return {
    schema: Type.String({
      pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)?)?$',
      examples: ['2026-08-22', '2026-08-22T10:00:00Z'],
    }),
    expects: 'a date that exists, as YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS with Z, an offset or nothing (UTC)',
    parse: (sent) => {
      const day = parseDate(sent)
      if (day) return { first: day, last: new Date(day.getTime() + 86_399_000) }
      const instant = parseDateTime(sent)
      return instant && { first: instant, last: instant }
    },
  }
}

export function cveId(): Item<CveId> {
  return {
    schema: Type.String({ pattern: '^[Cc][Vv][Ee]-[0-9]{4}-[0-9]{4,19}$', examples: ['CVE-2021-44228'] }),
    expects: 'a CVE id such as CVE-2021-44228',
    parse: parseCveId,
  }
}

/** The items of a text with commas between them. Blanks around a comma cannot change what is meant. */
export function splitList(sent: string): string[] {
  return sent
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function within(value: number | undefined, minimum: number, maximum: number): number | undefined {
  return value !== undefined && value >= minimum && value <= maximum ? value : undefined
}

function range(kind: string, minimum: number, maximum: number | undefined): string {
  return maximum === undefined ? `${kind}, at least ${minimum}` : `${kind} from ${minimum} to ${maximum}`
}
