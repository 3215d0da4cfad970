// Compares random and hand-picked pairs of versions with the programs of the ecosystems, as Debian packages them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SCHEMES } from '../../../service/src/domain/version/schemes.ts'
import { anyPair } from '../../../service/test/domain/version/any-version.ts'
import { listKnownPairs } from '../../../service/test/domain/version/known-orders.ts'
import { askOracle, isInstalled, ORACLES } from './oracles.ts'

const RANDOM = { seed: 20261117, numRuns: 10_000 }

describe.each(ORACLES)('$scheme versions compared with $name', (oracle) => {
  const { scheme, name, weRefuse, newerFormsRead } = oracle
  const isMissing = !isInstalled(oracle)

  it.skipIf(isMissing)('have the known order for all hand-picked pairs', () => {
    const pairs = listKnownPairs(scheme)
    const answers = askOracle(
      oracle,
      pairs.map(({ a, b }) => [a, b] as const),
    )

    expect(pairs.length).toBeGreaterThan(200)
    expect(pairs.map(({ a, b }, index) => `${a} ${b} ${answers[index]}`)).toEqual(
      pairs.map(({ a, b, sign }) => `${a} ${b} ${sign}`),
    )
  })

  it.skipIf(isMissing)('have the same order for 10,000 random pairs', () => {
    const pairs = fc.sample(anyPair(scheme), RANDOM)
    const answers = askOracle(oracle, pairs)
    const compared = pairs.map(([a, b], index) => {
      const order = SCHEMES[scheme].compare(a, b)
      return { a, b, ours: order === undefined ? undefined : Math.sign(order), theirs: answers[index] }
    })
    const inBoth = compared.filter(({ ours, theirs }) => ours !== undefined && theirs !== undefined)
    const onlyTheirs = compared.filter(({ ours, theirs }) => ours === undefined && theirs !== undefined)
    const onlyOurs = compared.filter(({ ours, theirs }) => ours !== undefined && theirs === undefined)
    const isOf = (form: RegExp | undefined) => (pair: { readonly a: string; readonly b: string }) =>
      form !== undefined && (form.test(pair.a) || form.test(pair.b))

    process.stdout.write(
      `${scheme} against ${name}: ${compared.length} pairs, ${inBoth.length} ordered by both, ` +
        `${onlyTheirs.length} by ${name} only, ${onlyOurs.length} by us only\n`,
    )
    expect(answers.length).toBe(RANDOM.numRuns)
    expect(inBoth.length).toBeGreaterThan(RANDOM.numRuns / 2)
    expect(inBoth.filter(({ ours, theirs }) => ours !== theirs)).toEqual([])
    expect(onlyTheirs.filter((pair) => !isOf(weRefuse)(pair))).toEqual([])
    expect(onlyOurs.filter((pair) => !isOf(newerFormsRead)(pair))).toEqual([])
  })
})
