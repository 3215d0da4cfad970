import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createEmptyDatabase } from '../support/database.ts'
import { runCommand } from '../support/run-command.ts'

const SAMPLE = fileURLToPath(new URL('../../sample', import.meta.url))
const SAMPLE_TIME = '2026-08-21T18:00:00Z'

describe('vis-server sync on an empty database', () => {
  it('loads, publishes and analyzes the catalog and makes a snapshot, in one command', async () => {
    const { url } = await createEmptyDatabase()
    const run = (...args: string[]) => runCommand(args, { DATABASE_URL: url, NODE_ENV: 'test' })
    expect((await run('migrate')).code).toBe(0)

    const { code, stderr } = await run('sync', '--from', SAMPLE, '--now', SAMPLE_TIME)

    expect({ code, stderr }).toEqual({ code: 0, stderr })
    expect(stderr).toMatch(/CVEs published: \d+ new.*; the first load is finished\nSnapshot made: \d+ records/)
    const { code: differs, stdout } = await run('catalog', 'rebuild', '--verify', '--now', SAMPLE_TIME)
    expect(stdout).toMatch(/CVEs compared: \d+, 0 differ$/m)
    expect(differs).toBe(0)
    const again = await run('sync', '--from', SAMPLE, '--now', SAMPLE_TIME)
    expect(again.stderr).not.toContain('first load')
  })

  it('loads the sample of the program with --sample, and refuses it afterwards', async () => {
    const { url } = await createEmptyDatabase()
    const run = (...args: string[]) => runCommand(args, { DATABASE_URL: url, NODE_ENV: 'production' })
    await run('migrate')

    const { code, stderr, stdout } = await run('sync', '--sample')

    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('the first load is finished') })
    expect(stdout).not.toContain('absent')
    const again = await run('sync', '--sample')
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('--sample is only for an empty database')])
  })
})
