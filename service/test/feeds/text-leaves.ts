// Finds and replaces the strings in a parsed record.

/** Member names and list indexes that lead to a string. */
export type TextPath = readonly (string | number)[]

/** Returns the paths of all strings. Values that are neither plain objects nor lists, such as maps, have none. */
export function listTexts(value: unknown, path: TextPath = []): TextPath[] {
  if (typeof value === 'string') return [path]
  if (Array.isArray(value)) return value.flatMap((each, index) => listTexts(each, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => listTexts(member, [...path, name]))
}

/** Returns a copy of the record with another string at the path. */
export function replaceText(value: unknown, path: TextPath, text: string): unknown {
  const [first, ...rest] = path
  if (first === undefined) return text
  if (Array.isArray(value)) return value.map((each, index) => (index === first ? replaceText(each, rest, text) : each))
  return { ...(value as object), [first]: replaceText((value as Record<string, unknown>)[first], rest, text) }
}

export function readText(value: unknown, path: TextPath): string {
  return String(path.reduce<unknown>((inner, name) => (inner as Record<string | number, unknown>)[name], value))
}
