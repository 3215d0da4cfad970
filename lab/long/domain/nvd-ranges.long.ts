// Orders the ends of all version ranges of NVD by the generic scheme, and checks each end against its own range.
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { isInside, type VersionRange } from '../../../service/src/domain/version/range.ts'
import { SCHEMES } from '../../../service/src/domain/version/schemes.ts'
import { compareVersions } from '../../../service/src/domain/version/version-order.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const data = realData('the test of all version ranges of NVD') ?? ''

interface NvdMatch {
  readonly versionStartIncluding?: string
  readonly versionStartExcluding?: string
  readonly versionEndIncluding?: string
  readonly versionEndExcluding?: string
}

interface CountedRange {
  readonly range: VersionRange
  /** Number of CPE matches with this range. */
  readonly matches: number
}

describe.skipIf(data === '')('NVD version ranges', () => {
  let ranges: readonly CountedRange[] = []

  beforeAll(async () => {
    ranges = await readRanges()
  })

  it('contain their inclusive ends and exclude their exclusive ends', () => {
    const ends = ranges.filter(({ range }) => !isInverted(range)).flatMap(listEnds)
    const wrong = ends.filter(({ position, expected }) => position !== 'unknown' && position !== expected)
    const unknown = sum(ends.filter(({ position }) => position === 'unknown'))

    report(`${sum(ends)} ends of ranges that are not inverted; ${unknown} with an unknown position; wrong:`, wrong)
    expect(sum(ends)).toBeGreaterThan(300_000)
    expect(wrong).toEqual([])
    expect(unknown).toBeLessThan(sum(ends) / 200)
  })

  it('are inverted in fewer than 700 CPE matches', () => {
    const inverted = ranges.filter(({ range }) => isInverted(range))

    report(`${sum(ranges)} CPE matches with ends; ${sum(inverted)} inverted:`, inverted)
    expect(sum(ranges)).toBeGreaterThan(200_000)
    expect(sum(inverted)).toBeLessThan(700)
  })

  it("are ordered as the catalog's resolver orders them, where it knows the order", () => {
    const contrary = ranges.filter(({ range: { low, high } }) => {
      if (low === undefined || high === undefined) return false
      const [ours, resolver] = [SCHEMES.generic.compare(low, high), compareVersions(low, high)]
      return ours !== undefined && resolver !== undefined && Math.sign(ours) !== Math.sign(resolver)
    })

    report(`${sum(contrary)} CPE matches are ordered otherwise by the resolver:`, contrary)
    expect(contrary).toEqual([])
  })
})

function isInverted({ low, lowIncluded, high, highIncluded }: VersionRange): boolean {
  if (low === undefined || high === undefined) return false
  const order = low === high ? 0 : SCHEMES.generic.compare(low, high)
  return order !== undefined && (order > 0 || (order === 0 && !(lowIncluded && highIncluded)))
}

function listEnds({ range, matches }: CountedRange) {
  const { low, lowIncluded = false, high, highIncluded = false } = range
  return [
    { end: low, isIncluded: lowIncluded },
    { end: high, isIncluded: highIncluded },
  ].flatMap(({ end, isIncluded }) => {
    if (end === undefined) return []
    const expected = isIncluded ? 'inside' : 'outside'
    return [{ range, end, matches, expected, position: isInside(range, end, 'generic') }]
  })
}

function sum(counted: readonly { readonly matches: number }[]): number {
  return counted.reduce((total, { matches }) => total + matches, 0)
}

function report(heading: string, listed: readonly { readonly range: VersionRange }[]): void {
  const lines = listed.slice(0, 30).map(({ range }) => JSON.stringify(range))
  process.stdout.write(`${[heading, ...lines].join('\n  ')}\n`)
}

async function readRanges(): Promise<CountedRange[]> {
  const counts = new Map<string, number>()
  const files = (await readdir(join(data, 'nvd'))).filter((name) => /^nvdcve-.*\.json\.gz$/.test(name))
  for (const file of files) {
    for await (const line of readLines(join(data, 'nvd', file))) {
      for (const key of readMatches(line)) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts].map(([key, matches]) => ({ range: toRange(JSON.parse(key)), matches }))
}

/** Cuts the CPE matches with ends out of a line, because parsing whole records takes ten times as long. */
function readMatches(line: string): string[] {
  const matches = line.match(
    /"version(?:Start|End)(?:In|Ex)cluding":"(?:[^"\\]|\\.)*"(?:,"version(?:Start|End)(?:In|Ex)cluding":"(?:[^"\\]|\\.)*")?/g,
  )
  return (matches ?? []).map((each) => `{${each}}`)
}

function toRange(match: NvdMatch): VersionRange {
  return {
    low: match.versionStartIncluding ?? match.versionStartExcluding,
    lowIncluded: match.versionStartIncluding !== undefined,
    high: match.versionEndIncluding ?? match.versionEndExcluding,
    highIncluded: match.versionEndIncluding !== undefined,
  }
}

function readLines(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY })
}
