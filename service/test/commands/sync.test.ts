import { describe, expect, it } from 'vitest'
import { buildEpssFile, buildKevFile, writeTemporaryDirectory } from '../feeds/temporary-files.ts'
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts'
import { runCommand } from '../support/run-command.ts'

const IDS = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']

async function openDatabase() {
  const { url } = await createTestDatabase()
  const environment = { DATABASE_URL: url, NODE_ENV: 'test' }
  const run = (...args: string[]) => runCommand(args, environment)
  return { run, environment, runJson: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout) }
}

const writeFiles = () =>
  writeTemporaryDirectory({
    'known_exploited_vulnerabilities.json': buildKevFile(IDS),
    'epss_scores-2026-08-21.csv.gz': buildEpssFile({ 'CVE-2024-0001': 0.5, 'CVE-2024-0002': 0.01 }),
  })

describe('vis-server sync --from', () => {
  it("imports every feed's files and prints a table of the runs", async () => {
    const { run } = await openDatabase()

    const { code, stdout, stderr } = await run('sync', '--from', await writeFiles())

    expect(code).toBe(0)
    expect(stdout).toMatch(/FEED\s+OUTCOME\s+READ\s+WRITTEN/)
    expect(stdout).toMatch(/kev\s+succeeded\s+3\s+3/)
    expect(stdout).toMatch(/epss\s+succeeded\s+2\s+2/)
    expect(stdout).toMatch(/nvd\s+absent/)
    expect(stderr).toMatch(/nvd: .*nvdcve-2\.0/)
  })

  it('prints the counters of each feed as JSON with --json', async () => {
    const { runJson } = await openDatabase()
    const from = await writeFiles()

    const [first, second] = [await runJson('sync', 'kev', '--from', from), await runJson('sync', 'kev', '--from', from)]

    expect(first).toMatchObject([{ feed: 'kev', outcome: 'succeeded', read: 3, written: 3, rejected: 0, fault: null }])
    expect(second).toMatchObject([{ feed: 'kev', read: 3, written: 0, unchanged: 3 }])
  })

  it('fails when the directory has no files for a named feed', async () => {
    const { run } = await openDatabase()

    const { code, stderr } = await run('sync', 'epss', '--from', await writeTemporaryDirectory({}))

    expect(code).toBe(1)
    expect(stderr).toContain('epss')
  })

  it('exits with code 1 when one feed fails, prints its error, and runs the other feeds', async () => {
    const { run } = await openDatabase()
    const from = await writeTemporaryDirectory({
      'known_exploited_vulnerabilities.json': buildKevFile(IDS).replace('"count":3', '"count":4'),
      'epss_scores-2026-08-21.csv.gz': buildEpssFile({ 'CVE-2024-0001': 0.5 }),
    })

    const { code, stdout, stderr } = await run('sync', '--from', from)

    expect(code).toBe(1)
    expect(stdout).toMatch(/kev\s+failed\s+/)
    expect(stdout).toMatch(/epss\s+succeeded/)
    expect(stderr).toMatch(/kev: .*4.*3/)
  })

  it('stores nothing with --dry-run', async () => {
    const { run, runJson } = await openDatabase()
    const from = await writeFiles()

    const { stdout, stderr } = await run('sync', 'kev', '--from', from, '--dry-run')

    expect(stdout).toMatch(/kev\s+succeeded\s+3\s+3/)
    expect(stderr).toContain('nothing was stored')
    expect(await runJson('sync', 'kev', '--from', from)).toMatchObject([{ written: 3 }])
  })

  it('disables a guard (a sanity check on feed data) named by --allow, for this run only', async () => {
    const { run, runJson } = await openDatabase()
    const [many, few] = [
      await writeTemporaryDirectory({ 'known_exploited_vulnerabilities.json': buildKevFile(IDS) }),
      await writeTemporaryDirectory({
        'known_exploited_vulnerabilities.json': buildKevFile(IDS.slice(0, 1), '2026-08-22T00:00:00Z'),
      }),
    ]
    await run('sync', 'kev', '--from', many)

    const refused = await run('sync', 'kev', '--from', few)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('--allow too-many-removals')

    const allowed = await runJson('sync', 'kev', '--from', few, '--allow', 'too-many-removals')
    expect(allowed).toMatchObject([{ outcome: 'succeeded', removed: 2 }])
  })

  it('with --due, runs only feeds that are due', async () => {
    const { run } = await openDatabase()
    await run('sync', '--from', await writeFiles())

    const { code, stderr } = await run('sync', 'kev', 'epss', '--due')

    expect(code).toBe(0)
    expect(stderr).toContain('No feed is due')
  })
})

describe('vis-server sync and feeds: invalid arguments and settings', () => {
  it.each([
    [
      'an unknown feed',
      ['sync', 'kevv'],
      'There is no feed "kevv". The feeds are: nvd, cve, kev, kev-history, eukev, epss, epss-history, acsc, ',
    ],
    ['an unknown guard', ['sync', '--allow', 'everything'], 'The guards are: too-many-rejections'],
    ['an invalid time', ['sync', '--now', 'noon'], '--now takes a time such as'],
  ])('rejects %s', async (_what, args, sentence) => {
    const { run } = await openDatabase()

    const { code, stderr } = await run(...args)

    expect(code).toBe(1)
    expect(stderr).toContain(sentence)
  })

  it('rejects an unknown feed setting and an invalid one', async () => {
    const { environment } = await openDatabase()

    const unknown = await runCommand(['feeds'], { ...environment, FEED_KEV_ULR: 'https://mirror.example/' })
    expect(unknown.stderr).toContain('No feed has a setting FEED_KEV_ULR. Did you mean FEED_KEV_URL?')
    const invalid = await runCommand(['feeds'], { ...environment, FEED_KEV_URL: 'mirror' })
    expect(invalid.stderr).toContain('FEED_KEV_URL must be an address that starts with https://')
  })

  it('asks the operator to migrate an empty database', async () => {
    const { url } = await createEmptyDatabase()

    const { code, stderr } = await runCommand(['sync', 'kev', '--from', await writeFiles()], { DATABASE_URL: url })

    expect(code).toBe(1)
    expect(stderr).toContain('Run: vis-server migrate')
  })
})

describe('vis-server feeds', () => {
  it('shows the age, number of records, rejections and staleness of each feed', async () => {
    const { run, runJson } = await openDatabase()
    await run('sync', '--from', await writeFiles())

    const { stdout } = await run('feeds')
    expect(stdout).toMatch(
      /FEED\s+STATE\s+LAST SUCCESS\s+AGE\s+UPSTREAM\s+DATA AGE\s+RECORDS\s+REJECTED\s+TRUNCATED\s+NEXT/,
    )
    expect(stdout).toMatch(/nvd\s+never run\s+never/)
    // The run has just ended, but the newest KEV release in the files is from August 2026.
    expect(stdout).toMatch(/kev\s+stale data\s+20\d\d-.*2026-08-21T17:00:00Z\s+\d+ days\s+3\s+0/)

    const states = await runJson('feeds')
    expect(states.find(({ feed }: { feed: string }) => feed === 'kev')).toMatchObject({
      stale: true,
      records: 3,
      read: 3,
      written: 3,
      rejected: 0,
      truncated: 0,
      upstream_at: '2026-08-21T17:00:00Z',
    })
    expect(states.find(({ feed }: { feed: string }) => feed === 'nvd')).toMatchObject({ stale: true, records: 0 })
  })

  it('shows the error of a failing feed until it succeeds again', async () => {
    const { run } = await openDatabase()
    const broken = await writeTemporaryDirectory({
      'known_exploited_vulnerabilities.json': '<html>Come back later</html>',
    })
    await run('sync', 'kev', '--from', broken)

    expect((await run('feeds')).stdout).toMatch(/kev\s+never, failing/)
    expect((await run('feeds')).stderr).toMatch(/kev: .*\(failed once; details: vis-server feeds kev\)/)
    await run('sync', 'kev', '--from', await writeFiles())
    expect((await run('feeds')).stderr).toBe('')
  })

  it('shows the last runs and rejected records of one feed', async () => {
    const { run } = await openDatabase()
    const from = await writeTemporaryDirectory({
      'known_exploited_vulnerabilities.json': buildKevFile([...IDS, 'CVE-24-1']),
    })
    await run('sync', 'kev', '--from', from)

    const { stdout } = await run('feeds', 'kev')

    expect(stdout).toMatch(/directory\s+succeeded/)
    expect(stdout).toMatch(/CVE-24-1\s+.*CVE id/)
  })
})

describe('vis-server sync with a feed whose address is not known', () => {
  it('skips the feed, names the missing setting and leaves its data set as never loaded', async () => {
    const { run, runJson } = await openDatabase()

    const { code, stdout, stderr } = await run('sync', 'csaf-oracle')

    // A feed that was named and could not run is an error, as with --from.
    expect(code).toBe(1)
    expect(stdout).toMatch(/csaf-oracle\s+absent/)
    expect(stderr).toContain('csaf-oracle: Skipped: no address of this upstream is known. Set FEED_CSAF_ORACLE_URL')
    expect(await runJson('feeds', 'csaf-oracle')).toMatchObject({ runs: [] })
  })
})
