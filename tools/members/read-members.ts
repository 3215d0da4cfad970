// Lists the members of all answers in openapi.json.
import { type MemberType, readType, type Schema } from './member-type.ts'

interface Operation {
  readonly parameters?: readonly object[]
  readonly responses?: Readonly<Record<string, object>>
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export interface Member {
  readonly name: string
  /** The nearest named schema and the path in it, such as `CveDetail.metrics.severity`. */
  readonly place: string
  readonly type: MemberType
}

type Resolve = <Node extends object>(node: Node) => Node

/** `isKeyed` tells the places of objects whose keys are values. */
export function listMembers(document: Document, isKeyed: (place: string) => boolean): readonly Member[] {
  const resolve = createResolver(document)
  const members: Member[] = []
  const visited = new Set<string>()
  const visit = (schema: Schema, place: string): void => {
    if (schema.$ref !== undefined) {
      if (visited.has(schema.$ref)) return
      visited.add(schema.$ref)
      visit(resolve(schema), schema.$ref.split('/').at(-1) ?? '')
      return
    }
    for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) visit(each, place)
    if (schema.items !== undefined) visit(schema.items, place)
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties, place)
    for (const [name, each] of Object.entries(schema.properties ?? {})) {
      if (!isKeyed(place)) members.push({ name, place: `${place}.${name}`, type: readType(each, resolve) })
      visit(each, `${place}.${name}`)
    }
  }
  for (const { name, operation } of listOperations(document))
    for (const response of Object.values(operation.responses ?? {}))
      for (const schema of listSchemas(resolve(response))) visit(schema, name)
  return members
}

interface OperationNames {
  readonly name: string
  readonly parameters: readonly string[]
  /** The members of `data` in the answer 200. */
  readonly data: readonly string[]
}

export function readOperations(document: Document): readonly OperationNames[] {
  const resolve = createResolver(document)
  return listOperations(document).map(({ name, operation }) => {
    const answer = operation.responses?.['200']
    const [schema] = answer === undefined ? [] : listSchemas(resolve(answer))
    const data = schema && resolve(schema).properties?.['data']
    return {
      name,
      parameters: (operation.parameters ?? []).map((each) =>
        String(new Map(Object.entries(resolve(each))).get('name')),
      ),
      data: Object.keys((data && resolve(data).properties) ?? {}),
    }
  })
}

function listOperations({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.responses !== undefined)
      .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
}

function listSchemas(response: object): readonly Schema[] {
  const { content = {} }: { content?: Readonly<Record<string, { readonly schema?: Schema }>> } = response
  return Object.values(content).flatMap(({ schema }) => schema ?? [])
}

function createResolver({ components }: Document): Resolve {
  return function resolve<Node extends object>(node: Node): Node {
    if (!('$ref' in node)) return node
    const [kind = '', name = ''] = String(node.$ref).split('/').slice(2)
    const found = components[kind]?.[name]
    if (typeof found !== 'object' || found === null) throw new Error(`openapi.json has no ${String(node.$ref)}`)
    // The cast is safe: a reference stands for a node of its own kind.
    return resolve(found as Node)
  }
}
