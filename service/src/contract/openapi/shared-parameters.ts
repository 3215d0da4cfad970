// Makes openapi.json contain each parameter only once, even if several operations have it.
type Json = Record<string, unknown>

interface SharedParameters {
  /** The shared parameters by the names of their components. */
  readonly components: Json
  /** Returns the paths with references in place of shared parameters. */
  refer(paths: Json): Json
}

/** A component is named after its parameter. If several parameters have the same name, the first one gets it. */
export function shareParameters(paths: Json): SharedParameters {
  const counts = new Map<string, number>()
  for (const parameter of listParameters(paths)) {
    const text = JSON.stringify(parameter)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const names = new Map<string, string>()
  const taken = new Map<string, number>()
  for (const [text, count] of counts) {
    if (count < 2) continue
    const { name }: { name: string } = JSON.parse(text)
    const position = (taken.get(name) ?? 0) + 1
    taken.set(name, position)
    names.set(text, position === 1 ? name : `${name}.${position}`)
  }
  return {
    components: Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text)])),
    refer: (all) =>
      mapOperations(all, (operation) => ({
        ...operation,
        parameters: operation.parameters.map((each) => {
          const name = names.get(JSON.stringify(each))
          return name === undefined ? each : { $ref: `#/components/parameters/${name}` }
        }),
      })),
  }
}

interface Operation {
  readonly parameters: readonly unknown[]
}

function listParameters(paths: Json): readonly unknown[] {
  return Object.values(paths).flatMap((path) =>
    // The casts are safe here and below: openapi.ts built the paths, and an operation always has parameters.
    Object.values(path as Record<string, Operation>).flatMap(({ parameters }) => parameters),
  )
}

function mapOperations(paths: Json, map: (operation: Operation) => Operation): Json {
  const mapPath = (path: unknown) =>
    Object.fromEntries(Object.entries(path as Record<string, Operation>).map(([method, each]) => [method, map(each)]))
  return Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, mapPath(methods)]))
}
