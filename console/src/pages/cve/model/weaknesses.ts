// Weaknesses with names. The record has their ids; the console knows the names of common ones.
import { nameWeakness } from '../../../text/weakness-names.ts'

export interface Weakness {
  readonly id: string
  readonly name: string | undefined
  readonly url: string
}

export function listWeaknesses(ids: readonly string[]): readonly Weakness[] {
  return [...new Set(ids)].map((id) => ({
    id,
    name: nameWeakness(id),
    url: `https://cwe.mitre.org/data/definitions/${id.slice('CWE-'.length)}.html`,
  }))
}
