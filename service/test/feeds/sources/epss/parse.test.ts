import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FeedError, type Reading } from '../../../../src/feeds/feed.ts'
import { normaliseEpss } from '../../../../src/feeds/sources/epss/normalise.ts'
import { readHeader, readScores } from '../../../../src/feeds/sources/epss/parse.ts'
import { writeTemporaryFile } from '../../temporary-files.ts'
import { buildFile, buildLines, MODEL } from './fixtures.ts'

async function readAll(content: string | Buffer): Promise<Reading<unknown>[]> {
  const path = await writeTemporaryFile('scores.csv', content)
  const { columnCount } = await readHeader(path)
  const all: Reading<unknown>[] = []
  for await (const each of readScores(path, columnCount)) all.push(each)
  return all
}

describe('EPSS parser', () => {
  it.each([
    ['2026-08-15T12:03:00Z', '2026-08-15T12:03:00Z'],
    ['2024-03-17T00:00:00+0000', '2024-03-17T00:00:00Z'],
    ['2024-03-17T02:30:00+02:30', '2024-03-17T00:00:00Z'],
  ])('reads the model version and the score date %s', async (scored, instant) => {
    expect(
      await readHeader(await writeTemporaryFile('scores.csv', buildFile(buildLines(1), { scored }))),
    ).toMatchObject({
      modelVersion: MODEL,
      scoredAt: new Date(instant),
    })
  })

  it('reads gzip-compressed EPSS files and CRLF line endings', async () => {
    const text = buildFile(buildLines(3))
    const expected = await readAll(text)
    expect(expected).toHaveLength(3)
    expect(await readAll(gzipSync(text))).toEqual(expected)
    expect(await readAll(text.replaceAll('\n', '\r\n'))).toEqual(expected)
  })

  it('reads all lines of an EPSS file that is longer than one chunk', async () => {
    const all = await readAll(buildFile(buildLines(30_000)))
    expect(all).toEqual(
      buildLines(30_000).map((line) => ({ raw: expect.objectContaining({ cve: line.slice(0, 14) }) })),
    )
  })

  it('ignores additional columns in an EPSS file', async () => {
    const more = buildFile(['CVE-2024-0001,0.5,0.9,high']).replace('percentile', 'percentile,band')
    expect(await readAll(more)).toEqual([{ raw: { cve: 'CVE-2024-0001', epss: '0.5', percentile: '0.9' } }])
  })

  it('rejects each EPSS line with the wrong number of values', async () => {
    expect(
      await readAll(buildFile(['CVE-2024-0001,0.5', 'CVE-2024-0002,0.5,0.9', '', 'CVE-2024-0003,0,5,0,9'])),
    ).toEqual([
      { rejected: 'CVE-2024-0001', reason: 'the line has 2 values, expected 3' },
      { raw: { cve: 'CVE-2024-0002', epss: '0.5', percentile: '0.9' } },
      { rejected: '', reason: 'the line has 1 values, expected 3' },
      { rejected: 'CVE-2024-0003', reason: 'the line has 5 values, expected 3' },
    ])
  })
})

describe('EPSS parser: invalid files', () => {
  const text = buildFile(buildLines(20))

  it.each([
    ['without a model version', text.replace(/^.*\n/, ''), 'its first line is'],
    ['without a score date', text.replace(/,score_date.*/, ''), 'its first line is'],
    ['with an impossible score date', text.replace('2026-08-20', '2026-02-30'), 'score_date:2026-02-30'],
    [
      'without percentiles',
      text.replace(',percentile', ''),
      'its second line is "cve,epss", expected "cve,epss,percentile"',
    ],
    [
      'with only the first line',
      text.slice(0, text.indexOf('\n') + 1),
      'its second line is empty, expected "cve,epss,percentile"',
    ],
    ['without scores', buildFile([]), 'The EPSS file contains no scores.'],
    ['with a first line of 5,000 characters', 'x'.repeat(5000), 'a line has more than 1000 characters'],
    ['with a last line of 5,000 characters', text + 'x'.repeat(5000), 'a line has more than 1000 characters'],
  ])('rejects an EPSS file %s', async (_case, content, message) => {
    const error: unknown = await readAll(content).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(FeedError)
    expect(String(error)).toContain(message)
  })
})

describe('EPSS feed: normalising a score', () => {
  const release = { modelVersion: MODEL, scoredAt: '2026-08-20T12:03:00Z' }
  const normalise = (cve: string, epss: string, percentile = '0.5') =>
    normaliseEpss({ line: { cve, epss, percentile }, release })

  it.each([
    ['0', 0],
    ['1', 1],
    ['1.00000', 1],
    ['.5', 0.5],
    ['9e-05', 0.00009],
    ['1E-5', 0.00001],
    ['0.943580000', 0.94358],
  ])('accepts an EPSS score written as %s', (text, value) => {
    expect(normalise('CVE-2024-0001', text, text)).toMatchObject({ score: value, percentile: value })
  })

  it.each(['1.2', '1.00001', '-0.1', 'NaN', 'nan', 'Infinity', '', ' ', '0.5 ', '0x1', '0,5', '1e5', '½', '0.1.2'])(
    'rejects "%s" as an EPSS score and as a percentile',
    (text) => {
      expect(normalise('CVE-2024-0001', text)).toEqual({
        rejected: 'CVE-2024-0001',
        reason: `score is not a number from 0 to 1: "${text}"`,
      })
      expect(normalise('CVE-2024-0001', '0.5', text)).toEqual({
        rejected: 'CVE-2024-0001',
        reason: `percentile is not a number from 0 to 1: "${text}"`,
      })
    },
  )

  it.each(['CVE-2024-01234', 'CVE-2024-123', 'GHSA-jfh8-c2jp-5v3q', ''])('rejects the CVE id "%s"', (id) => {
    expect(normalise(id, '0.5')).toEqual({ rejected: id, reason: 'not a CVE id' })
  })
})
