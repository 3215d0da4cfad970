import { describe, expect, it } from 'vitest'
import { issueKey } from '../src/accounts/api-key.ts'
import { createLog } from '../src/log.ts'

const { key } = issueKey('live')

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('info', { write: (line) => void lines.push(line) }))
  return lines.join('')
}

describe('A key in a log line', () => {
  it.each([
    ['under its own name', (log: ReturnType<typeof createLog>) => log.info({ key })],
    ['in a header', (log: ReturnType<typeof createLog>) => log.info({ request: { headers: { 'x-api-key': key } } })],
    ['in the message', (log: ReturnType<typeof createLog>) => log.info(`called with ${key} today`)],
    ['in an error', (log: ReturnType<typeof createLog>) => log.error({ err: new Error(`bad key ${key}`) })],
    ['deep inside', (log: ReturnType<typeof createLog>) => log.info({ a: { b: { c: [`x${key}y`] } } })],
  ])('%s is redacted', (_where, write) => {
    const text = logged(write)
    expect(text).not.toContain(key.slice(9))
    expect(text).toContain('[redacted]')
  })

  it('leaves the line valid JSON', () => {
    expect(() => JSON.parse(logged((log) => log.info({ note: `"${key}"\n` })))).not.toThrow()
  })
})

describe('Text of a caller in a log line', () => {
  it('cannot start a line of its own', () => {
    expect(
      logged((log) => log.info({ clientRequestId: 'x\n{"level":"fatal"}' }))
        .trim()
        .split('\n'),
    ).toHaveLength(1)
  })
})
