// Parses one YAML file into a value that PostgreSQL can store. Only what JSON can say is accepted: no tags, no aliases,
// no keys that are not text, and one document.
import { isUtf8 } from 'node:buffer'
import { parseDocument, visit } from 'yaml'
import { sanitizeText } from '../sanitize-text.ts'
import { type ParsedRecord, parseRecord } from './parse-json.ts'

/**
 * No upstream nests deeper than 5. The parser needs a stack frame per level, and the square of the depth in time for
 * `[[[[…`, so deep text is refused before it is parsed.
 */
const MAX_DEPTH = 64

export function parseYamlRecord(bytes: Buffer): ParsedRecord {
  if (!isUtf8(bytes)) return { error: 'not valid UTF-8' }
  const text = bytes.toString('utf8')
  if (findDepth(text) > MAX_DEPTH) return { error: `nested more than ${MAX_DEPTH} levels deep` }
  try {
    const document = parseDocument(text, { schema: 'core', version: '1.2', stringKeys: true, logLevel: 'error' })
    const [problem] = [...document.errors, ...document.warnings]
    if (problem) return { error: sanitizeText(`not YAML: ${problem.message.split('\n', 1)[0]}`) }
    visit(document, {
      Alias: () => {
        throw new Error('aliases are not accepted')
      },
    })
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    return parseRecord(Buffer.from(JSON.stringify(value) ?? ''))
  } catch (error) {
    return { error: sanitizeText(`not YAML: ${error instanceof Error ? error.message : String(error)}`) }
  }
}

/**
 * Returns an upper bound of the depth of collections that do not need a line of their own: those in brackets, and those
 * that a mark such as `- ` begins. Brackets in texts count too; no text has that many open ones.
 */
function findDepth(text: string): number {
  let [open, deepest] = [0, 0]
  for (const line of text.split('\n')) {
    for (const character of line) {
      if (character === '[' || character === '{') open += 1
      else if (character === ']' || character === '}') open = Math.max(0, open - 1)
      deepest = Math.max(deepest, open)
    }
    deepest = Math.max(deepest, countMarks(line))
  }
  return deepest
}

function countMarks(line: string): number {
  let marks = 0
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index)
    if (character === ' ') continue
    if (!'-?:'.includes(character) || line.charAt(index + 1) !== ' ') break
    marks += 1
  }
  return marks
}
