// The record of regular expressions that recheck has proved linear. It exists because recheck needs about a minute for
// all of them.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const FILE = 'tools/linear-expressions.txt'
const { version }: { version: string } = createRequire(import.meta.url)('recheck/package.json')

/** Returns an expression's line in the record. A new version of recheck invalidates all lines. */
export function hashExpression(expression: string): string {
  return createHash('sha256').update(`recheck ${version} ${expression}`).digest('hex').slice(0, 32)
}

/** Returns the lines of the record, or none if there is no record. */
export function readLinearExpressions(root: string): ReadonlySet<string> {
  const path = join(root, FILE)
  return new Set(existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [])
}

export function writeLinearExpressions(root: string, expressions: readonly string[]): void {
  const lines = [...new Set(expressions.map(hashExpression))].sort()
  writeFileSync(join(root, FILE), `${lines.join('\n')}\n`)
}
