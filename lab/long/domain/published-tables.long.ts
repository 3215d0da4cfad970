// Compares all versions of the test tables that the authors of apk-tools and NuGet keep. The tables are not part of the
// repository. A line of a table is `1.0 < 1.1`, or `!1..0` for a text that is no version; `#` begins a comment.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SCHEMES } from '../../../service/src/domain/version/schemes.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const folder = realData('the tables of versions of apk-tools and NuGet', 'data-more') ?? ''

const TABLES = [
  {
    scheme: 'apk',
    file: 'apk.txt',
    // apk compares invalid versions up to the first wrong character; for us, their order is unknown.
    invalid: ['23_foo', '1.0bc', '3.6.9_post1'],
    pairs: 700,
  },
  { scheme: 'nuget', file: 'nuget.txt', invalid: [], pairs: 40 },
] as const

/** A comparison; the operators of apk with `~` look for a common beginning, which is not part of the order. */
const COMPARISON = /^(\S+(?: +\S+)*?)\s+(!?[<>=]|!=)\s+(\S+)$/

describe.each(TABLES)('Test table of $scheme', ({ scheme, file, invalid, pairs }) => {
  const path = join(folder, 'version-tables', file)
  const isMissing = folder === '' || !existsSync(path)
  if (isMissing)
    process.stderr.write(`SKIPPED: the test table of ${scheme}. It belongs to data-more/version-tables/${file}.\n`)

  it.skipIf(isMissing)('agrees on all pairs of valid versions', () => {
    const rows = readTable(path).flatMap((line) => COMPARISON.exec(line)?.slice(1, 4) ?? [])
    const comparisons = Array.from({ length: rows.length / 3 }, (_, index) => rows.slice(3 * index, 3 * index + 3))
    const isInvalid = (text: string) => invalid.some((each) => each === text)
    const readable = comparisons.filter((row) => !row.some(isInvalid))
    const wrong = readable.filter(([a = '', operator = '', b = '']) => !holds(SCHEMES[scheme].compare(a, b), operator))

    process.stdout.write(`${scheme}: ${readable.length} of ${comparisons.length} pairs are of valid versions\n`)
    expect(readable.length).toBeGreaterThan(pairs)
    expect(wrong).toEqual([])
  })

  it.skipIf(isMissing)('has no order for the texts that the table calls invalid', () => {
    const texts = readTable(path)
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))

    expect(texts.length).toBeGreaterThan(10)
    expect(texts.filter((text) => SCHEMES[scheme].compare(text, text) !== undefined)).toEqual([])
  })
})

function readTable(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.map((line) => line.replace(/#.*/, '').trimEnd()).filter((line) => line !== '')
}

function holds(order: number | undefined, operator: string): boolean {
  if (order === undefined) return false
  const sign = '<=>'[Math.sign(order) + 1]
  return operator.startsWith('!') ? operator !== `!${sign}` : operator === sign
}
