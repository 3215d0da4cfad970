import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cve, epssRelease, withdrawnCve } from '../../service/test/support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../service/test/support/cleanup.ts'
import { runCommand } from '../../service/test/support/run-command.ts'
import { readRows, runStatements } from '../../service/test/support/run-statements.ts'
import { issueKey, startVisctlSetup, VISCTL } from './visctl-setup.ts'

const setup = await startVisctlSetup()
const { database, environment, given, visctl } = setup
const IDS = ['CVE-2026-1000', 'CVE-2026-1001', 'CVE-2026-1002']

let folder = ''
beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'vis-copy-')), 'copy')
  await runStatements(
    database.url,
    'truncate catalog.change, catalog.snapshot, catalog.snapshot_part restart identity',
    'update catalog.change_floor set data_seq = 0, complete_seq = 0',
    'truncate catalog.cve cascade',
  )
  await given(...IDS.map((id) => cve(id)))
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const makeSnapshot = async () => expect((await runCommand(['catalog', 'snapshot'], environment)).code).toBe(0)
const mirror = (...options: readonly string[]) => visctl(['mirror', '--into', folder, ...options])

function query(statement: string) {
  const db = new DatabaseSync(join(folder, 'catalog.sqlite'))
  try {
    return db.prepare(statement).all()
  } finally {
    db.close()
  }
}

/** Splits the only part of the snapshot into one part per record. */
async function splitSnapshot(): Promise<void> {
  const [{ snapshot_id, bytes }] = await readRows(database.url, 'select snapshot_id, bytes from catalog.snapshot_part')
  await runStatements(database.url, 'delete from catalog.snapshot_part')
  const lines = gunzipSync(bytes).toString().trim().split('\n')
  for (const [index, line] of lines.entries())
    await readRows(
      database.url,
      'insert into catalog.snapshot_part (snapshot_id, nr, bytes, sha256) values ($1, $2, $3, sha256($3))',
      [snapshot_id, index + 1, gzipSync(`${line}\n`)],
    )
}

const listCopied = () => query('select cve_id from record order by cve_id').map((row) => row['cve_id'])
const readUsed = async (key: string) =>
  (await setup.api.get('/api/v1/usage', { key })).json.data.usage.credits_used as number

/** Runs visctl mirror with a key of its own, and returns the credits that it spent. */
async function measureCredits(...options: readonly string[]): Promise<number> {
  const { key } = await issueKey(setup)
  const { code, stderr } = await visctl(['mirror', '--into', folder, '--once', ...options], { VIS_API_KEY: key })
  expect([code, stderr]).toEqual([0, expect.stringContaining('Up to date')])
  return readUsed(key)
}

describe('visctl mirror', () => {
  it('states the price, loads the newest snapshot, and continues with the changed records', async () => {
    await makeSnapshot()
    await given(cve('CVE-2026-1003'), cve(IDS[0] ?? '', { score: 9.8 }), withdrawnCve(IDS[1] ?? ''))
    const { code, stderr } = await mirror('--once')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Snapshot \S+: 3 records in 1 part, 1 MB\. It costs 5 credits\.\nPart 1 of 1 is loaded\.\n/)
    expect(stderr).toMatch(/Up to date: 3 records at \d+:[0-9a-f]{16}\. 3 CVEs changed, as the service counts too\.\n$/)
    expect(listCopied()).toEqual([IDS[0], IDS[2], 'CVE-2026-1003'])
    const [row] = query(`select record ->> 'severity' as severity, record from record where cve_id = '${IDS[0]}'`)
    expect(row?.['severity']).toBe(9.8)
    const add_ons = 'acsc,enrichment,attack,configurations,sources,exploits,priority,fixes,remediations,aliases'
    const { json } = await setup.api.get(`/api/v1/cve/${IDS[0]}?include=${add_ons}`)
    expect(row?.['record']).toBe(JSON.stringify(json.data.cve))
  })

  it('costs 5 credits per part, about 12 for a page of changed records, and 1 if nothing changed', async () => {
    await makeSnapshot()
    expect(await measureCredits()).toBe(5 + 1)
    await given(cve('CVE-2026-1003'))
    // The usage shows whole credits, rounded up.
    expect(await measureCredits()).toBe(Math.ceil(1 + 10 + 0.5))
    expect(await measureCredits()).toBe(1)
  })

  it('loads a new snapshot if that costs less than the records that changed', async () => {
    await makeSnapshot()
    await mirror('--once')
    const ids = Array.from({ length: 150 }, (_, index) => `CVE-2026-${2000 + index}`)
    await given(...ids.map((id) => cve(id)))
    await makeSnapshot()
    await given(cve('CVE-2026-3000'))
    // The question whether anything changed, the first page, the count, the part, and the page after the snapshot.
    expect(await measureCredits()).toBe(Math.ceil(1 + 10 + 0.5 + 5 + 10 + 0.5))
    expect(listCopied()).toEqual([...IDS, ...ids, 'CVE-2026-3000'])
  })

  it('continues an interrupted load with the next part, and pays for no part twice', async () => {
    await makeSnapshot()
    await splitSnapshot()
    const { key } = await issueKey(setup, 11)
    const interrupted = await visctl(['mirror', '--into', folder, '--once'], { VIS_API_KEY: key })
    expect([interrupted.code, interrupted.stderr]).toEqual([1, expect.stringContaining('Part 2 of 3 is loaded')])
    expect(listCopied(), 'readers never see a part of a snapshot').toEqual([])
    const { stderr } = await mirror('--once')
    expect(stderr).toMatch(
      /^Snapshot \S+: 3 records in 3 parts, 1 MB\. 1 part left, which cost 5 credits\.\nPart 3 of 3/,
    )
    expect(listCopied()).toEqual(IDS)
  })

  it('does not load a damaged part', async () => {
    await makeSnapshot()
    await runStatements(
      database.url,
      'update catalog.snapshot_part set bytes = set_byte(bytes, 20, 1 # get_byte(bytes, 20))',
    )
    const { code, stderr } = await mirror('--once')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/part 1 of the snapshot \S+ does not have the SHA-256/)])
    expect(listCopied()).toEqual([])
  })

  it('starts with the change log if there is no snapshot', async () => {
    const { code, stderr } = await mirror('--once')
    expect([code, listCopied()]).toEqual([0, IDS])
    expect(stderr).toContain('There is no snapshot')
  })

  it('says what to do if there is no snapshot and the log does not reach back to the first record', async () => {
    await runStatements(database.url, 'update catalog.change_floor set complete_seq = 1')
    const { code, stderr } = await mirror('--once')
    expect([code, stderr]).toEqual([1, expect.stringContaining('vis-server catalog snapshot')])
  })

  it('loads a new full copy if the log cannot continue at its position', async () => {
    await makeSnapshot()
    await mirror('--once')
    // The log of a restored database has other rows with the same numbers.
    await runStatements(database.url, 'update catalog.change set tag = tag + 1', 'truncate catalog.snapshot cascade')
    await given(withdrawnCve(IDS[1] ?? ''))
    await makeSnapshot()
    const { code, stderr } = await mirror('--once')
    expect([code, listCopied()]).toEqual([0, [IDS[0], IDS[2]]])
    expect(stderr).toContain('A new full copy is taken')
  })

  it('with --refresh-epss, loads a newer snapshot for the EPSS scores of records that did not change', async () => {
    await makeSnapshot()
    await mirror('--once')
    await given(epssRelease('2026-08-22', { [IDS[0] ?? '']: [0.01, 0.2] }))
    await runStatements(database.url, "update catalog.change set types = '{epss_released}' where kind = 'epss'")
    const readScore = () => query(`select record -> '$.epss.score' as score from record where cve_id = '${IDS[0]}'`)
    expect((await mirror('--once', '--refresh-epss')).stderr, 'no newer snapshot').toContain('older scores')
    expect(readScore()).toEqual([{ score: null }])
    await makeSnapshot()
    expect((await mirror('--once')).stderr).toContain('--refresh-epss')
    const { stderr } = await mirror('--once', '--refresh-epss')
    expect(stderr).not.toContain('older scores')
    expect(readScore()).toEqual([{ score: '0.01' }])
  })

  it('refuses a folder that another process writes to, and a file in place of the folder', async () => {
    await mirror('--once')
    const lock = new DatabaseSync(join(folder, 'mirror.lock'))
    lock.exec('begin exclusive')
    const refused = await mirror('--once')
    lock.close()
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Another visctl mirror writes to')])
    const { code, stderr } = await visctl(['mirror', '--into', join(folder, 'catalog.sqlite'), '--once'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be used')])
  })

  it('states the required Node.js version, and creates no folder, if Node.js lacks SQLite', async () => {
    const loading = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
    const { code, stderr } = await mirror('--once').finally(() => loading.mockRestore())
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('visctl mirror requires Node.js 22.13 or newer; this is v'),
    ])
    expect(stderr).toContain('Install a newer Node.js.')
    expect(existsSync(folder)).toBe(false)
  })

  it('requires a folder, and rejects a wait that is not a number', async () => {
    expect((await visctl(['mirror'])).code).toBe(2)
    expect((await mirror('--wait', 'soon')).code).toBe(2)
    expect(existsSync(folder)).toBe(false)
  })

  it('notices a copy that lacks a changed CVE, and applies the changes again', async () => {
    await mirror('--once')
    await given(cve(IDS[0] ?? '', { score: 9.8 }), cve(IDS[1] ?? '', { score: 9.8 }))
    // A page that was applied without one of its records, as by a fault of this program.
    const [{ position } = {}] = query('select position from state')
    const newest = (await setup.api.get('/api/v1/changes?since=now')).json.data.newest
    query(`insert into unproven values ('${IDS[0]}')`)
    query(`update state set position = '${newest}', unproven_pages = 1`)
    const failed = await mirror('--once')
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('has 1 of the 2 CVEs that changed')])
    expect(query('select position from state')).toEqual([{ position }])
    expect((await mirror('--once')).stderr).toContain('2 CVEs changed')
  })
})

describe('visctl mirror as a process', () => {
  it('follows changes until a signal stops it, and exits with 0', async () => {
    const child = spawn(process.execPath, [VISCTL, 'mirror', '--into', folder, '--wait', '0'], {
      env: { PATH: process.env['PATH'], VIS_URL: setup.url, VIS_API_KEY: setup.key },
    })
    const [closed, stderr] = [once(child, 'close'), text(child.stderr)]
    cleanUpAfterTests(() => child.kill('SIGKILL'))
    await expect.poll(tryListCopied).toEqual(IDS)
    await given(cve('CVE-2026-1003'))
    await expect.poll(tryListCopied).toEqual([...IDS, 'CVE-2026-1003'])
    child.kill('SIGINT')
    await closed
    expect([child.exitCode, await stderr]).toEqual([0, expect.stringContaining('Stopped. The copy is consistent')])
  })
})

function tryListCopied() {
  try {
    return existsSync(join(folder, 'catalog.sqlite')) ? listCopied() : undefined
  } catch {
    // The tables do not exist yet.
    return undefined
  }
}
