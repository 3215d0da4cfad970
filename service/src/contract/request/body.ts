// Fields of a JSON request body. They use the same value types as query parameters (decisions B6, B11).
import { type TSchema, Type } from 'typebox'
import { withHint } from './parameters.ts'
import {
  createIssue,
  createItemIssue,
  createMissingIssue,
  createUnknownNameIssue,
  type Reading,
  type ValidationIssue,
} from './validation-issue.ts'
import { splitList, type ValueType } from './value-types.ts'

export interface BodyField<T> {
  readonly schema: TSchema
  readonly isRequired: boolean
  /** Reads a body field. `value` is undefined if the field is absent or null. */
  read(name: string, value: unknown): Reading<T>
}

export type BodyFields = Readonly<Record<string, BodyField<unknown>>>
export type BodyOf<B> = { readonly [Name in keyof B]: B[Name] extends BodyField<infer T> ? T : never }

interface ListOptions {
  readonly description: string
  readonly minItems: number
  readonly maxItems: number
}

export function requiredList<T>(type: ValueType<T>, options: ListOptions): BodyField<readonly T[]> {
  const { description, minItems, maxItems } = options
  const expects = `an array of ${minItems} to ${maxItems} items, each ${type.expects}`
  return {
    schema: Type.Array(type.schema, { description, minItems, maxItems }),
    isRequired: true,
    read: (name, value) => {
      if (value === undefined) return { issues: [createMissingIssue(name, expects)] }
      if (!Array.isArray(value)) return { issues: [createIssue(name, value, expects)] }
      if (value.length < minItems || value.length > maxItems)
        return { issues: [createCountIssue(name, expects, value)] }
      return readItems(name, type, value)
    },
  }
}

/**
 * Maximum number of items in an optional list without `maxItems`. The limit exists because the error response names
 * every invalid item.
 */
const MAX_ITEMS = 100

/**
 * A body field that holds a list, sent as an array or as comma-separated text. An empty list counts as absent
 * (decisions B8, D2).
 */
export function optionalList<T>(
  type: ValueType<T>,
  description: string,
  { maxItems = MAX_ITEMS }: { readonly maxItems?: number } = {},
): BodyField<readonly T[] | undefined> {
  const expects = `an array of at most ${maxItems} items, each ${type.expects}`
  const array = Type.Array(type.schema, { maxItems })
  return {
    schema: Type.Union([array, Type.String({ description: 'The same list as comma-separated text.' })], {
      description,
    }),
    isRequired: false,
    read: (name, value) => {
      const items = typeof value === 'string' ? splitList(value) : (value ?? [])
      if (!Array.isArray(items)) return { issues: [createIssue(name, items, expects)] }
      if (items.length > maxItems) return { issues: [createCountIssue(name, expects, items)] }
      return items.length === 0 ? { value: undefined } : readItems(name, type, items)
    },
  }
}

export function requiredField<T>(type: ValueType<T>, description: string): BodyField<T> {
  return {
    schema: { ...type.schema, description },
    isRequired: true,
    read: (name, value) =>
      value === undefined
        ? { issues: [createMissingIssue(name, type.expects, type.choices)] }
        : readField(name, type, value),
  }
}

export function optionalField<T>(type: ValueType<T>, description: string): BodyField<T | undefined> {
  return {
    schema: { ...type.schema, description },
    isRequired: false,
    read: (name, value) => (value === undefined ? { value: undefined } : readField(name, type, value)),
  }
}

/** A body field that holds one object with the given fields. It may be absent. */
export function object<F extends BodyFields>(fields: F, description: string): BodyField<BodyOf<F> | undefined> {
  return {
    schema: { ...buildBodySchema(fields), description },
    isRequired: false,
    read: (name, value) => (value === undefined ? { value: undefined } : readObject(name, fields, value)),
  }
}

/**
 * The items of a list of objects are no longer checked after this many issues. The error response has room for fewer,
 * and searching for similar names takes time.
 */
const MAX_ITEM_ISSUES = 100

/** A body field that holds a list of objects with the given fields. It may be absent if `minItems` is 0. */
export function objects<F extends BodyFields>(fields: F, options: ListOptions): BodyField<readonly BodyOf<F>[]> {
  const { description, minItems, maxItems } = options
  const expects = `an array of ${minItems} to ${maxItems} objects`
  return {
    schema: Type.Array(buildBodySchema(fields), { description, minItems, maxItems }),
    isRequired: minItems > 0,
    read: (name, value = minItems > 0 ? undefined : []) => {
      if (value === undefined) return { issues: [createMissingIssue(name, expects)] }
      if (!Array.isArray(value)) return { issues: [createIssue(name, value, expects)] }
      if (value.length < minItems || value.length > maxItems)
        return { issues: [createCountIssue(name, expects, value)] }
      return readObjects(name, fields, value)
    },
  }
}

function readObjects<F extends BodyFields>(
  name: string,
  fields: F,
  items: readonly unknown[],
): Reading<readonly BodyOf<F>[]> {
  const values: BodyOf<F>[] = []
  const issues: ValidationIssue[] = []
  for (const [index, item] of items.entries()) {
    if (issues.length >= MAX_ITEM_ISSUES) {
      issues.push({ ...createIssue(name, null, 'valid'), message: `was not checked from ${name}[${index}] on` })
      break
    }
    const reading = readObject(`${name}[${index}]`, fields, item)
    if ('value' in reading) values.push(reading.value)
    else issues.push(...reading.issues)
  }
  return issues.length > 0 ? { issues } : { value: values }
}

/** Reads an object inside the body. Errors name its members by path, such as `items[3].exposure`. */
function readObject<F extends BodyFields>(path: string, fields: F, sent: unknown): Reading<BodyOf<F>> {
  if (!isObject(sent)) return { issues: [createIssue(path, sent ?? null, 'a JSON object')] }
  const readings = Object.entries(fields).map(
    ([name, field]) => [name, field.read(`${path}.${name}`, readMember(sent, name))] as const,
  )
  const issues = [
    ...readings.flatMap(([, reading]) => ('issues' in reading ? reading.issues : [])),
    ...findUnknownMembers(path, Object.keys(fields), sent),
  ]
  if (issues.length > 0) return { issues }
  const values = readings.map(([name, reading]) => [name, 'value' in reading ? reading.value : undefined])
  // The cast is safe: the object has one value per field, as returned by the field's own `read`.
  return { value: Object.fromEntries(values) as BodyOf<F> }
}

/** Maximum number of unknown members that an error names for each object. */
const MAX_UNKNOWN_MEMBERS = 10

function findUnknownMembers(
  path: string,
  known: readonly string[],
  sent: Readonly<Record<string, unknown>>,
): readonly ValidationIssue[] {
  return Object.entries(sent)
    .filter(([name]) => !known.includes(name))
    .slice(0, MAX_UNKNOWN_MEMBERS)
    .map(([name, value]) => {
      const issue = createUnknownNameIssue(name, value, known, { kind: 'member', owner: path })
      return { ...issue, parameter: `${path}.${issue.parameter}` }
    })
}

/** Returns the value of a member; undefined if the member is absent or null. */
export function readMember(sent: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(sent, name) ? (sent[name] ?? undefined) : undefined
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readField<T>(name: string, type: ValueType<T>, value: unknown): Reading<T> {
  const parsed = parseJsonValue(type, value)
  return parsed === undefined ? { issues: [createIssue(name, value, type.expects, type.choices)] } : { value: parsed }
}

/** A number or a flag must be sent as a JSON number or boolean, any other value as a JSON string. */
function parseJsonValue<T>(type: ValueType<T>, value: unknown): T | undefined {
  if (type.parseJson) return type.parseJson(value)
  return typeof value === 'string' ? type.parse(value) : undefined
}

function createCountIssue(name: string, expects: string, { length }: readonly unknown[]): ValidationIssue {
  return { ...createIssue(name, null, expects), message: `must be ${expects}; ${length} were sent` }
}

function readItems<T>(name: string, type: ValueType<T>, items: readonly unknown[]): Reading<readonly T[]> {
  const values: T[] = []
  const issues: ValidationIssue[] = []
  for (const item of items) {
    const value = parseJsonValue(type, item)
    if (value === undefined) issues.push(createBodyItemIssue(name, item, type))
    else values.push(value)
  }
  return issues.length > 0 ? { issues } : { value: values }
}

function createBodyItemIssue(name: string, item: unknown, type: ValueType<unknown>): ValidationIssue {
  const issue = createItemIssue(name, item, type.expects, type.choices)
  return typeof item === 'string' ? withHint(issue, item, type) : issue
}

export function buildBodySchema(fields: BodyFields): TSchema {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.isRequired ? field.schema : Type.Optional(field.schema),
    ]),
  )
  return Type.Object(properties, { additionalProperties: false })
}
