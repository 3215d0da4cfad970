// Lists what each provider contributes to merged values.
import { RULES } from '../../domain/source/provider-names.ts'
import type { Claim, Provider } from '../model/claim.ts'
import type { Attributed, Resolved } from '../model/resolved.ts'
import { mergeTags } from '../sources/fields/read-tags.ts'
import { compareText, rankProvider } from './precedence.ts'
import { findTime, findTimes, orderOwnFirst, type ProviderTimes } from './provenance.ts'

export function listParts(
  claims: readonly Claim[],
  { affected, references }: Pick<Resolved, 'affected' | 'references'>,
): Resolved['parts'] {
  return {
    tags: listTags(claims),
    weaknesses: listWeaknesses(claims),
    affected: countByProvider(
      affected,
      findTimes(claims, (claim) => claim.affected),
    ),
    references: countByProvider(
      references,
      findTimes(claims, (claim) => claim.references),
    ),
  }
}

function countByProvider(merged: readonly { readonly by: Provider }[], times: ProviderTimes) {
  const counts = new Map<Provider, number>()
  for (const { by } of merged) counts.set(by, (counts.get(by) ?? 0) + 1)
  return [...counts].map(([by, value]) => ({ value, by, time: by === RULES ? null : (times.get(by) ?? null) }))
}

function listTags(claims: readonly Claim[]): Resolved['parts']['tags'] {
  const all = claims.flatMap(({ tags }) => tags)
  if (all.length === 0) return []
  const times = findTimes(claims, ({ tags }) => tags)
  return [...Map.groupBy(all, ({ by }) => by)].map(([by, stated]) => ({
    value: mergeTags(stated),
    by,
    time: times.get(by) ?? null,
  }))
}

/** Orders providers as for scores (decision C3); the merged list has the weaknesses of all providers. */
function listWeaknesses(claims: readonly Claim[]): Resolved['parts']['weaknesses'] {
  const byProvider = Map.groupBy(orderOwnFirst(claims).flatMap(groupWeaknesses), ({ by }) => by)
  return [...byProvider.values()]
    .flatMap(joinWeaknesses)
    .sort((a, b) => rankProvider(a.by) - rankProvider(b.by) || compareText(a.by, b.by))
}

type StatedIds = Attributed<ReadonlySet<string>>

function groupWeaknesses(claim: Claim): readonly StatedIds[] {
  if (claim.weaknesses.length === 0) return []
  const time = findTime(claim)
  return [...Map.groupBy(claim.weaknesses, ({ by }) => by)].map(([by, stated]) => ({
    value: new Set(stated.map(({ id }) => id)),
    by,
    time,
  }))
}

/** NVD's copy can differ from the author's record. The time is that of a record with all weaknesses. */
function joinWeaknesses(records: readonly StatedIds[]): readonly Attributed<readonly string[]>[] {
  const ids = new Set(records.flatMap(({ value }) => [...value]))
  const whole = records.find(({ value }) => value.size === ids.size) ?? records[0]
  return whole === undefined ? [] : [{ ...whole, value: [...ids].sort(compareWeaknesses) }]
}

export function compareWeaknesses(a: string, b: string): number {
  return Number(a.slice('CWE-'.length)) - Number(b.slice('CWE-'.length))
}
