// The newest day on which something happened to a CVE, for the order of CVEs of the same level.

const MS_PER_DAY = 86_400_000

export interface EventDays {
  readonly published: Date | null
  /** Days of the additions to KEV catalogs that list the CVE now. */
  readonly listed: readonly string[]
}

/** Returns a number of days since 1970; null if no day is known. Upstream days in the future were replaced (decision C22). */
export function findEventDay({ published, listed }: EventDays): number | null {
  const times = [...(published ? [published.getTime()] : []), ...listed.map((day) => Date.parse(`${day}T00:00:00Z`))]
  return times.length === 0 ? null : Math.floor(Math.max(...times) / MS_PER_DAY)
}
