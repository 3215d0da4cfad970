// The type of a member as openapi.json states it, for comparing members of the same name.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
}

export type MemberType =
  | { readonly kind: 'string' | 'date' | 'date-time' | 'cve_id' | 'number' | 'boolean' | 'unknown' | 'null' }
  | { readonly kind: 'array'; readonly items: MemberType }
  | { readonly kind: 'object'; readonly members: readonly string[] }

/** Null is a form of every type: whether a member can be null does not make another type of it. */
export function readType(schema: Schema, resolve: (schema: Schema) => Schema): MemberType {
  const { type, format, pattern, items, properties, ...rest } = resolve(schema)
  const alternatives = rest.anyOf ?? rest.oneOf
  if (alternatives !== undefined) return readAlternatives(alternatives, resolve)
  const word = 'const' in rest ? rest.const : rest.enum?.find((each) => each !== null)
  const named = [type ?? (word === undefined ? [] : typeof word)].flat().find((each) => each !== 'null')
  switch (named) {
    case 'array':
      return { kind: 'array', items: items === undefined ? { kind: 'unknown' } : readType(items, resolve) }
    case 'object':
      return { kind: 'object', members: Object.keys(properties ?? {}) }
    case 'integer':
    case 'number':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'string':
      if (pattern?.startsWith('^CVE-')) return { kind: 'cve_id' }
      return { kind: format === 'date' || format === 'date-time' ? format : 'string' }
    default:
      return { kind: type === undefined ? 'unknown' : 'null' }
  }
}

function readAlternatives(alternatives: readonly Schema[], resolve: (schema: Schema) => Schema): MemberType {
  const types = alternatives.map((each) => readType(each, resolve)).filter(({ kind }) => kind !== 'null')
  const [first = { kind: 'null' }] = types
  return types.every((each) => isSameType(first, each)) ? first : { kind: 'unknown' }
}

/** An object may leave out members of the other one: `fields`, and answers with less, do the same. */
export function isSameType(one: MemberType, other: MemberType): boolean {
  if (one.kind === 'array' && other.kind === 'array') return isSameType(one.items, other.items)
  if (one.kind !== 'object' || other.kind !== 'object') return one.kind === other.kind
  const [fewer, more] = one.members.length < other.members.length ? [one, other] : [other, one]
  return fewer.members.every((each) => more.members.includes(each))
}

export function describeType(type: MemberType): string {
  if (type.kind === 'array') return `a list of ${describeType(type.items)}`
  return type.kind === 'object' ? `an object {${type.members.join(', ')}}` : type.kind
}
