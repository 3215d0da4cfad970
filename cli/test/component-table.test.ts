// Nothing unknown may read as clean in any form in which visctl shows an answer (decision E29).
import { COVERAGE_GAPS } from 'vis-sdk/vocabulary'
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../service/test/catalog/catalog-setup.ts'
import { publishTableCatalog, TABLE, type TableRow } from '../../service/test/support/component-table.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { database, visctl } = await startVisctlSetup()
await publishTableCatalog(await createCatalogHarness(database.url))

const toSbom = (rows: readonly TableRow[]) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: rows.map(({ component }, index) => ({
      type: 'library',
      'bom-ref': `row-${index}`,
      name: 'x',
      ...component,
    })),
  })
const scan = (...options: readonly string[]) => visctl(['scan', '-', ...options], {}, toSbom(TABLE))
const isClean = ({ verdict }: TableRow) => verdict === 'not_affected' || verdict === 'no_known_advisory'
const count = (isCounted: (row: TableRow) => boolean) => TABLE.filter(isCounted).length
const ADVISED = new Set(['affected', 'possibly_affected'])

/** The service's names of the components, such as `npm/lark 1.2.2`. */
const { components } = JSON.parse((await scan('--json')).stdout)
const names: readonly string[] = components.map(
  ({ interpreted_as: { vendor, product, version } }: { interpreted_as: Record<string, string | null> }) =>
    `${vendor}/${product} ${version ?? 'without a version'}`,
)
const listNames = (isListed: (row: TableRow) => boolean) =>
  TABLE.flatMap((row, index) => (isListed(row) ? [names[index] ?? ''] : []))

describe('visctl scan of components in every state', () => {
  it('counts each verdict, and names each gap with its meaning and each component', async () => {
    const { code, stderr } = await scan()

    expect(code).toBe(0)
    const words = ['affected', 'possibly_affected', 'not_covered', 'not_affected', 'no_known_advisory']
    const counts = words.map((word) => `${word.replaceAll('_', ' ')} ${count(({ verdict }) => verdict === word)}`)
    expect(stderr).toContain(`: ${counts.join(', ')}. Cost`)
    expect(stderr).toContain(
      `: ${count(({ gap }) => gap === null)} of ${TABLE.length} components; the oldest data is OSV: RustSec, released 2025-02-01, 567 days old.`,
    )
    for (const [gap, meaning] of Object.entries(COVERAGE_GAPS)) {
      for (const isCovered of [true, false]) {
        const found = listNames((row) => row.gap === gap && (row.verdict !== 'not_covered') === isCovered)
        if (found.length === 0) continue
        const title = `${isCovered ? 'Judged only in part' : 'Not covered'}, ${gap.replaceAll('_', ' ')} (${found.length})`
        expect(stderr).toContain(`${title}: ${found.join(', ')}. ${meaning}\n`)
      }
    }
  })

  it('names in the plan, the list after it or the summary each component with a hit', async () => {
    const { stdout, stderr } = await scan()

    for (const [index, { verdict, title }] of TABLE.entries())
      if (ADVISED.has(verdict)) expect(stdout + stderr, title).toContain(names[index])
  })

  it('has a row for each component that is not clean with --rows', async () => {
    const { stdout } = await scan('--rows')

    const rows = stdout.slice(stdout.indexOf('LEVEL')).split('\n')
    for (const [index, row] of TABLE.entries()) {
      const isOwn = (text: string) => text.includes(`${names[index]}  `) && text.includes(` ${row.verdict} `)
      if (!isClean(row)) expect(rows.some(isOwn), row.title).toBe(true)
    }
  })

  it('has a row with the verdict and the gap of each component with --csv, also in visctl match', async () => {
    const argv = TABLE.map(({ component }) => ('purl' in component ? component.purl : component.cpe))
    for (const { stdout } of [await scan('--csv'), await visctl(['match', '--csv', ...argv])]) {
      const rows = stdout.split('\r\n').map((row) => row.split(','))
      for (const [index, { verdict, gap, title }] of TABLE.entries()) {
        const own = rows.filter(([position]) => position === String(index))
        expect(own.length, title).toBeGreaterThan(0)
        for (const row of own) expect([row[4], row[5]], title).toEqual([verdict, gap ?? ''])
      }
    }
  })

  it('has a result in SARIF for each component that is not clean', async () => {
    const [run] = JSON.parse((await scan('--sarif')).stdout).runs
    const messages: readonly string[] = run.results.map(({ message }: { message: { text: string } }) => message.text)

    // Components of two releases may have the same name.
    const unclean = new Set(listNames((row) => !isClean(row)))
    for (const name of new Set(names)) {
      const isNamed = messages.some((text) => text.includes(name))
      expect(isNamed, name).toBe(unclean.has(name))
    }
    const notes = run.results.filter(({ ruleId }: { ruleId: string }) => ruleId === 'visctl/not-judged')
    expect(new Set(notes.map(({ level }: { level: string }) => level))).toEqual(new Set(['note']))
  })

  it('counts the gaps with a VEX document, which cannot name the components', async () => {
    const { stderr } = await scan('--format', 'openvex')

    const counts = Object.keys(COVERAGE_GAPS).flatMap((gap) => {
      const found = count((row) => row.gap === gap)
      return found === 0 ? [] : [`${gap.replaceAll('_', ' ')} ${found}`]
    })
    expect(stderr).toContain(`Not covered, or only in part: ${counts.join(', ')}.\n`)
  })
})

describe('visctl scan --fail-on of a single component', () => {
  it.each(TABLE)('$verdict exits with 0 only if it is clean: $title', async (row) => {
    const { code } = await visctl(['scan', '-', '--fail-on', 'P4'], {}, toSbom([row]))

    expect(code === 0).toBe(isClean(row))
  })
})

describe('visctl search of a single component', () => {
  it.each(TABLE.filter(({ gap }) => gap !== null))(
    'says that it is not covered: $title',
    async ({ component, gap }) => {
      const [name, text] = 'purl' in component ? ['--purl', component.purl] : ['--cpe', component.cpe]
      const { stderr } = await visctl(['search', name, text])

      expect(stderr).toContain(COVERAGE_GAPS[gap ?? 'no_source'])
    },
  )
})
