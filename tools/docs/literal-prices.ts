// Finds literal prices in texts for callers, such as "35 credits". A price is defined only in the `credits` of its
// endpoint: texts take it from there, from `x-credits` in openapi.json or from PRICES in vis-sdk/vocabulary.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrokenReference } from './citations.ts'

const CALLER_TEXTS = [
  'README.md',
  'integrations/**/*',
  '{cli,sdk}/README.md',
  '{cli,sdk,console,service}/src/**/*.{ts,tsx}',
]

/** A number before "credit" or after "Credits charged:", even if a comment wraps between them. */
const PRICE = /\b\d+(?:\.\d+)?(?:[ \t]+more)?\s{1,9}(?:\*\s)?credits?\b|\bcredits charged:\s{1,9}(?:\*\s)?\d+/gi

export function findLiteralPrices(root: string): readonly BrokenReference[] {
  const files = globSync(CALLER_TEXTS, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const path = join(parentPath, name)
    const text = readFileSync(path, 'utf8')
    return Array.from(text.matchAll(PRICE), ({ 0: price, index }) => ({
      at: `${path.slice(root.length + 1)}:${text.slice(0, index).split('\n').length}`,
      reference: price.replace(/\s+/g, ' '),
      fault: 'A price stands in the endpoint alone. Take it from PRICES of vis-sdk/vocabulary, or from the endpoint.',
    }))
  })
}
