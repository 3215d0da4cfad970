import { describe, expect, it } from 'vitest'
import { createProgressLine, formatDuration, formatProgress } from '../../../src/commands/output/progress.ts'

const progress = {
  feed: 'nvd',
  delivery: 'nvdcve-2.0-2014.json.gz',
  phase: 'reading' as const,
  read: 104_233,
  bytes: { done: 62, total: 100 },
}

describe('Progress line of vis-server sync', () => {
  it('shows the number of records, the rate and the estimated time left', () => {
    expect(formatProgress(progress, 10)).toBe(
      'nvd  104,233 records  10,423/s  62 %  about 6 s left  nvdcve-2.0-2014.json.gz',
    )
  })

  it('shows no remaining time before it can be estimated', () => {
    expect(formatProgress({ ...progress, bytes: { done: 0, total: 100 } }, 10)).toContain('time left unknown')
    const { bytes: _, ...sizeUnknown } = progress
    expect(formatProgress(sizeUnknown, 10)).toBe('nvd  104,233 records  10,423/s  nvdcve-2.0-2014.json.gz')
  })

  it('shows that a file is being stored', () => {
    expect(formatProgress({ ...progress, phase: 'storing' }, 10)).toBe(
      'nvd  104,233 records  10,423/s  62 %  storing nvdcve-2.0-2014.json.gz',
    )
  })

  it("rewrites one line on a terminal and truncates it to the terminal's width", () => {
    const written: string[] = []
    let ms = 0
    const line = createProgressLine({ isTTY: true, columns: 40, write: (text) => written.push(text) }, () => ms)
    for (ms of [0, 50, 101]) line.show(progress)
    line.clear()

    expect(written).toHaveLength(3)
    expect(written[0]).toContain('\r\u001B[2Knvd  104,233 records')
    expect(written[0]?.length).toBe('\r\u001B[2K'.length + 39)
    expect(written[2]).toBe('\r\u001B[2K')
  })

  it('assumes 120 columns on a terminal that reports a width of 0', () => {
    const written: string[] = []
    createProgressLine({ isTTY: true, columns: 0, write: (text) => written.push(text) }, () => 0).show(progress)
    expect(written[0]).toMatch(/nvdcve-2\.0-2014\.json\.gz$/)
  })

  it('prints a plain line every 5 s if the output is not a terminal', () => {
    const written: string[] = []
    let ms = 0
    const line = createProgressLine({ write: (text) => written.push(text) }, () => ms)
    for (ms of [0, 1000, 4999, 5000, 6000, 10_001]) line.show(progress)
    line.clear()

    expect(written).toHaveLength(2)
    expect(written.every((text) => /^nvd.*\n$/.test(text))).toBe(true)
  })
})

describe('formatDuration', () => {
  it.each([
    [5, '5 s'],
    [89, '89 s'],
    [120, '2 min'],
    [3 * 3600, '3 h'],
    [86_400 * 3, '3 days'],
  ])('formats %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })
})
