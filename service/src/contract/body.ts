// Fields of a JSON body, read with the same items as the query (decisions B6, B11).
import { type TSchema, Type } from 'typebox'
import { type Fault, fault, type Reading } from './faults.ts'
import type { Item } from './items.ts'

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
      if (value.length < minItems || value.length > maxItems) return { faults: [fault(name, null, expects)] }
      return readItems(name, item, value)
    },
  }
}

function readItems<T>(name: string, item: Item<T>, values: readonly unknown[]): Reading<readonly T[]> {
  const read: T[] = []
  const faults: Fault[] = []
  for (const value of values) {
    const parsed = typeof value === 'string' ? item.parse(value) : undefined
    if (parsed === undefined) faults.push(fault(name, value, item.expects, item.choices))
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
