// Files of any size, made for loads: the feeds take all of them, and they have the shape of the real ones.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../support/cleanup.ts'
import { testDatabase } from '../support/database.ts'
import { readOptions } from './data/generate.ts'
import { writeUpstreamFiles } from './data/upstream-files.ts'
import { measuredCommand } from './measured-command.ts'

const TODAY = '2026-08-22'

async function filesOf(records: number, seed: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-generated-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  await writeUpstreamFiles(folder, { records, seed, today: TODAY })
  return folder
}

async function contentsOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.includes('.')).sort()
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)))
}

async function digestsOf(folder: string): Promise<readonly string[]> {
  const contents = [...(await contentsOf(folder))]
  return contents.map(([name, bytes]) => `${name} ${createHash('sha256').update(bytes).digest('hex')}`)
}

const small = await filesOf(500, 1)

describe('500 generated records', () => {
  it('are all taken by the feeds, and all published', async () => {
    const { url } = await testDatabase()

    const { code, stdout, stderr } = await measuredCommand(
      ['sync', '--from', small, '--json', '--now', `${TODAY}T12:00:00Z`],
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
             count(*) filter (where words @@ catalog.search_query('vulnerability'))::int as common,
             count(*) filter (where words @@ catalog.search_query('kernel'))::int as rarer,
             (select count(*)::int from catalog.publication_fault) as faults
        from catalog.cve
    `)
    await client.end()
    expect(rows).toMatchObject([{ published: 500, faults: 0 }])
    expect(rows[0].kev).toBeGreaterThan(0)
    expect(rows[0].common).toBeGreaterThan(rows[0].rarer * 3)
    expect(rows[0].rarer).toBeGreaterThan(0)
  }, 120_000)

  it('are the same bytes for the same seed, and others for another', async () => {
    expect(await digestsOf(await filesOf(500, 1))).toEqual(await digestsOf(small))
    expect(await digestsOf(await filesOf(500, 2))).not.toEqual(await digestsOf(small))
  })
})

describe('generate.ts teaches', () => {
  it.each([
    ['a missing folder', ['--records', '5'], '--to is missing: name the folder to write to.'],
    ['a missing number', ['--to', 'x'], '--records takes a whole number from 1 to 4000000; it is missing.'],
    ['no number', ['--to', 'x', '--records', '5k'], '--records takes a whole number from 1 to 4000000; not "5k".'],
    ['no day', ['--to', 'x', '--records', '5', '--today', 'now'], '--today takes a day since 1999-12-31'],
    ['an unknown option', ['--record', '5'], "Unknown option '--record'"],
  ])('about %s', (_what, args, sentence) => {
    expect(() => readOptions(args, new Date())).toThrow(sentence)
  })

  it('and takes what it needs', () => {
    expect(readOptions(['--records', '5', '--to', 'x'], new Date('2026-08-22T10:00:00Z'))).toEqual({
      records: 5,
      seed: 1,
      today: '2026-08-22',
      to: 'x',
    })
  })
})
