// Compares recorded answers with those that the service later gives for the same day.

import type { Api } from '../../support/api.ts'
import { createDice } from '../../support/generator/dice.ts'
import { cutRecord, type Recorded } from './replay.ts'

/** Returns a sentence for each of the chosen pairs of CVE and day whose bytes differ. */
export async function comparePairs(api: Api, recorded: readonly Recorded[], count: number): Promise<readonly string[]> {
  const dice = createDice(29)
  const shuffled = recorded.map((each) => ({ each, place: dice.share() })).toSorted((a, b) => a.place - b.place)
  const differences: string[] = []
  for (const { each } of shuffled.slice(0, count)) {
    const { status, text } = await api.get(`/api/v1/cve/${each.id}/as-of/${each.day}`)
    const record = status === 404 ? null : cutRecord(text, 'record')
    if (record !== each.record) differences.push(`${each.id} on ${each.day}: ${describe(each.record, record)}`)
  }
  return differences
}

/** Names the members that differ. */
function describe(recorded: string | null, read: string | null): string {
  if (recorded === null || read === null)
    return `${recorded === null ? '404' : '200'}, then ${read === null ? '404' : '200'}`
  const [before, after]: Record<string, unknown>[] = [JSON.parse(recorded), JSON.parse(read)]
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name])).join()
}
