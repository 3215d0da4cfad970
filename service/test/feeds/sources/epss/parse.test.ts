import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FeedError, type Reading } from '../../../../src/feeds/feed.ts'
import { normaliseEpss } from '../../../../src/feeds/sources/epss/normalise.ts'
import { readHead, readScores } from '../../../../src/feeds/sources/epss/parse.ts'
import { fileWith } from '../../one-file.ts'
import { lines, MODEL, scores } from './fixtures.ts'

async function readAll(content: string | Buffer): Promise<Reading<unknown>[]> {
  const path = await fileWith('scores.csv', content)
  const { columnCount } = await readHead(path)
  const all: Reading<unknown>[] = []
  for await (const each of readScores(path, columnCount)) all.push(each)
  return all
}

describe('A file of EPSS scores', () => {
  it.each([
    ['2026-08-15T12:03:00Z', '2026-08-15T12:03:00Z'],
    ['2024-03-17T00:00:00+0000', '2024-03-17T00:00:00Z'],
    ['2024-03-17T02:30:00+02:30', '2024-03-17T00:00:00Z'],
  ])('says of which model and when its scores are: %s', async (scored, instant) => {
    expect(await readHead(await fileWith('scores.csv', scores(lines(1), { scored })))).toMatchObject({
      modelVersion: MODEL,
      scoredAt: new Date(instant),
    })
  })

  it('has one score a line', async () => {
    expect(await readAll(scores(['CVE-1999-0001,0.03351,0.87650', 'CVE-1999-0002,0.27858,0.97929']))).toEqual([
      { raw: { cve: 'CVE-1999-0001', epss: '0.03351', percentile: '0.87650' } },
      { raw: { cve: 'CVE-1999-0002', epss: '0.27858', percentile: '0.97929' } },
    ])
  })

  it('may be packed with gzip, and may end its lines as Windows does', async () => {
    const text = scores(lines(3))
    const expected = await readAll(text)
    expect(expected).toHaveLength(3)
    expect(await readAll(gzipSync(text))).toEqual(expected)
    expect(await readAll(text.replaceAll('\n', '\r\n'))).toEqual(expected)
  })

  it('is read whole, however the lines fall into pieces', async () => {
    const all = await readAll(scores(lines(30_000)))
    expect(all).toEqual(lines(30_000).map((line) => ({ raw: expect.objectContaining({ cve: line.slice(0, 14) }) })))
  })

  it('may have more columns than we know', async () => {
    const more = scores(['CVE-2024-0001,0.5,0.9,high']).replace('percentile', 'percentile,band')
    expect(await readAll(more)).toEqual([{ raw: { cve: 'CVE-2024-0001', epss: '0.5', percentile: '0.9' } }])
  })

  it('may have lines that cannot be read: each is rejected alone', async () => {
    expect(await readAll(scores(['CVE-2024-0001,0.5', 'CVE-2024-0002,0.5,0.9', '', 'CVE-2024-0003,0,5,0,9']))).toEqual([
      { rejected: 'CVE-2024-0001', reason: '2 values, where 3 are expected' },
      { raw: { cve: 'CVE-2024-0002', epss: '0.5', percentile: '0.9' } },
      { rejected: '', reason: '1 values, where 3 are expected' },
      { rejected: 'CVE-2024-0003', reason: '5 values, where 3 are expected' },
    ])
  })
})

describe('A file that cannot be used', () => {
  const text = scores(lines(20))

  it.each([
    [
      'is a web page',
      '<!DOCTYPE html>\n<title>Sign in</title>\n',
      'the first line should be "#model_version:…,score_date:…", and is "<!DOCTYPE html>"',
    ],
    ['does not say which model it is of', text.replace(/^.*\n/, ''), 'the first line should be'],
    ['does not say of which day it is', text.replace(/,score_date.*/, ''), 'the first line should be'],
    ['is of a day that never was', text.replace('2026-08-20', '2026-02-30'), 'score_date:2026-02-30'],
    [
      'has no percentiles',
      text.replace(',percentile', ''),
      'the second line should be "cve,epss,percentile", and is "cve,epss"',
    ],
    [
      'has only the first line',
      text.slice(0, text.indexOf('\n') + 1),
      'the second line should be "cve,epss,percentile", and is empty',
    ],
    ['has no scores', scores([]), 'There is not one score in the file.'],
    ['ends in the middle of a number', text.slice(0, -4), 'The file ends in the middle of a line'],
    ['is one endless line', 'x'.repeat(5000), 'a line has more than 1000 characters'],
    ['has an endless line in it', text + 'x'.repeat(5000), 'a line has more than 1000 characters'],
    ['is packed, and cut off', gzipSync(text).subarray(0, -10), 'is cut off'],
    ['is empty', '', 'is empty'],
  ])('because it %s is a fault that says so', async (_why, content, words) => {
    const fault: unknown = await readAll(content).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(FeedError)
    expect(String(fault)).toContain(words)
  })
})

describe('A score', () => {
  const release = { modelVersion: MODEL, scoredAt: '2026-08-20T12:03:00Z' }
  const normalise = (cve: string, epss: string, percentile = '0.5') =>
    normaliseEpss({ line: { cve, epss, percentile }, release })

  it('belongs to its model and its day', () => {
    expect(normalise('CVE-2024-0001', '0.03351', '0.87650')).toEqual({
      cveId: 'CVE-2024-0001',
      score: 0.03351,
      percentile: 0.8765,
      ...release,
    })
  })

  it.each([
    ['0', 0],
    ['1', 1],
    ['1.00000', 1],
    ['.5', 0.5],
    ['9e-05', 0.00009],
    ['1E-5', 0.00001],
    ['0.943580000', 0.94358],
  ])('may be written %s', (text, value) => {
    expect(normalise('CVE-2024-0001', text, text)).toMatchObject({ score: value, percentile: value })
  })

  it.each(['1.2', '1.00001', '-0.1', 'NaN', 'nan', 'Infinity', '', ' ', '0.5 ', '0x1', '0,5', '1e5', '½', '0.1.2'])(
    'is never "%s"',
    (text) => {
      expect(normalise('CVE-2024-0001', text)).toEqual({
        rejected: 'CVE-2024-0001',
        reason: `its score is no number from 0 to 1: "${text}"`,
      })
      expect(normalise('CVE-2024-0001', '0.5', text)).toEqual({
        rejected: 'CVE-2024-0001',
        reason: `its percentile is no number from 0 to 1: "${text}"`,
      })
    },
  )

  it.each(['CVE-2024-01234', 'CVE-2024-123', 'GHSA-jfh8-c2jp-5v3q', ''])('is never that of "%s"', (id) => {
    expect(normalise(id, '0.5')).toEqual({ rejected: id, reason: 'not a CVE id' })
  })
})
