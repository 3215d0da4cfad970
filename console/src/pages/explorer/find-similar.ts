// Finds the filters in which a list names an unknown product or vendor.
import type { UnknownName } from 'vis-sdk'
import type { FacetName } from '../../text/search/facet-specs.ts'
import { listChosen } from './facets/choose.ts'
import { mergeVendors, type SuggestedName } from './facets/merge-vendors.ts'
import type { ExplorerState } from './state.ts'

export interface SimilarName {
  readonly name: FacetName
  /** The unknown name, as the person entered it. */
  readonly value: string
  readonly similar: SuggestedName
}

export function findSimilar(state: ExplorerState, unknownNames: readonly UnknownName[]): readonly SimilarName[] {
  return unknownNames.flatMap(({ parameter: name, value: spelled, suggestions }) => {
    const value = listChosen(state, name).find((each) => isSameName(each, spelled))
    const [similar] = mergeVendors(suggestions)
    return value === undefined || similar === undefined ? [] : [{ name, value, similar }]
  })
}

export function isSameName(one: string, other: string): boolean {
  const normalise = (text: string) => text.trim().toLowerCase().replaceAll(/\s+/gu, '_')
  return normalise(one) === normalise(other)
}
