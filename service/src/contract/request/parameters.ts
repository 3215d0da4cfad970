// Parameters in the path and query of a request. A parameter is a value type plus two rules: how often it may occur,
// and what value it has if it is absent.
import { type TSchema, Type } from 'typebox'
import {
  createIssue,
  createItemIssue,
  createMissingIssue,
  type Reading,
  type ValidationIssue,
} from './validation-issue.ts'
import { splitList, type ValueType } from './value-types.ts'

/** One occurrence of a parameter in the query string. */
export interface RawValue {
  /** The decoded text of the parameter, or the text as sent if it cannot be decoded. */
  readonly text: string
  /** True if the percent-escapes of the parameter are not valid UTF-8. */
  readonly isMalformed: boolean
}

export interface Parameter<T> {
  readonly schema: TSchema
  readonly description: string
  readonly isRequired: boolean
  readonly isList: boolean
  /** A typical value, shown in openapi.json; an array if the parameter is a list. */
  readonly example: unknown
  /** The API version that introduced the parameter. */
  readonly since: string
  /** The parameter's name for people, in forms and above lists. */
  readonly label?: string
  /** Another parameter without which this one is rejected, such as `include=enrichment`. */
  readonly needs: string | undefined
  /** Reads all occurrences of the parameter. `values` is empty if the parameter is absent. */
  read(name: string, values: readonly RawValue[]): Reading<T>
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>
export type ValuesOf<P> = { readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never }

export function required<T>(type: ValueType<T>, description: string): Parameter<T> {
  return {
    ...describe(type.schema, description, type.example),
    isRequired: true,
    read: (name, values) =>
      readSingle(name, type, values, { issues: [createMissingIssue(name, type.expects, type.choices)] }),
  }
}

export function optional<T>(type: ValueType<T>, description: string): Parameter<T | undefined> {
  return {
    ...describe(type.schema, description, type.example),
    read: (name, values) => readSingle<T | undefined>(name, type, values, { value: undefined }),
  }
}

export function withDefault<T extends string | number | boolean>(
  type: ValueType<T>,
  value: T,
  description: string,
): Parameter<T> {
  return {
    ...describe({ ...type.schema, default: value }, description, type.example ?? value),
    read: (name, values) => readSingle(name, type, values, { value }),
  }
}

/**
 * Maximum number of distinct items in a list parameter without `maxItems`. The limit exists because the error response
 * names every invalid item.
 */
const MAX_DISTINCT_ITEMS = 100

/**
 * A parameter that holds a comma-separated list and may be repeated; its value is the union of all occurrences. An
 * empty list counts as absent unless `rejectsEmpty` is set.
 */
export function list<T>(
  type: ValueType<T>,
  description: string,
  options: { maxItems?: number; rejectsEmpty?: boolean; example?: readonly string[] } = {},
): Parameter<readonly T[] | undefined> {
  const { maxItems, example = [type.example] } = options
  return {
    ...describe(Type.Array(type.schema, maxItems === undefined ? {} : { maxItems }), description, example),
    isList: true,
    read: (name, values) => {
      const items = values.flatMap(({ text, isMalformed }) =>
        splitList(text).map((item) => ({ text: item, isMalformed })),
      )
      if (items.length === 0 && values.length > 0 && options.rejectsEmpty) {
        return { issues: [createIssue(name, '', `a comma-separated list, each ${type.expects}`)] }
      }
      if (items.length === 0) return { value: undefined }
      const distinct = [...new Map(items.map((item) => [item.text, item])).values()]
      const [count, max] = maxItems === undefined ? [distinct.length, MAX_DISTINCT_ITEMS] : [items.length, maxItems]
      if (count > max)
        return { issues: [createIssue(name, null, `a list of at most ${max} items; ${count} were sent`)] }
      return readItems(name, type, distinct)
    },
  }
}

function describe(schema: TSchema, description: string, example: unknown) {
  return { schema, description, isRequired: false, isList: false, example, since: FIRST_VERSION, needs: undefined }
}

/** The API version that introduced a parameter, unless the parameter states another. */
const FIRST_VERSION = '1.5'

function readSingle<T>(name: string, type: ValueType<T>, values: readonly RawValue[], absent: Reading<T>): Reading<T> {
  const [first, second] = values
  if (first === undefined || (type.isAbsentWhenEmpty && first.text === '' && second === undefined)) return absent
  if (second !== undefined) return { issues: [createRepetitionIssue(name, first.text)] }
  if (first.isMalformed) return { issues: [createEncodingIssue(name, first)] }
  const value = type.parse(first.text)
  return value === undefined ? { issues: [createValueIssue(name, first.text, type)] } : { value }
}

function readItems<T>(name: string, type: ValueType<T>, items: readonly RawValue[]): Reading<readonly T[]> {
  const values = new Set<T>()
  const issues: ValidationIssue[] = []
  for (const item of items) {
    const value = item.isMalformed ? undefined : type.parse(item.text)
    if (item.isMalformed) issues.push(createEncodingIssue(name, item))
    else if (value === undefined)
      issues.push(withHint(createItemIssue(name, item.text, type.expects, type.choices), item.text, type))
    else values.add(value)
  }
  return issues.length > 0 ? { issues } : { value: [...values] }
}

function createValueIssue(name: string, text: string, type: ValueType<unknown>): ValidationIssue {
  return withHint(createIssue(name, text, type.expects, type.choices), text, type)
}

export function withHint(issue: ValidationIssue, text: string, type: ValueType<unknown>): ValidationIssue {
  const [hint, suggestion] = [type.hint?.(text), type.suggest?.(text)]
  return {
    ...issue,
    ...(hint !== undefined && { message: `${issue.message}; ${hint}` }),
    ...(suggestion !== undefined && { suggestion }),
  }
}

function createEncodingIssue(name: string, { text }: RawValue): ValidationIssue {
  return createIssue(name, text, 'valid percent-encoded UTF-8')
}

function createRepetitionIssue(name: string, first: string): ValidationIssue {
  return { ...createIssue(name, first, 'sent only once'), message: 'was sent more than once; it takes a single value' }
}
