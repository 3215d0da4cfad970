// Compares fixes of distributions with their documents, and scans the packages of four images.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startVisctlSetup } from '../../../cli/test/visctl-setup.ts'
import { sync } from '../../../service/src/commands/sync.ts'
import { loadConfig } from '../../../service/src/config.ts'
import { SCHEMES } from '../../../service/src/domain/version/schemes.ts'
import { createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { claimComplete } from '../../../service/test/support/coverage.ts'
import {
  type Documents,
  findDistributionData,
  generateSuse,
  readAlpine,
  readUbuntu,
  readWolfi,
  type StatedFix,
} from './distribution-data.ts'
import { IMAGES } from './image-packages.ts'

const FIXES = 40
/** Some of the fixes cannot be compared. */
const STEPS = 2 * FIXES
const MAX_MATCHES = 500
const WITHIN_MS = 1_800_000
const folder = findDistributionData()

interface Match {
  readonly id: string
  readonly fixed_in: readonly { readonly version: string }[]
}

type ToPurl = (fix: StatedFix, version: string) => string

/** By feed: the version scheme, and the purl of a package. */
const PACKAGES: Readonly<Record<string, readonly ['apk' | 'deb', ToPurl]>> = {
  alpine: [
    'apk',
    ({ name, release }, version) => `pkg:apk/alpine/${name}@${version}?distro=alpine-${release}&upstream=${name}`,
  ],
  wolfi: ['apk', ({ name }, version) => `pkg:apk/wolfi/${name}@${version}?distro=wolfi-20230201&upstream=${name}`],
  'osv-ubuntu': [
    'deb',
    ({ name, release }, version) =>
      `pkg:deb/ubuntu/${name}@${encodeURIComponent(version)}?distro=ubuntu-${release}&upstream=${name}`,
  ],
}

/** Takes fixes evenly from the whole list. Kernels have more matches than an answer lists. */
function* sampleFixes(fixes: readonly StatedFix[]): Generator<StatedFix> {
  const others = fixes.filter(({ name }) => !/^linux(?:-|$)/.test(name))
  const step = Math.ceil(others.length / STEPS)
  for (const [index, fix] of others.entries()) if (index % step === 0) yield fix
}

/** A package may have several fixes of one vulnerability; the last one ends it. */
function listVersions(fix: StatedFix, fixes: readonly StatedFix[], scheme: 'apk' | 'deb'): string[] {
  return fixes
    .filter(({ id, name, release }) => id === fix.id && name === fix.name && release === fix.release)
    .map(({ version }) => version)
    .sort((a, b) => SCHEMES[scheme].compare(a, b) ?? 0)
}

function toSbom(purls: readonly string[]): string {
  const components = purls.map((purl, index) => ({ type: 'library', 'bom-ref': `p${index}`, name: `p${index}`, purl }))
  return JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components })
}

/** Hits whose fixes are not those of the documents. */
function listWrongHits(answers: readonly Answer[], fixes: readonly StatedFix[]): Match[] {
  const isStated = (id: string, version: string) => fixes.some((each) => each.id === id && each.version === version)
  return answers.flatMap(({ matches = [] }) =>
    matches.filter(({ id, fixed_in: fixedIn }) => !fixedIn.every(({ version }) => isStated(id, version))),
  )
}

/** Imports the documents into a catalog of its own, and calls its data sets complete. */
async function startCatalog() {
  const { api, clock, database, environment, visctl } = await startVisctlSetup()
  const documents = readDocuments(folder ?? '')
  const directory = mkdtempSync(join(tmpdir(), 'vis-distributions-'))
  for (const { files } of Object.values(documents))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const feeds = Object.keys(documents)
  const screen = { write: () => true }
  const reports = await sync(loadConfig(environment), feeds, { from: directory }, { clock: clock.now, screen })
  const catalog = await createCatalogHarness(database.url)
  await catalog.publish()
  await catalog.selectRows(claimComplete(['cve', ...feeds], clock.now()))

  async function match(purl: string) {
    const { json } = await api.send('POST', '/api/v1/match', {
      body: JSON.stringify({ components: [{ purl }], matches_per_component: MAX_MATCHES }),
    })
    return json.data.components[0] as { readonly matches?: readonly Match[]; readonly matches_total?: number }
  }
  return { documents, directory, reports, visctl, match }
}

describe.runIf(folder)('The real documents of distributions', { timeout: WITHIN_MS }, async () => {
  const { documents, directory, reports, visctl, match } = await startCatalog()

  it('are imported with few rejected records', () => {
    for (const { feed, outcome, read, written, rejected } of reports) {
      print(`${feed}: ${outcome}, ${read} read, ${written} written, ${rejected} rejected`)
      expect([feed, outcome]).toEqual([feed, 'succeeded'])
      expect(rejected).toBeLessThan(read / 50)
    }
  })

  it.each(Object.entries(PACKAGES))('%s: 40 fixes are those of the documents', async (feed, [scheme, toPurl]) => {
    const { fixes = [] } = documents[feed] ?? {}
    const wrong: string[] = []
    let compared = 0
    for (const fix of sampleFixes(fixes)) {
      const versions = listVersions(fix, fixes, scheme)
      const before = await match(toPurl(fix, toEarlier(scheme, versions[0] ?? '')))
      const after = await match(toPurl(fix, versions.at(-1) ?? ''))
      if (Math.max(before.matches_total ?? 0, after.matches_total ?? 0) > MAX_MATCHES) continue
      const found = before.matches?.find(({ id }) => id === fix.id)
      const hasFix = found?.fixed_in.some(({ version }) => version === fix.version) === true
      const isStillFound = after.matches?.some(({ id }) => id === fix.id) === true
      if (!hasFix || isStillFound) wrong.push(JSON.stringify({ fix, versions, found }))
      compared += 1
      if (compared === FIXES) break
    }
    print(`${feed}: ${compared} of ${fixes.length} fixes compared, ${wrong.length} wrong`)
    expect(wrong).toEqual([])
    expect(compared).toBe(FIXES)
  })

  it.each(Object.entries(IMAGES))('visctl scan covers the packages of the image %s', async (image, purls) => {
    const file = join(directory, `${image}.cdx.json`)
    writeFileSync(file, toSbom(purls))
    const { stdout, code } = await visctl(['scan', file, '--json'])
    const answers: readonly Answer[] = JSON.parse(stdout).components
    const feed = image === 'ubuntu' || image === 'suse' ? `osv-${image}` : image
    const wrong = listWrongHits(answers, documents[feed]?.fixes ?? [])
    const hits = answers.flatMap(({ matches = [] }) => matches)
    const verdicts = Object.entries(Object.groupBy(answers, ({ verdict }) => verdict))
    print(
      `${image}: exit ${code}, ${answers.length} packages: ${verdicts.map(([verdict, each]) => `${each?.length} ${verdict}`).join(', ')}; ${hits.length} hits, ${wrong.length} with other fixes ${JSON.stringify(wrong.slice(0, 2))}`,
    )
    expect(answers).toHaveLength(purls.length)
    expect(hits.length).toBeGreaterThan(0)
    expect(wrong).toEqual([])
  })
})

function readDocuments(data: string): Readonly<Record<string, Documents>> {
  return {
    alpine: readAlpine(data, ['3.19', '3.20', '3.21', 'edge']),
    wolfi: readWolfi(data),
    'osv-ubuntu': readUbuntu(data, '2024'),
    'osv-suse': generateSuse(),
  }
}

/** A version just before another one. */
function toEarlier(scheme: 'apk' | 'deb', version: string): string {
  return scheme === 'deb' ? `${version}~` : version.replace(/(?:_[a-z]+\d*)*(?:-r\d+)?$/, '_alpha')
}

interface Answer {
  readonly verdict: string
  readonly matches?: readonly Match[]
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
