// Tests that the feeds import all generated files, and that generation is repeatable.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { writeUpstreamFiles } from '../../../service/test/support/generator/upstream-files.ts'
import { runMeasuredCommand } from '../../../service/test/support/processes/measured-command.ts'
import { parseOptions } from './generate.ts'

const TODAY = '2026-08-22'

async function generateFiles(records: number, seed: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-generated-'))
  cleanUpAfterTests(() => rm(folder, { recursive: true, force: true }))
  await writeUpstreamFiles(folder, { records, seed, today: TODAY })
  return folder
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.includes('.')).sort()
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)))
}

async function computeDigests(folder: string): Promise<readonly string[]> {
  const contents = [...(await readFiles(folder))]
  return contents.map(([name, bytes]) => `${name} ${createHash('sha256').update(bytes).digest('hex')}`)
}

const generated = await generateFiles(500, 1)

describe('writeUpstreamFiles', () => {
  it('writes files that the feeds import without rejecting a record, so that every record is published', async () => {
    const { url } = await createTestDatabase()

    const { code, stdout, stderr } = await runMeasuredCommand(
      ['sync', '--from', generated, '--json', '--now', `${TODAY}T12:00:00Z`],
      { DATABASE_URL: url, NODE_ENV: 'test' },
    )

    expect(stderr).not.toMatch(/rejected/)
    expect(code).toBe(0)
    for (const feed of ['nvd', 'cve', 'kev', 'epss', 'poc'])
      expect(JSON.parse(stdout), feed).toContainEqual(
        expect.objectContaining({ feed, outcome: 'succeeded', rejected: 0, duplicates: 0, notices: [], fault: null }),
      )
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(`
      select count(*)::int as published,
             count(*) filter (where in_kev)::int as kev,
             count(*) filter (where words @@ catalog.pieces_query('{+wvulnerability}'))::int as common,
             count(*) filter (where words @@ catalog.pieces_query('{+wkernel}'))::int as rarer,
             (select count(*)::int from catalog.publication_fault) as faults
        from catalog.cve
    `)
    await client.end()
    expect(rows).toMatchObject([{ published: 500, faults: 0 }])
    expect(rows[0].kev).toBeGreaterThan(0)
    expect(rows[0].common).toBeGreaterThan(rows[0].rarer * 3)
    expect(rows[0].rarer).toBeGreaterThan(0)
  }, 120_000)

  it('writes identical files for the same seed and different files for another seed', async () => {
    expect(await computeDigests(await generateFiles(500, 1))).toEqual(await computeDigests(generated))
    expect(await computeDigests(await generateFiles(500, 2))).not.toEqual(await computeDigests(generated))
  })
})

describe('Options of the test data generator (generate.ts)', () => {
  it.each([
    ['a missing --to', ['--records', '5'], '--to is missing: pass the folder to write to.'],
    ['a missing --records', ['--to', 'x'], '--records must be a whole number from 1 to 4000000, but is missing.'],
    [
      'an invalid --records',
      ['--to', 'x', '--records', '5k'],
      '--records must be a whole number from 1 to 4000000, but is "5k".',
    ],
    [
      'an invalid --today',
      ['--to', 'x', '--records', '5', '--today', 'now'],
      '--today must be a day from 1999-12-31 on',
    ],
    ['an unknown option', ['--record', '5'], "Unknown option '--record'"],
  ])('are rejected with an error message for %s', (_case, args, message) => {
    expect(() => parseOptions(args, new Date())).toThrow(message)
  })

  it('default to seed 1 and the current day', () => {
    expect(parseOptions(['--records', '5', '--to', 'x'], new Date('2026-08-22T10:00:00Z'))).toEqual({
      records: 5,
      seed: 1,
      today: '2026-08-22',
      to: 'x',
    })
  })
})
