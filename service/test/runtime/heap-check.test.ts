import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../src/log.ts'
import { warnOfSmallHeap } from '../../src/runtime/heap-check.ts'
import { NODE_ARGUMENTS } from '../support/processes/deployed-node.ts'

/** What is logged with so much for the cache, by a node that was started so. */
function said(cacheMegabytes: number, args?: readonly string[]): readonly string[] {
  const lines: string[] = []
  warnOfSmallHeap(cacheMegabytes, createLog('info', { write: (line: string) => void lines.push(line) }), args)
  return lines
}

describe('The heap of a node', () => {
  it('has room for the usual cache as we deploy it, and for no more', () => {
    expect(said(64, NODE_ARGUMENTS)).toEqual([])
    expect(said(65, NODE_ARGUMENTS)).toHaveLength(1)
  })

  it('is compared with the cache, and whoever gave that more is told what to start the node with', () => {
    const [line = ''] = said(500, ['--max_old_space_size=100', '--max-old-space-size=512'])
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      boundMegabytes: 512,
      msg: expect.stringContaining('node --max-old-space-size=756, or lower CVE_CACHE_MB'),
    })
  })

  it('is not spoken of where nobody bounds it', () => expect(said(1_000_000, [])).toEqual([]))

  it('is bounded by what Node itself was started with', () => {
    const module = new URL('../../src/runtime/heap-check.ts', import.meta.url).href
    const program = `(await import('${module}')).warnOfSmallHeap(100, { warn: (told) => console.log(told.boundMegabytes) })`
    const args = [...NODE_ARGUMENTS, '--input-type=module', '--eval', program]
    expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trim()).toBe('320')
  })
})
