// A row in COPY's text format: columns between tabs, one line each.

export type CopyValue = string | number | boolean | Date | Buffer | readonly string[] | null

const SPECIAL = /[\\\t\n\r]/g
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(copyText).join('\t')}\n`
}

const CHUNK_CHARACTERS = 64 * 1024

/** Many lines at a time: a stream pays for each of its chunks. */
export function* copyChunks(rows: Iterable<readonly CopyValue[]>): Generator<string, void, undefined> {
  let chunk = ''
  for (const row of rows) {
    chunk += copyLine(row)
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

function copyText(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return escaped(value)
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  if (typeof value === 'object') return escaped(arrayLiteral(value))
  return String(value)
}

/** PostgreSQL's own form of a text[]; whatever could mean something stands between quotes. */
function arrayLiteral(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

function escaped(text: string): string {
  return text.replace(SPECIAL, (character) => ESCAPES[character] ?? character)
}
