import { describe, expect, it } from 'vitest'
import { directoryWith, epssFile, kevFile } from '../feeds/small-files.ts'
import { emptyDatabase, testDatabase } from '../support/database.ts'
import { visServer } from '../support/processes/command.ts'

const IDS = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']

async function office() {
  const { url } = await testDatabase()
  const environment = { DATABASE_URL: url, NODE_ENV: 'test' }
  const run = (...args: string[]) => visServer(args, environment)
  return { run, environment, runJson: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout) }
}

const files = () =>
  directoryWith({
    'known_exploited_vulnerabilities.json': kevFile(IDS),
    'epss_scores-2026-08-21.csv.gz': epssFile({ 'CVE-2024-0001': 0.5, 'CVE-2024-0002': 0.01 }),
  })

describe('vis-server sync --from', () => {
  it('reads the files of every feed that has some, and says what came of it', async () => {
    const { run } = await office()

    const { code, stdout, stderr } = await run('sync', '--from', await files())

    expect(code).toBe(0)
    expect(stdout).toMatch(/FEED\s+OUTCOME\s+READ\s+WRITTEN/)
    expect(stdout).toMatch(/kev\s+succeeded\s+3\s+3/)
    expect(stdout).toMatch(/epss\s+succeeded\s+2\s+2/)
    expect(stdout).toMatch(/nvd\s+absent/)
    expect(stderr).toMatch(/nvd: .*nvdcve-2\.0/)
  })

  it('prints for scripts what was read, written and rejected, feed by feed', async () => {
    const { runJson } = await office()
    const from = await files()

    const [first, second] = [await runJson('sync', 'kev', '--from', from), await runJson('sync', 'kev', '--from', from)]

    expect(first).toMatchObject([{ feed: 'kev', outcome: 'succeeded', read: 3, written: 3, rejected: 0, fault: null }])
    expect(second).toMatchObject([{ feed: 'kev', read: 3, written: 0, unchanged: 3 }])
  })

  it('fails when a feed was asked for by name and the directory has nothing of it', async () => {
    const { run } = await office()

    const { code, stderr } = await run('sync', 'epss', '--from', await directoryWith({}))

    expect(code).toBe(1)
    expect(stderr).toContain('epss')
  })

  it('fails when a feed fails, names the fault, and still runs the others', async () => {
    const { run } = await office()
    const from = await directoryWith({
      'known_exploited_vulnerabilities.json': kevFile(IDS).replace('"count":3', '"count":4'),
      'epss_scores-2026-08-21.csv.gz': epssFile({ 'CVE-2024-0001': 0.5 }),
    })

    const { code, stdout, stderr } = await run('sync', '--from', from)

    expect(code).toBe(1)
    expect(stdout).toMatch(/kev\s+failed\s+/)
    expect(stdout).toMatch(/epss\s+succeeded/)
    expect(stderr).toMatch(/kev: .*4.*3/)
  })

  it('rehearses with --dry-run', async () => {
    const { run, runJson } = await office()
    const from = await files()

    const { stdout, stderr } = await run('sync', 'kev', '--from', from, '--dry-run')

    expect(stdout).toMatch(/kev\s+succeeded\s+3\s+3/)
    expect(stderr).toContain('nothing was stored')
    expect(await runJson('sync', 'kev', '--from', from)).toMatchObject([{ written: 3 }])
  })

  it('lets an operator overrule a guard by name, once', async () => {
    const { run, runJson } = await office()
    const [many, few] = [
      await directoryWith({ 'known_exploited_vulnerabilities.json': kevFile(IDS) }),
      await directoryWith({ 'known_exploited_vulnerabilities.json': kevFile(IDS.slice(0, 1), '2026-08-22T00:00:00Z') }),
    ]
    await run('sync', 'kev', '--from', many)

    const refused = await run('sync', 'kev', '--from', few)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('--allow shrunken-snapshot')

    const allowed = await runJson('sync', 'kev', '--from', few, '--allow', 'shrunken-snapshot')
    expect(allowed).toMatchObject([{ outcome: 'succeeded', removed: 2 }])
  })

  it('runs only what is due when asked to', async () => {
    const { run } = await office()
    await run('sync', '--from', await files())

    const { code, stderr } = await run('sync', 'kev', 'epss', '--due')

    expect(code).toBe(0)
    expect(stderr).toContain('No feed is due')
  })
})

describe('vis-server sync teaches', () => {
  it.each([
    ['an unknown feed', ['sync', 'kevv'], 'There is no feed "kevv". The feeds are: nvd, cve, kev, epss, acsc, '],
    ['an unknown guard', ['sync', '--allow', 'everything'], 'The guards are: too-many-rejections'],
    ['a time that is none', ['sync', '--now', 'noon'], '--now takes a time such as'],
  ])('about %s', async (_what, args, sentence) => {
    const { run } = await office()

    const { code, stderr } = await run(...args)

    expect(code).toBe(1)
    expect(stderr).toContain(sentence)
  })

  it('about a setting that no feed has, and one that cannot be', async () => {
    const { environment } = await office()

    const strange = await visServer(['feeds'], { ...environment, FEED_KEV_ULR: 'https://mirror.example/' })
    expect(strange.stderr).toContain('No feed has a setting FEED_KEV_ULR. Did you mean FEED_KEV_URL?')
    const wrong = await visServer(['feeds'], { ...environment, FEED_KEV_URL: 'mirror' })
    expect(wrong.stderr).toContain('FEED_KEV_URL must be an address that starts with https://')
  })

  it('about a database that is not migrated', async () => {
    const { url } = await emptyDatabase()

    const { code, stderr } = await visServer(['sync', 'kev', '--from', await files()], { DATABASE_URL: url })

    expect(code).toBe(1)
    expect(stderr).toContain('Run: vis-server migrate')
  })
})

describe('vis-server feeds', () => {
  it('shows each feed: how old, how many, what was rejected, stale or not', async () => {
    const { run, runJson } = await office()
    await run('sync', '--from', await files())

    const { stdout } = await run('feeds')
    expect(stdout).toMatch(/FEED\s+STATE\s+LAST SUCCESS\s+AGE\s+UPSTREAM\s+RECORDS\s+REJECTED\s+NEXT/)
    expect(stdout).toMatch(/nvd\s+never run\s+never/)
    expect(stdout).toMatch(/kev\s+fresh\s+20\d\d-.*2026-08-21T17:00:00Z\s+3\s+0/)

    const states = await runJson('feeds')
    expect(states.find(({ feed }: { feed: string }) => feed === 'kev')).toMatchObject({
      stale: false,
      records: 3,
      read: 3,
      written: 3,
      rejected: 0,
      upstream_at: '2026-08-21T17:00:00Z',
    })
    expect(states.find(({ feed }: { feed: string }) => feed === 'nvd')).toMatchObject({ stale: true, records: 0 })
  })

  it('names the fault of a feed that fails, until it goes well again', async () => {
    const { run } = await office()
    const broken = await directoryWith({ 'known_exploited_vulnerabilities.json': '<html>Come back later</html>' })
    await run('sync', 'kev', '--from', broken)

    expect((await run('feeds')).stdout).toMatch(/kev\s+never, failing/)
    expect((await run('feeds')).stderr).toMatch(/kev: .*\(1 in a row/)
    await run('sync', 'kev', '--from', await files())
    expect((await run('feeds')).stderr).toBe('')
  })

  it('shows of one feed its last runs and what the last could not use', async () => {
    const { run } = await office()
    const from = await directoryWith({ 'known_exploited_vulnerabilities.json': kevFile([...IDS, 'CVE-24-1']) })
    await run('sync', 'kev', '--from', from)

    const { stdout } = await run('feeds', 'kev')

    expect(stdout).toMatch(/directory\s+succeeded/)
    expect(stdout).toMatch(/CVE-24-1\s+.*CVE id/)
  })
})
