// Formats rows in the text format of PostgreSQL's COPY: one line per row, columns separated by tabs.

export type CopyValue = string | number | boolean | Date | Buffer | readonly string[] | null

const SPECIAL_CHARACTERS = /[\\\t\n\r]/g
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const CHUNK_CHARACTERS = 64 * 1024

export function formatCopyLine(values: readonly CopyValue[]): string {
  return `${values.map(formatCopyValue).join('\t')}\n`
}

/** Joins many lines into each chunk, because a stream has a fixed cost per chunk. */
export function* formatCopyChunks(rows: Iterable<readonly CopyValue[]>): Generator<string, void, undefined> {
  let chunk = ''
  for (const row of rows) {
    chunk += formatCopyLine(row)
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

function formatCopyValue(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return escapeText(value)
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  if (typeof value === 'object') return escapeText(formatArrayLiteral(value))
  return String(value)
}

/** Every item is quoted, so only quotes and backslashes need escaping. */
function formatArrayLiteral(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Searching for single characters is faster than the regular expression, and most texts contain none of them. */
function escapeText(text: string): string {
  if (!text.includes('\\') && !text.includes('\n') && !text.includes('\t') && !text.includes('\r')) return text
  return text.replace(SPECIAL_CHARACTERS, (character) => ESCAPES[character] ?? character)
}
