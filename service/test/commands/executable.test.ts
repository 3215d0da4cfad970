import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { buildKevFile, writeTemporaryDirectory } from '../feeds/temporary-files.ts'
import { createTestDatabase } from '../support/database.ts'
import { spawnCommand } from '../support/processes/command.ts'
import { readRows } from '../support/run-statements.ts'

const { url } = await createTestDatabase()
const environment = { DATABASE_URL: url, NODE_ENV: 'test' }
const run = (...args: string[]) => spawnCommand(args, environment)

// Tests in other files run the vis-server commands inside the test process. The tests below show what only the executable
// can: its streams, its exit codes, its database connection, and the threads of a publication.
describe('The vis-server executable', () => {
  it('migrates the database', async () => {
    expect(await run('migrate', '--check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('accounts is up to date'),
    })
  })

  it('creates an account', async () => {
    const account = await run('accounts', 'create', '--name', 'Ada', '--plan', 'free')
    expect(account).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) })
  })

  it('imports a feed and publishes the catalog', async () => {
    const from = await writeTemporaryDirectory({
      'known_exploited_vulnerabilities.json': buildKevFile(['CVE-2024-0001']),
    })
    const synced = await run('sync', 'kev', '--from', from)

    expect(synced).toMatchObject({ code: 0, stdout: expect.stringMatching(/kev\s+succeeded\s+1\s+1/) })
    expect(await readRows(url, 'select cve_key from catalog.cve')).toHaveLength(1)
  })

  it('prints the OpenAPI document', async () => {
    const { code, stdout } = await run('openapi')
    expect([code, JSON.parse(stdout).openapi]).toEqual([0, expect.stringMatching(/^3\./)])
  })

  it('prints errors to stderr and exits with 1', async () => {
    expect(await run('keys', 'revoke', '999999')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no key 999999'),
    })
  })

  it('ends without a stack trace if the reader of its output has exited', async () => {
    const program = fileURLToPath(new URL('../../bin/vis-server.js', import.meta.url))
    // The reader has already exited when the program writes.
    const script = `{ sleep 1; "$0" "$1" openapi; echo "exit code $?" >&2; } | true`
    const { stderr } = spawnSync('bash', ['-c', script, process.execPath, program], { encoding: 'utf8' })
    expect(stderr).toBe('exit code 1\n')
  })

  it('prints the help to stdout and exits with 0, also without a writable folder for the compile cache', async () => {
    const file = join(await writeTemporaryDirectory({}), 'no-folder')
    await writeFile(file, '')
    const { code, stdout, stderr } = await spawnCommand(['--help'], { NODE_COMPILE_CACHE: file })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Download and store upstream feeds now')
  })
})
