// Every name of NVD's configurations, and every one that a CNA gives: is it read, and written as it was?
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { cpeOf, formatCpe, parseCpe } from '../../src/domain/cpe.ts'
import { sharedData } from '../support/shared-data.ts'

const data = sharedData('CPE at full size') ?? ''

describe.skipIf(data === '')('The names of the real data', () => {
  it('are read and written as they were, all of NVD', async () => {
    const names = new Set<string>()
    const files = (await readdir(join(data, 'nvd'))).filter((name) => /^nvdcve-.*\.json\.gz$/.test(name))
    for (const file of files) {
      for await (const line of linesOf(join(data, 'nvd', file))) addAll(names, criteriaOf(line))
    }
    const others = [...names].filter((name) => written(name) !== name)

    say(`${names.size} names in NVD, ${others.length} not as they were:`, others)
    expect(names.size).toBeGreaterThan(300_000)
    expect(others).toEqual([])
  })

  it('are read in the CVE List, but for a few without a backslash before a colon', async () => {
    const names = new Set((await affectedProducts()).flatMap(({ cpes = [] }) => cpes))
    const malformed = [...names].filter((name) => parseCpe(name) === undefined)

    say(`${names.size} names of CNAs, ${malformed.length} malformed:`, malformed)
    expect(names.size).toBeGreaterThan(20_000)
    expect(malformed.length).toBeLessThan(30)
  })

  it('can be made for nearly all products that a CNA names', async () => {
    const products = new Map((await affectedProducts()).map((each) => [`${each.vendor}\n${each.product}`, each]))
    const nameless = [...products.values()]
      .filter(({ vendor = '', product = '' }) => !cpeOf({ vendor, product }))
      .filter(({ vendor = 'n/a', product = 'n/a' }) => ![vendor, product].some((name) => PLACEHOLDER.test(name)))
      .map(({ vendor, product }) => JSON.stringify([vendor, product]))

    say(`${products.size} products, ${nameless.length} without a CPE:`, nameless)
    expect(nameless.length).toBeLessThan(products.size / 200)
  })
})

const PLACEHOLDER = /^(?:n\/?a|none|unknown|unspecified)?$/i

function say(what: string, names: readonly string[]): void {
  process.stdout.write(`${[what, ...names.slice(0, 20)].join('\n  ')}\n`)
}

function written(name: string): string | undefined {
  const parts = parseCpe(name)
  return parts && formatCpe(parts)
}

function addAll(names: Set<string>, more: readonly string[]): void {
  for (const each of more) names.add(each)
}

/** Only the names are parsed: whole records take ten times as long. */
function criteriaOf(line: string): string[] {
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

async function affectedProducts(): Promise<Affected[]> {
  const products: Affected[] = []
  for await (const line of linesOf(join(data, 'cvelist5.ndjson.gz'))) products.push(...affectedOf(line))
  return products
}

function affectedOf(line: string): readonly Affected[] {
  const { containers }: { containers: { cna: Container; adp?: readonly Container[] } } = JSON.parse(line)
  return [containers.cna, ...(containers.adp ?? [])].flatMap(({ affected = [] }) => affected)
}

function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY })
}
