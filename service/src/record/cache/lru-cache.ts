export interface LruCache<T> {
  readonly count: number
  /** Total size of all entries. */
  readonly total: number
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
  clear(): void
}

/** Values larger than an eighth of `maxTotal` are not stored, because they would evict thousands of small ones. */
export function createLruCache<T>(maxTotal: number, measure: (value: T) => number): LruCache<T> {
  // A Map iterates in insertion order and `get` inserts the entry again, so the first key is the least recently used.
  const entries = new Map<string, { readonly value: T; readonly size: number }>()
  let total = 0
  const remove = (key: string) => {
    total -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }
  return {
    get count() {
      return entries.size
    },
    get total() {
      return total
    },
    get: (key) => {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set: (key, value) => {
      const size = measure(value)
      remove(key)
      if (size > maxTotal / 8) return
      entries.set(key, { value, size })
      total += size
      for (const oldest of entries.keys()) {
        if (total <= maxTotal) return
        remove(oldest)
      }
    },
    delete: remove,
    clear: () => {
      entries.clear()
      total = 0
    },
  }
}
