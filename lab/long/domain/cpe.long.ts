// Parses and formats every CPE name of NVD's configurations and of the CVE List.
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { buildCpe, formatCpe, parseCpe } from '../../../service/src/domain/cpe/cpe.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const data = realData('the test of all real CPE names') ?? ''

describe.skipIf(data === '')('CPE parser with the real data', () => {
  it('parses all NVD CPE names and formats them to the same text', async () => {
    const names = new Set<string>()
    const files = (await readdir(join(data, 'nvd'))).filter((name) => /^nvdcve-.*\.json\.gz$/.test(name))
    for (const file of files) {
      for await (const line of readLines(join(data, 'nvd', file))) addAll(names, readCriteria(line))
    }
    const changed = [...names].filter((name) => reformat(name) !== name)

    printNames(`${names.size} names in NVD, ${changed.length} formatted differently:`, changed)
    expect(names.size).toBeGreaterThan(300_000)
    expect(changed).toEqual([])
  })

  it('parses all CPE names in the CVE List except fewer than 30 malformed names', async () => {
    const names = new Set((await readAffectedProducts()).flatMap(({ cpes = [] }) => cpes))
    const malformed = [...names].filter((name) => parseCpe(name) === undefined)

    printNames(`${names.size} names of CNAs, ${malformed.length} malformed:`, malformed)
    expect(names.size).toBeGreaterThan(20_000)
    expect(malformed.length).toBeLessThan(30)
  })

  it('builds CPE names for more than 99.5 % of the products in the CVE List', async () => {
    const products = new Map((await readAffectedProducts()).map((each) => [`${each.vendor}\n${each.product}`, each]))
    const unnamed = [...products.values()]
      .filter(({ vendor = '', product = '' }) => !buildCpe({ vendor, product }))
      .filter(({ vendor = 'n/a', product = 'n/a' }) => ![vendor, product].some((name) => PLACEHOLDER.test(name)))
      .map(({ vendor, product }) => JSON.stringify([vendor, product]))

    printNames(`${products.size} products, ${unnamed.length} without a CPE:`, unnamed)
    expect(unnamed.length).toBeLessThan(products.size / 200)
  })
})

const PLACEHOLDER = /^(?:n\/?a|none|unknown|unspecified)?$/i

function printNames(heading: string, names: readonly string[]): void {
  process.stdout.write(`${[heading, ...names.slice(0, 20)].join('\n  ')}\n`)
}

function reformat(name: string): string | undefined {
  const parts = parseCpe(name)
  return parts && formatCpe(parts)
}

function addAll(names: Set<string>, more: readonly string[]): void {
  for (const each of more) names.add(each)
}

/** Parses only the CPE names in a line, because parsing whole records takes ten times as long. */
function readCriteria(line: string): string[] {
  return [...line.matchAll(/"criteria":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']): string => JSON.parse(text))
}

interface Affected {
  readonly vendor?: string
  readonly product?: string
  readonly cpes?: readonly string[]
}

interface Container {
  readonly affected?: readonly Affected[]
}

async function readAffectedProducts(): Promise<Affected[]> {
  const products: Affected[] = []
  for await (const line of readLines(join(data, 'cvelist5.ndjson.gz'))) products.push(...readAffected(line))
  return products
}

function readAffected(line: string): readonly Affected[] {
  const { containers }: { containers: { cna: Container; adp?: readonly Container[] } } = JSON.parse(line)
  return [containers.cna, ...(containers.adp ?? [])].flatMap(({ affected = [] }) => affected)
}

function readLines(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY })
}
