// JSON for a file that people read and compare: a value that fits into a line stays on one.
const WIDTH = 160
const INDENT = 2

/** Prints a JSON value in lines of at most 160 characters where its parts allow that. */
export function printJson(value: unknown): string {
  return print(JSON.parse(JSON.stringify(value)), 0, 0)
}

/** `before` is the number of characters that precede the value on its line, without the indent. */
function print(value: unknown, depth: number, before: number): string {
  const short = printInLine(value)
  if (typeof value !== 'object' || value === null || depth * INDENT + before + short.length < WIDTH) return short
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const pad = ' '.repeat(INDENT * (depth + 1))
  const items = Object.entries(value).map(([name, item]) => {
    const key = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `
    return `${pad}${key}${print(item, depth + 1, key.length)}`
  })
  return `${open}\n${items.join(',\n')}\n${' '.repeat(INDENT * depth)}${close}`
}

function printInLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printInLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${printInLine(item)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
