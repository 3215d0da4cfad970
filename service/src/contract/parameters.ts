// Parameters of the path and the query: an item, how often it may stand, and what its absence means.
import { type TSchema, Type } from 'typebox'
import { type Fault, fault, itemFault, type Reading } from './validation-issue.ts'
import { type Item, splitList } from './value-types.ts'

/** One occurrence as it came; `isBroken`: its percent-escapes are not UTF-8, `text` is then the raw text. */
export interface Sent {
  readonly text: string
  readonly isBroken: boolean
}

export interface Parameter<T> {
  readonly schema: TSchema
  readonly description: string
  readonly isRequired: boolean
  readonly isList: boolean
  read(name: string, sent: readonly Sent[]): Reading<T>
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>
export type ValuesOf<P> = { readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never }

export function required<T>(item: Item<T>, description: string): Parameter<T> {
  return {
    ...shown(item.schema, description),
    isRequired: true,
    read: (name, sent) => readOne(name, item, sent, { faults: [fault(name, null, item.expects, item.choices)] }),
  }
}

export function optional<T>(item: Item<T>, description: string): Parameter<T | undefined> {
  return {
    ...shown(item.schema, description),
    read: (name, sent) => readOne<T | undefined>(name, item, sent, { value: undefined }),
  }
}

export function withDefault<T extends string | number | boolean>(
  item: Item<T>,
  value: T,
  description: string,
): Parameter<T> {
  return {
    ...shown({ ...item.schema, default: value }, description),
    read: (name, sent) => readOne(name, item, sent, { value }),
  }
}

/** Every fault is reported, so their number must be bounded. */
const MAX_DISTINCT = 100

/** Comma-separated and repeatable; the union of all occurrences. An empty list is absent unless told otherwise. */
export function list<T>(
  item: Item<T>,
  description: string,
  options: { maxItems?: number; isFaultWhenEmpty?: boolean } = {},
): Parameter<readonly T[] | undefined> {
  const { maxItems } = options
  return {
    ...shown(Type.Array(item.schema, maxItems === undefined ? {} : { maxItems }), description),
    isList: true,
    read: (name, sent) => {
      const given = sent.flatMap(({ text, isBroken }) => splitList(text).map((each) => ({ text: each, isBroken })))
      if (given.length === 0 && sent.length > 0 && options.isFaultWhenEmpty) {
        return { faults: [fault(name, '', `a comma-separated list, each ${item.expects}`)] }
      }
      if (given.length === 0) return { value: undefined }
      const distinct = [...new Map(given.map((one) => [one.text, one])).values()]
      const [count, most] = maxItems === undefined ? [distinct.length, MAX_DISTINCT] : [given.length, maxItems]
      if (count > most) return { faults: [fault(name, null, `a list of at most ${most} items; ${count} were sent`)] }
      return readAll(name, item, distinct)
    },
  }
}

function shown(schema: TSchema, description: string) {
  return { schema, description, isRequired: false, isList: false }
}

function readOne<T>(name: string, item: Item<T>, sent: readonly Sent[], absent: Reading<T>): Reading<T> {
  const [first, second] = sent
  if (first === undefined || (item.isAbsentWhenEmpty && first.text === '' && second === undefined)) return absent
  if (second !== undefined) return { faults: [repeated(name, first.text)] }
  if (first.isBroken) return { faults: [broken(name, first)] }
  const value = item.parse(first.text)
  return value === undefined ? { faults: [fault(name, first.text, item.expects, item.choices)] } : { value }
}

function readAll<T>(name: string, item: Item<T>, sent: readonly Sent[]): Reading<readonly T[]> {
  const values = new Set<T>()
  const faults: Fault[] = []
  for (const one of sent) {
    const value = one.isBroken ? undefined : item.parse(one.text)
    if (one.isBroken) faults.push(broken(name, one))
    else if (value === undefined) faults.push(itemFault(name, one.text, item.expects, item.choices))
    else values.add(value)
  }
  return faults.length > 0 ? { faults } : { value: [...values] }
}

function broken(name: string, { text }: Sent): Fault {
  return fault(name, text, 'valid percent-encoded UTF-8')
}

function repeated(name: string, first: string): Fault {
  return { ...fault(name, first, 'sent only once'), message: 'was sent more than once; it takes a single value' }
}
