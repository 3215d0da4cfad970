// Fields of a JSON body, read with the same items as the query (decisions B6, B11).
import { type TSchema, Type } from 'typebox'
import { type Fault, fault, itemFault, type Reading } from './validation-issue.ts'
import { type Item, splitList } from './value-types.ts'

export interface BodyField<T> {
  readonly schema: TSchema
  readonly isRequired: boolean
  /** `undefined` when the key is absent or null. */
  read(name: string, value: unknown): Reading<T>
}

export type BodyFields = Readonly<Record<string, BodyField<unknown>>>
export type BodyOf<B> = { readonly [Name in keyof B]: B[Name] extends BodyField<infer T> ? T : never }

interface ListLimits {
  readonly description: string
  readonly minItems: number
  readonly maxItems: number
}

export function requiredList<T>(item: Item<T>, limits: ListLimits): BodyField<readonly T[]> {
  const { description, minItems, maxItems } = limits
  const expects = `an array of ${minItems} to ${maxItems} items, each ${item.expects}`
  return {
    schema: Type.Array(item.schema, { description, minItems, maxItems }),
    isRequired: true,
    read: (name, value) => {
      if (!Array.isArray(value)) return { faults: [fault(name, value ?? null, expects)] }
      if (value.length < minItems || value.length > maxItems) return { faults: [miscounted(name, expects, value)] }
      return readItems(name, item, value)
    },
  }
}

/** Every fault is reported, so their number must be bounded. */
const MAX_ITEMS = 100

/** An array, or its items in one text with commas between them. Empty counts as absent (decisions B8, D2). */
export function optionalList<T>(item: Item<T>, description: string): BodyField<readonly T[] | undefined> {
  const expects = `an array of at most ${MAX_ITEMS} items, each ${item.expects}`
  const several = Type.Array(item.schema, { maxItems: MAX_ITEMS })
  return {
    schema: Type.Union([several, Type.String({ description: 'The same, with commas between them.' })], { description }),
    isRequired: false,
    read: (name, value) => {
      const given = typeof value === 'string' ? splitList(value) : (value ?? [])
      if (!Array.isArray(given)) return { faults: [fault(name, given, expects)] }
      if (given.length > MAX_ITEMS) return { faults: [miscounted(name, expects, given)] }
      return given.length === 0 ? { value: undefined } : readItems(name, item, given)
    },
  }
}

export function optionalField<T>(item: Item<T>, description: string): BodyField<T | undefined> {
  return {
    schema: { ...item.schema, description },
    isRequired: false,
    read: (name, value) => {
      if (value === undefined) return { value: undefined }
      const parsed = typeof value === 'string' ? item.parse(value) : undefined
      return parsed === undefined ? { faults: [fault(name, value, item.expects, item.choices)] } : { value: parsed }
    },
  }
}

function miscounted(name: string, expects: string, { length }: readonly unknown[]): Fault {
  return { ...fault(name, null, expects), message: `must be ${expects}; ${length} were sent` }
}

function readItems<T>(name: string, item: Item<T>, values: readonly unknown[]): Reading<readonly T[]> {
  const read: T[] = []
  const faults: Fault[] = []
  for (const value of values) {
    const parsed = typeof value === 'string' ? item.parse(value) : undefined
    if (parsed === undefined) faults.push(itemFault(name, value, item.expects, item.choices))
    else read.push(parsed)
  }
  return faults.length > 0 ? { faults } : { value: read }
}

export function bodySchema(fields: BodyFields): TSchema {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.isRequired ? field.schema : Type.Optional(field.schema),
    ]),
  )
  return Type.Object(properties, { additionalProperties: false })
}
