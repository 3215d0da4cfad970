import { describe, expect, it } from 'vitest'
import { warnOfSmallHeap } from '../../src/commands/heap-room.ts'
import { createLog } from '../../src/log.ts'

/** What is logged with so much for the cache, in a heap of such a size. */
function said(cacheMegabytes: number, heapMegabytes?: number): readonly string[] {
  const lines: string[] = []
  warnOfSmallHeap(cacheMegabytes, createLog('info', { write: (line: string) => void lines.push(line) }), heapMegabytes)
  return lines
}

describe('The heap of a node', () => {
  it('has room for the usual cache as we deploy it', () => expect(said(64, 320)).toEqual([]))

  it('is compared with the cache, and whoever gave that more is told what to start the node with', () => {
    const [line = '', ...more] = said(500, 512)
    expect(more).toEqual([])
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      heapMegabytes: 512,
      msg: expect.stringContaining('node --max-old-space-size=750, or lower CVE_CACHE_MB'),
    })
  })

  it('is that of this very process', () => expect(said(1_000_000)).toHaveLength(1))
})
