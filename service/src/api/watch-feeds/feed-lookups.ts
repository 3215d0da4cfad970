// Asks whether addresses of feeds are valid. All readers that ask at the same time share one statement, so many wrong
// addresses cost as little as one.

export interface FeedLookups {
  isValid(digest: string): Promise<boolean>
}

/** An address that ended stops working on every node within this time. */
const FRESH_MS = 3000
const MAX_KEPT = 10_000
const MAX_PER_STATEMENT = 500

interface Answer {
  readonly askedAt: number
  readonly isValid: boolean
}

interface Asked {
  readonly promise: Promise<boolean>
  readonly resolve: (isValid: boolean) => void
  readonly reject: (error: unknown) => void
}

export function createFeedLookups(
  findValid: (digests: readonly string[]) => Promise<readonly string[]>,
  nowMs: () => number,
): FeedLookups {
  const kept = new Map<string, Answer>()
  const waiting = new Map<string, Asked>()
  let isAsking = false
  const keep = (digest: string, answer: Answer) => {
    const [oldest] = kept.keys()
    if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    kept.delete(digest)
    kept.set(digest, answer)
  }
  const ask = async () => {
    isAsking = true
    while (waiting.size > 0) {
      const asked = [...waiting].slice(0, MAX_PER_STATEMENT)
      for (const [digest] of asked) waiting.delete(digest)
      const askedAt = nowMs()
      try {
        const valid = new Set(await findValid(asked.map(([digest]) => digest)))
        for (const [digest, { resolve }] of asked) {
          keep(digest, { askedAt, isValid: valid.has(digest) })
          resolve(valid.has(digest))
        }
      } catch (error) {
        for (const [, { reject }] of asked) reject(error)
      }
    }
    isAsking = false
  }
  return {
    isValid: (digest) => {
      const known = kept.get(digest)
      if (known && nowMs() - known.askedAt < FRESH_MS) return Promise.resolve(known.isValid)
      const asked = waiting.get(digest) ?? Promise.withResolvers<boolean>()
      waiting.set(digest, asked)
      if (!isAsking) void ask()
      return asked.promise
    },
  }
}
