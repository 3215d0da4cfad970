// Reading JSON that others wrote: a member that is missing, or of another type than expected, is simply not there.

export type JsonObject = Readonly<Record<string, unknown>>

const NOTHING: JsonObject = Object.freeze({})

/** Undefined for text that is not the JSON of an object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An empty one where there is none, so that members of members can be read in one go. */
export function objectIn(of: JsonObject, name: string): JsonObject {
  const value = of[name]
  return isObject(value) ? value : NOTHING
}

export function objectsIn(of: JsonObject, name: string): readonly JsonObject[] {
  return listIn(of, name).filter(isObject)
}

export function textsIn(of: JsonObject, name: string): readonly string[] {
  return listIn(of, name).filter((each) => typeof each === 'string')
}

function listIn(of: JsonObject, name: string): readonly unknown[] {
  const value = of[name]
  return Array.isArray(value) ? value : []
}

/** Without the space around it; null where nothing is left. */
export function textIn(of: JsonObject, name: string): string | null {
  const value = of[name]
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' ? null : text
}

export function numberIn(of: JsonObject, name: string): number | null {
  const value = of[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function isTrueIn(of: JsonObject, name: string): boolean {
  return of[name] === true
}
