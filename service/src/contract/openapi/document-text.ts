// The text of openapi.json.

const MAX_WIDTH = 120

/** Writes an object without nested objects on one line if it fits, and everything else with one member per line. */
export function formatDocument(document: unknown): string {
  return `${formatValue(document, '', 0)}\n`
}

/** `offset` is the width of what stands on the line before the value. */
function formatValue(value: unknown, indent: string, offset: number): string {
  if (!isObject(value)) return JSON.stringify(value)
  const line = formatLine(value)
  if (line !== undefined && offset + line.length < MAX_WIDTH) return line
  const inner = `${indent}  `
  const lines = Object.entries(value).map(([name, each]) => {
    const start = Array.isArray(value) ? inner : `${inner}${JSON.stringify(name)}: `
    return `${start}${formatValue(each, inner, start.length)}`
  })
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** Returns undefined for a value that contains objects. */
function formatLine(value: object): string | undefined {
  if (Array.isArray(value))
    return value.some(isObject) ? undefined : `[${value.map((each) => JSON.stringify(each)).join(', ')}]`
  const members = Object.entries(value).map(([name, each]) => {
    const text = isObject(each) ? (Array.isArray(each) ? formatLine(each) : undefined) : JSON.stringify(each)
    return text && `${JSON.stringify(name)}: ${text}`
  })
  if (members.includes(undefined)) return undefined
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
