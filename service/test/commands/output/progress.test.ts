import { describe, expect, it } from 'vitest'
import { duration, progressLine, progressText } from '../../../src/commands/output/progress.ts'

const progress = {
  feed: 'nvd',
  delivery: 'nvdcve-2.0-2014.json.gz',
  phase: 'reading' as const,
  read: 104_233,
  bytes: { done: 62, total: 100 },
}

describe('the progress of a sync', () => {
  it('tells records, rate and what is left', () => {
    expect(progressText(progress, 10)).toBe(
      'nvd  104,233 records  10,423/s  62 %  about 6 s left  nvdcve-2.0-2014.json.gz',
    )
  })

  it('promises nothing before it can tell', () => {
    expect(progressText({ ...progress, bytes: { done: 0, total: 100 } }, 10)).toContain('time left unknown')
    const { bytes: _, ...sizeUnknown } = progress
    expect(progressText(sizeUnknown, 10)).toBe('nvd  104,233 records  10,423/s  nvdcve-2.0-2014.json.gz')
  })

  it('says when the database is busy', () => {
    expect(progressText({ ...progress, phase: 'storing' }, 10)).toBe(
      'nvd  104,233 records  10,423/s  62 %  storing nvdcve-2.0-2014.json.gz',
    )
  })

  it('rewrites one line on a terminal, no wider than it', () => {
    const written: string[] = []
    let ms = 0
    const line = progressLine({ isTTY: true, columns: 40, write: (text) => written.push(text) }, () => ms)
    for (ms of [0, 50, 101]) line.show(progress)
    line.clear()

    expect(written).toHaveLength(3)
    expect(written[0]).toContain('\r\u001B[2Knvd  104,233 records')
    expect(written[0]?.length).toBe('\r\u001B[2K'.length + 39)
    expect(written[2]).toBe('\r\u001B[2K')
  })

  it('does not lose its end on a terminal that does not know its width', () => {
    const written: string[] = []
    progressLine({ isTTY: true, columns: 0, write: (text) => written.push(text) }, () => 0).show(progress)
    expect(written[0]).toMatch(/nvdcve-2\.0-2014\.json\.gz$/)
  })

  it('is a plain line every few seconds elsewhere', () => {
    const written: string[] = []
    let ms = 0
    const line = progressLine({ write: (text) => written.push(text) }, () => ms)
    for (ms of [0, 1000, 4999, 5000, 6000, 10_001]) line.show(progress)
    line.clear()

    expect(written).toHaveLength(2)
    expect(written.every((text) => /^nvd.*\n$/.test(text))).toBe(true)
  })
})

describe('a duration', () => {
  it.each([
    [5, '5 s'],
    [89, '89 s'],
    [120, '2 min'],
    [3 * 3600, '3 h'],
    [86_400 * 3, '3 days'],
  ])('of %d seconds reads %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text)
  })
})
