// Compares what watches tell with the searches themselves: after each publication, the SQL search of every watch runs over
// the whole catalog, and its list must differ from the one before by exactly what the watch told.
import { describe, expect, it } from 'vitest'
import { toCveKey } from '../../src/domain/cve-id.ts'
import { createDice } from '../support/generator/dice.ts'
import { createRandomPublications } from '../support/search/random-publications.ts'
import { findInSql, readFilterValues } from '../support/search/watch-judgement.ts'
import { chooseBySize } from '../support/size.ts'
import { createWatchHarness, type ToldEvent } from './watch-harness.ts'

const { publications, combinations, turns } = chooseBySize({
  short: { publications: 60, combinations: 20, turns: 1 },
  long: { publications: 1500, combinations: 250, turns: 50 },
})

/** One value of each filter that a watch takes, which some CVEs of the random publications meet and others do not. */
const CONDITIONS = [
  'q=kernel',
  'q=number 1',
  'ids=CVE-2026-1001,CVE-2026-1002,CVE-2026-1003',
  'severity=critical,high',
  'severity_min=7',
  'severity_max=5',
  'cvss_min=9',
  'exploit=true',
  'exploitable=true',
  'exploit_maturity=active,ransomware',
  'evidence_min=1',
  'kev=true',
  'kev_in=eu',
  'kev_added_after=2026-08-14',
  'kev_added_before=2026-08-14',
  'ransomware=true',
  'has_acsc=false',
  'has_references=true',
  'epss_min=0.3',
  'epss_max=0.2',
  'has_epss=true',
  'has_cvss=true',
  'cpe_count_min=2',
  'published_after=2026-07-15',
  'published_before=2026-07-15',
  'vendor=nvd',
  'attack_vector=network',
  'patched=true',
  'has_fix=true',
  'status=Analyzed',
  'priority=P0,P1,P2',
  'cwe=CWE-79',
  'technique=T1190',
  'product=router',
  'product_vendor=examplesoft',
  'assigner=mitre',
  'ssvc_exploitation=active',
  'ssvc_automatable=yes',
  'ssvc_impact=total',
  'score_version=3',
  'disagree=rejected',
] as const

interface Watch {
  readonly id: number
  readonly query: string
}

describe('Watches', () => {
  it(`tell exactly by what their search differs, in ${publications} publications`, { timeout: 7_200_000 }, async () => {
    const harness = await createWatchHarness()
    const { db } = harness.context.session
    const [dice, random] = [createDice(4811, 1), createRandomPublications(harness, 4812)]
    const account = await harness.createAccount()
    await harness.judge()
    const queries = [...CONDITIONS, ...drawCombinations(dice)]
    const watches: Watch[] = []
    for (const query of queries)
      watches.push({ id: await harness.createWatch(account, query, ['entered', 'left']), query })
    const values = watches.map(({ query }) => readFilterValues(query, new Date()))
    const search = () => Promise.all(values.map((each) => findInSql(db, each)))
    const counts = new Map<string, { entered: number; left: number }>()
    let lists = await search()
    let lastNr = 0
    for (let number = 0; number < publications; number += 1) {
      await random.publishNext()
      await harness.judge({ waveEndMs: -1 })
      const events = (await harness.readEvents()).filter(({ nr }) => nr > lastNr)
      lastNr = events.at(-1)?.nr ?? lastNr
      const found = await search()
      for (const [index, watch] of watches.entries())
        compareLists({
          watch,
          events,
          before: lists[index] ?? new Set(),
          after: found[index] ?? new Set(),
          number,
          counts,
        })
      lists = found
    }
    const printed = CONDITIONS.map(
      (query) => `${query}: ${counts.get(query)?.entered ?? 0} ${counts.get(query)?.left ?? 0}`,
    )
    const sum = (direction: 'entered' | 'left') => counts.values().reduce((total, each) => total + each[direction], 0)
    process.stdout.write(`entered and left:\n${printed.join('\n')}\nall: ${sum('entered')} ${sum('left')}\n`)
    const rare = CONDITIONS.filter((query) => {
      const { entered, left } = counts.get(query) ?? { entered: 0, left: 0 }
      return publications > 100 && (entered < turns || left < turns)
    })
    expect(rare).toEqual([])
    if (publications > 100) {
      expect(sum('entered')).toBeGreaterThanOrEqual(2000)
      expect(sum('left')).toBeGreaterThanOrEqual(500)
    }
  })
})

/** Searches of two or three conditions on different filters. */
function drawCombinations(dice: ReturnType<typeof createDice>): readonly string[] {
  const draw = () => CONDITIONS[dice.below(CONDITIONS.length)] ?? CONDITIONS[0]
  const isPossible = (query: string) => {
    const names = query.split('&').map((each) => each.split('=')[0])
    return new Set(names).size === names.length && !(names.includes('severity') && /severity_|cvss_min/.test(query))
  }
  const drawn = Array.from({ length: combinations * 10 }, () =>
    Array.from({ length: 2 + dice.below(2) }, draw).join('&'),
  )
  return [...new Set(drawn)].filter(isPossible).slice(0, combinations)
}

interface Comparison {
  readonly watch: Watch
  readonly events: readonly ToldEvent[]
  readonly before: ReadonlySet<string>
  readonly after: ReadonlySet<string>
  readonly number: number
  readonly counts: Map<string, { entered: number; left: number }>
}

/** A CVE that enters and leaves in one publication is in neither list. Recalculations tell numbers only. */
function compareLists({ watch, events, before, after, number, counts }: Comparison): void {
  const own = events.filter((event) => event.watch === watch.id)
  const told = own.filter(({ type }) => type === 'matched')
  const recalculated = own.filter(({ type }) => type === 'recalculated')
  const inside = new Set(before)
  const wrong: string[] = []
  for (const { subject, kinds, seq } of told) {
    const key = toCveKey(subject as never) ?? ''
    if (kinds.includes('entered') === inside.has(key) && recalculated.length === 0)
      wrong.push(`${subject} ${kinds.join()} by change ${seq}`)
    if (kinds.includes('entered')) inside.add(key)
    else inside.delete(key)
  }
  const label = `publication ${number}, ${watch.query}`
  expect(wrong, label).toEqual([])
  const sum = (member: string) => recalculated.reduce((total, { detail }) => total + Number(detail?.[member] ?? 0), 0)
  const [entered, left] = [sum('entered'), sum('left')]
  if (recalculated.length === 0) expect([...inside].toSorted(), label).toEqual([...after].toSorted())
  else expect(inside.size + entered - left, label).toBe(after.size)
  const counted = counts.get(watch.query) ?? { entered: 0, left: 0 }
  const count = (kind: string) => told.filter(({ kinds }) => kinds.includes(kind)).length
  counts.set(watch.query, {
    entered: counted.entered + count('entered') + entered,
    left: counted.left + count('left') + left,
  })
}
