import { describe, expect, it } from 'vitest'
import { issueKey } from '../src/accounts/api-key.ts'
import { createLog } from '../src/log.ts'

const { key } = issueKey('live')

function captureLog(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('info', { write: (line) => void lines.push(line) }))
  return lines.join('')
}

describe('Log: API keys', () => {
  it.each([
    ['in a field named key', (log: ReturnType<typeof createLog>) => log.info({ key })],
    ['in a header', (log: ReturnType<typeof createLog>) => log.info({ request: { headers: { 'x-api-key': key } } })],
    ['in the message', (log: ReturnType<typeof createLog>) => log.info(`called with ${key} today`)],
    ['in an error', (log: ReturnType<typeof createLog>) => log.error({ err: new Error(`bad key ${key}`) })],
    ['in a nested field', (log: ReturnType<typeof createLog>) => log.info({ a: { b: { c: [`x${key}y`] } } })],
  ])('redacts an API key %s', (_where, write) => {
    const text = captureLog(write)
    expect(text).not.toContain(key.slice(9))
    expect(text).toContain('[redacted]')
  })

  it('writes valid JSON after redacting an API key', () => {
    expect(() => JSON.parse(captureLog((log) => log.info({ note: `"${key}"\n` })))).not.toThrow()
  })
})

describe('Log: text sent by a caller', () => {
  it('escapes line breaks, so that a caller cannot write a log line', () => {
    expect(
      captureLog((log) => log.info({ clientRequestId: 'x\n{"level":"fatal"}' }))
        .trim()
        .split('\n'),
    ).toHaveLength(1)
  })
})
