// Weaknesses with names. The names come from the detail record; CVEs without one get common names.
import type { DetailRecord } from 'vis-sdk'
import { nameWeakness } from '../../../text/weakness-names.ts'

export interface Weakness {
  readonly id: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly url: string
}

type DetailWeakness = DetailRecord['technical_details']['cwe'][number]

export function listWeaknesses(ids: readonly string[], named: readonly DetailWeakness[]): readonly Weakness[] {
  const byId = new Map(named.map((each) => [each.id, each]))
  return [...new Set([...ids, ...byId.keys()])].map((id) => ({
    id,
    name: byId.get(id)?.name ?? nameWeakness(id),
    description: byId.get(id)?.description ?? undefined,
    url: `https://cwe.mitre.org/data/definitions/${id.slice('CWE-'.length)}.html`,
  }))
}
