// Reads the rows of each product once and keeps them until its last component. When memory runs short, all cached rows
// are dropped, and later components read them again.
import type { Database } from '../../database/postgres.ts'
import type { Component } from '../../domain/component/component.ts'
import { type ProductRows, prepareRows } from '../versions/product-rows.ts'
import { type Estimate, WORK_LIMITS } from './estimate.ts'
import { readRows, toNameKey } from './read-rows.ts'

/** Number of components whose products one statement reads. */
const GROUP_SIZE = 250

export interface ProductCache {
  /**
   * Reads the products of the components from `start` onwards and returns the position of the first component not
   * covered.
   */
  load(start: number): Promise<number>
  get(component: Component): ProductRows
}

export function createProductCache(
  db: Database,
  components: readonly Component[],
  { rowsOfNames }: Estimate,
  maxRows = WORK_LIMITS.productRows,
): ProductCache {
  const names = components.map(toNameKey)
  const lastUses = new Map(names.map((name, position) => [name, position]))
  const held = new Map<string, ProductRows>()
  const countHeld = () => [...held.values()].reduce((sum, { rows }) => sum + rows.length, 0)
  const countRows = (name: string | undefined) => rowsOfNames.get(name ?? '') ?? 0
  /** Returns the end of a group. Its first component belongs to it even if that one alone exceeds `maxRows`. */
  const planGroup = (start: number): number => {
    const first = names[start] ?? ''
    if (!held.has(first) && countHeld() + countRows(first) > maxRows) held.clear()
    const limit = Math.min(names.length, start + GROUP_SIZE)
    const added = new Set(held.keys())
    let rows = countHeld()
    for (let end = start; end < limit; end += 1) {
      const name = names[end] ?? ''
      if (added.has(name)) continue
      rows += countRows(name)
      if (rows > maxRows && end > start) return end
      added.add(name)
    }
    return limit
  }
  return {
    load: async (start) => {
      for (const name of held.keys()) if ((lastUses.get(name) ?? 0) < start) held.delete(name)
      const end = planGroup(start)
      const missing = new Map(components.slice(start, end).map((each) => [toNameKey(each), each]))
      for (const name of held.keys()) missing.delete(name)
      const read = await readRows(db, [...missing.values()])
      for (const [index, name] of [...missing.keys()].entries()) held.set(name, prepareRows(read[index] ?? []))
      return end
    },
    get: (component) => held.get(toNameKey(component)) ?? prepareRows([]),
  }
}
