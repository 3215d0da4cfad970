// Reads members of parsed JSON. A member of an unexpected type counts as missing.

export type JsonObject = Readonly<Record<string, unknown>>

const EMPTY: JsonObject = Object.freeze({})

/** Returns undefined for text that is not a JSON object. */
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

/** Returns an empty object if the member is missing, so that nested members can be read without checks. */
export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isObject(value) ? value : EMPTY
}

export function objectsIn(object: JsonObject, name: string): readonly JsonObject[] {
  return listIn(object, name).filter(isObject)
}

export function textsIn(object: JsonObject, name: string): readonly string[] {
  return listIn(object, name).filter((each) => typeof each === 'string')
}

export function numbersIn(object: JsonObject, name: string): readonly number[] {
  return listIn(object, name).filter((each) => typeof each === 'number')
}

function listIn(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name]
  return Array.isArray(value) ? value : []
}

/** Returns the trimmed text, or null if it is missing or empty. */
export function textIn(object: JsonObject, name: string): string | null {
  const value = object[name]
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' ? null : text
}

export function numberIn(object: JsonObject, name: string): number | null {
  const value = object[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function isTrueIn(object: JsonObject, name: string): boolean {
  return object[name] === true
}
