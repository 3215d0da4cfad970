import { describe, expect, it } from 'vitest'
import { issueKey } from '../src/accounts/keys/api-key.ts'
import { createLog, openFormattedLines } from '../src/log.ts'

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

  it.each([`"${key}"\n`, 'a\tvis_live_a%', 'a\nvis_live_a%25', '\u0001vis_live_%41', `\\${key}`, `a\t${key}%`])(
    'writes valid JSON without the API key for %j',
    (note) => {
      const text = captureLog((log) => log.info({ note }))
      expect(JSON.parse(text).note).toContain('[redacted]')
      expect(text).not.toContain(key.slice(9))
    },
  )
})

describe('Log: text sent by a caller', () => {
  it('escapes line breaks, so that a caller cannot forge a log line', () => {
    expect(
      captureLog((log) => log.info({ clientRequestId: 'x\n{"level":"fatal"}' }))
        .trim()
        .split('\n'),
    ).toHaveLength(1)
  })
})

describe('Log: lines whose members the caller has formatted', () => {
  const writeFormatted = (members: string) => captureLog((log) => openFormattedLines(log)(members))

  it('have the same form as other log lines', () => {
    const time = /"time":"[^"]+"/
    const expected = captureLog((log) => log.info({ status: 200, path: '/a"b' }, 'request'))
    expect(writeFormatted('"status":200,"path":"/a\\"b","msg":"request"').replace(time, '')).toBe(
      expected.replace(time, ''),
    )
  })

  it('contain no API key', () => {
    const text = writeFormatted(`"path":"/x/${key}"`)
    expect(text).not.toContain(key.slice(9))
    expect(text).toContain('[redacted]')
  })

  it('are not written if the log level is above info', () => {
    const lines: string[] = []
    openFormattedLines(createLog('warn', { write: (line) => void lines.push(line) }))('"status":200')
    expect(lines).toEqual([])
  })
})
