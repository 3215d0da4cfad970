// Fields of a JSON request body. They use the same value types as query parameters (decisions B6, B11).
import { type TSchema, Type } from 'typebox'
import {
  createIssue,
  createItemIssue,
  createMissingIssue,
  type Reading,
  type ValidationIssue,
} from './validation-issue.ts'
import { splitList, type ValueType } from './value-types.ts'

export interface BodyField<T> {
  readonly schema: TSchema
  readonly isRequired: boolean
  /** Reads the value of a body field. `value` is undefined if the field is absent or null. */
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
 * Maximum number of items of an optional list. The list is limited because the error response names every wrong item.
 */
const MAX_ITEMS = 100

/**
 * A body field that holds a list, sent as an array or as comma-separated text. An empty list counts as absent
 * (decisions B8, D2).
 */
export function optionalList<T>(type: ValueType<T>, description: string): BodyField<readonly T[] | undefined> {
  const expects = `an array of at most ${MAX_ITEMS} items, each ${type.expects}`
  const array = Type.Array(type.schema, { maxItems: MAX_ITEMS })
  return {
    schema: Type.Union([array, Type.String({ description: 'The same list as comma-separated text.' })], {
      description,
    }),
    isRequired: false,
    read: (name, value) => {
      const items = typeof value === 'string' ? splitList(value) : (value ?? [])
      if (!Array.isArray(items)) return { issues: [createIssue(name, items, expects)] }
      if (items.length > MAX_ITEMS) return { issues: [createCountIssue(name, expects, items)] }
      return items.length === 0 ? { value: undefined } : readItems(name, type, items)
    },
  }
}

export function optionalField<T>(type: ValueType<T>, description: string): BodyField<T | undefined> {
  return {
    schema: { ...type.schema, description },
    isRequired: false,
    read: (name, value) => {
      if (value === undefined) return { value: undefined }
      const parsed = typeof value === 'string' ? type.parse(value) : undefined
      return parsed === undefined
        ? { issues: [createIssue(name, value, type.expects, type.choices)] }
        : { value: parsed }
    },
  }
}

function createCountIssue(name: string, expects: string, { length }: readonly unknown[]): ValidationIssue {
  return { ...createIssue(name, null, expects), message: `must be ${expects}; ${length} were sent` }
}

function readItems<T>(name: string, type: ValueType<T>, items: readonly unknown[]): Reading<readonly T[]> {
  const values: T[] = []
  const issues: ValidationIssue[] = []
  for (const item of items) {
    const value = typeof item === 'string' ? type.parse(item) : undefined
    if (value === undefined) issues.push(createItemIssue(name, item, type.expects, type.choices))
    else values.push(value)
  }
  return issues.length > 0 ? { issues } : { value: values }
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
