// Types of single values in a URL or a JSON string, such as integers, flags, dates and CVE ids. The limits that
// openapi.json shows are the ones that `parse` checks (decisions B5, B9, B10, C9).
import { type TSchema, Type } from 'typebox'
import { type CveId, parseCveId } from '../../domain/cve-id.ts'
import { parseDate, parseDateTime } from '../../domain/instant.ts'
import { parseAlias } from '../../domain/source/alias.ts'

export interface ValueType<T> {
  readonly schema: TSchema
  /** Describes the accepted values and completes the error message "must be …". */
  readonly expects: string
  /** All values that the type accepts, if they can be listed. */
  readonly choices?: readonly string[]
  /** A typical value, shown in openapi.json. */
  readonly example?: ExampleValue
  /** Whether an empty value counts as an absent parameter, as in free text and cursors (decision B8). */
  readonly isAbsentWhenEmpty?: boolean
  /** Returns advice for a text that is not a value of the type, if the cause of the mistake is known. */
  hint?(text: string): string | undefined
  /**
   * Returns the member `suggestion` for a text that is not a value of the type, if it is clear what the caller is looking for.
   */
  suggest?(text: string): string | undefined
  /** Converts the sent text to a value, or returns undefined if the text is not a value of the type. */
  parse(text: string): T | undefined
  /** Like `parse`, for a value in a JSON body. Present if the type's JSON values are numbers or booleans. */
  parseJson?(value: unknown): T | undefined
}

type ExampleValue = string | number | boolean

/** Replaces the typical value of a type with one that suits the parameter. */
export function withExample<T>(type: ValueType<T>, example: ExampleValue): ValueType<T> {
  return { ...type, example }
}

const INTEGER = /^\d{1,9}$/
const DECIMAL = /^\d+(\.\d+)?$/

export function integer(limits: { minimum: number; maximum?: number }): ValueType<number> {
  const schema = Type.Integer(limits)
  const { minimum, maximum = Number.POSITIVE_INFINITY } = limits
  return {
    schema,
    expects: describeRange('an integer', minimum, limits.maximum),
    parse: (text) => within(INTEGER.test(text) ? Number(text) : undefined, minimum, maximum),
    parseJson: (value) => (Number.isSafeInteger(value) ? parseJsonNumber(value, minimum, maximum) : undefined),
  }
}

/** Creates a type that accepts one of the listed integers. */
export function oneOf<const N extends number>(choices: readonly N[]): ValueType<N> {
  const find = (value: unknown) => choices.find((choice) => choice === value)
  return {
    schema: Type.Integer({ enum: [...choices] }),
    expects: `one of ${choices.join(', ')}`,
    choices: choices.map(String),
    parse: (text) => find(INTEGER.test(text) ? Number(text) : undefined),
    parseJson: find,
  }
}

/**
 * Creates a type for decimal numbers with integer limits. The text is compared with the limits before it is converted,
 * because `Number` would round a text such as 10.0000000000000001 to the limit.
 */
export function decimal(limits: { minimum: number; maximum: number }): ValueType<number> {
  const { minimum, maximum } = limits
  return {
    schema: Type.Number(limits),
    expects: describeRange('a decimal number', minimum, maximum),
    parse: (text) => {
      if (!DECIMAL.test(text)) return undefined
      const [integral = '', fraction = ''] = text.split('.')
      const whole = within(Number(integral), minimum, maximum)
      const isAbove = whole === maximum && /[1-9]/.test(fraction)
      return whole === undefined || isAbove ? undefined : Number(text)
    },
    parseJson: (value) => parseJsonNumber(value, minimum, maximum),
  }
}

/** Words that people see instead of values. Forms and command lines offer only the values that have one. */
type Labels<Value extends string> = Readonly<Partial<Record<Value, string>>>

const showLabels = (labels: Labels<string> | undefined) => (labels === undefined ? {} : { 'x-labels': labels })

/** The labels complete "CVEs …": `in KEV`, `not in KEV`. */
export function flag(labels?: Readonly<Record<'true' | 'false', string>>): ValueType<boolean> {
  return {
    schema: Type.Boolean(showLabels(labels)),
    expects: 'true or false',
    choices: ['true', 'false'],
    example: true,
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    parseJson: (value) => (typeof value === 'boolean' ? value : undefined),
  }
}

/**
 * Creates a type that accepts one of the listed words. With `anyCase`, any letter case is accepted, and the parsed
 * value has the listed spelling.
 */
export function word<const W extends string>(
  choices: readonly W[],
  options: { anyCase?: boolean; labels?: Labels<NoInfer<W>> } = {},
): ValueType<W> {
  const [first] = choices
  return {
    schema: Type.Enum([...choices], showLabels(options.labels)),
    expects: `one of ${choices.join(', ')}`,
    choices,
    ...(first === undefined ? {} : { example: first }),
    parse: (text) => {
      const normalised = options.anyCase ? text.toLowerCase() : text
      return choices.find((choice) => (options.anyCase ? choice.toLowerCase() : choice) === normalised)
    },
  }
}

export function text(limits: { maxLength: number }): ValueType<string> {
  return {
    schema: Type.String(limits),
    expects: `text of at most ${limits.maxLength} characters, without NUL`,
    isAbsentWhenEmpty: true,
    // Text with a NUL character is rejected, because PostgreSQL text cannot contain NUL. The length is counted in code
    // points, as in JSON Schema's maxLength, not in UTF-16 units.
    parse: (sent) => (Array.from(sent).length > limits.maxLength || sent.includes('\0') ? undefined : sent),
  }
}

export function date(): ValueType<Date> {
  return {
    schema: Type.String({ format: 'date' }),
    expects: 'a date that exists, as YYYY-MM-DD',
    example: '2026-08-22',
    parse: parseDate,
  }
}

export interface Moment {
  /**
   * The first second that the date or date-time covers: 00:00:00 of the day for a date, the time itself for a
   * date-time.
   */
  readonly first: Date
  /**
   * The last second that the date or date-time covers: 23:59:59 of the day for a date, the time itself for a date-time.
   */
  readonly last: Date
}

/** A date-time whose offset starts with a blank: the `+` was not escaped, and a `+` in a query string means a blank. */
const UNESCAPED_OFFSET = /^[\d-]{10}T[\d:.]{8,20} \d\d:\d\d$/

export function moment(): ValueType<Moment> {
  return {
    schema: Type.String({
      pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)?)?$',
      examples: ['2026-08-22', '2026-08-22T10:00:00Z'],
      'x-format': 'date or date-time',
    }),
    expects: 'a date that exists, as YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS with Z, an offset or nothing (UTC)',
    example: '2026-08-22',
    parse: (sent) => {
      const day = parseDate(sent)
      if (day) return { first: day, last: new Date(day.getTime() + 86_399_000) }
      const instant = parseDateTime(sent)
      return instant && { first: instant, last: instant }
    },
    hint: (sent) => (UNESCAPED_OFFSET.test(sent) ? 'a + in a URL means a blank, so send the + as %2B' : undefined),
  }
}

export function cveId(): ValueType<CveId> {
  return {
    schema: Type.String({ pattern: '^[Cc][Vv][Ee]-[0-9]{4}-[0-9]{4,19}$', examples: ['CVE-2021-44228'] }),
    expects: 'a CVE id such as CVE-2021-44228',
    example: 'CVE-2021-44228',
    parse: parseCveId,
    hint: (sent) =>
      parseAlias(sent) ? 'the id of an advisory is looked up with GET /api/v1/alias/{alias}' : undefined,
    suggest: toAliasPath,
  }
}

/** Returns the path for looking up the CVEs of an alias, or undefined for text that is not an alias. */
function toAliasPath(sent: string): string | undefined {
  const alias = parseAlias(sent)
  return alias && `/api/v1/alias/${alias}`
}

/** Splits comma-separated text into items. Removes blanks around each item, and drops empty items. */
export function splitList(sent: string): string[] {
  return sent
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function parseJsonNumber(value: unknown, minimum: number, maximum: number): number | undefined {
  return typeof value === 'number' ? within(value, minimum, maximum) : undefined
}

function within(value: number | undefined, minimum: number, maximum: number): number | undefined {
  return value !== undefined && value >= minimum && value <= maximum ? value : undefined
}

function describeRange(kind: string, minimum: number, maximum: number | undefined): string {
  return maximum === undefined ? `${kind}, at least ${minimum}` : `${kind} from ${minimum} to ${maximum}`
}
