import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../src/log.ts'
import { warnIfHeapTooSmall } from '../../src/runtime/heap-check.ts'
import { NODE_ARGUMENTS } from '../support/processes/deployed-node.ts'

/** Returns the warnings that are logged for a cache size and the arguments of the Node process. */
function captureWarnings(cacheMegabytes: number, args?: readonly string[]): readonly string[] {
  const lines: string[] = []
  warnIfHeapTooSmall(cacheMegabytes, createLog('info', { write: (line: string) => void lines.push(line) }), args)
  return lines
}

describe('warnIfHeapTooSmall', () => {
  it('accepts the deployed heap limit with the default cache size and warns with a larger cache', () => {
    expect(captureWarnings(64, NODE_ARGUMENTS)).toEqual([])
    expect(captureWarnings(65, NODE_ARGUMENTS)).toHaveLength(1)
  })

  it('logs the heap limit that the configured cache needs', () => {
    const [line = ''] = captureWarnings(500, ['--max_old_space_size=100', '--max-old-space-size=512'])
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      limitMegabytes: 512,
      msg: expect.stringContaining('node --max-old-space-size=756, or lower CVE_CACHE_MB'),
    })
  })

  it('compares the cache with the limit that V8 chose if Node was started without a heap limit', () => {
    expect(captureWarnings(64, [])).toEqual([])
    expect(captureWarnings(1_000_000, [])).toHaveLength(1)
  })

  it('reads the heap limit from the arguments of the Node process and from NODE_OPTIONS', () => {
    const module = new URL('../../src/runtime/heap-check.ts', import.meta.url).href
    const program = `(await import('${module}')).warnIfHeapTooSmall(100, { warn: (fields) => console.log(fields.limitMegabytes) })`
    const args = ['--input-type=module', '--eval', program]
    const env = { ...process.env, NODE_OPTIONS: NODE_ARGUMENTS.join(' ') }
    const outputs = [
      spawnSync(process.execPath, [...NODE_ARGUMENTS, ...args], { encoding: 'utf8' }).stdout,
      spawnSync(process.execPath, args, { encoding: 'utf8', env }).stdout,
    ]
    expect(outputs.map((output) => output.trim())).toEqual(['320', '320'])
  })
})
