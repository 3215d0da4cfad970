import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { emptyDatabase } from '../support/database.ts'
import { visServer } from '../support/processes/command.ts'

const service = fileURLToPath(new URL('../..', import.meta.url))
const root = join(service, '..')
const folder = await mkdtemp(join(tmpdir(), 'vis-installed-'))
afterAll(() => rm(folder, { recursive: true }))

/** On a machine that runs other tests at the same time. */
const COMPILING_TAKES_MS = 120_000

describe('An installed vis-server', () => {
  it(
    'runs from dist, without sources, and finds its migrations',
    async () => {
      execFileSync(process.execPath, [
        join(root, 'node_modules/typescript/bin/tsc'),
        '-p',
        join(service, 'tsconfig.build.json'),
        '--outDir',
        join(folder, 'dist'),
      ])
      for (const part of ['bin', 'migrations', 'package.json'])
        await cp(join(service, part), join(folder, part), { recursive: true })
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
      const { url } = await emptyDatabase()
      const program = join(folder, 'bin/vis-server.js')

      const migrated = await visServer(['migrate'], { DATABASE_URL: url }, program)
      const account = await visServer(
        ['accounts', 'create', '--name', 'Ada', '--plan', 'free'],
        { DATABASE_URL: url },
        program,
      )

      expect(migrated).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('accounts/0002_account_and_key applied'),
      })
      expect(account).toMatchObject({ code: 0, stdout: '1\n' })
    },
    COMPILING_TAKES_MS,
  )
})
