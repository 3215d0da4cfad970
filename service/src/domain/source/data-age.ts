// Age of the data sets. A data set has two ages: the age of its last successful run, and the age of the newest upstream
// release or record that is stored. A run that finds nothing new resets only the first age, so a data set is stale if
// either age exceeds its limit (decision E10).

const DAY_SECONDS = 24 * 60 * 60

/**
 * Maximum age of the newest stored release or record by data set, in days. Each limit is longer than the usual pause
 * between two releases of the upstream. Null: the upstream states no time, or has no schedule of releases, so only the
 * age of the last run counts.
 */
const MAX_DATA_AGE_DAYS: Readonly<Record<string, number | null>> = {
  // NVD renews its files every two hours.
  nvd: 2,
  // The CVE Program publishes a release every hour.
  cve: 2,
  // CISA adds entries on working days. The longest pause since 2022 was 18 days (March 2024).
  kev: 21,
  // ENISA added 43 entries in the first months of its catalog, with pauses of several weeks.
  eukev: 60,
  // FIRST publishes scores once a day and has missed single days.
  epss: 3,
  // Earlier releases of KEV are imported once, from a file.
  'kev-history': null,
  // Earlier days of EPSS are read from the newest to the oldest one, so that their age says nothing.
  'epss-history': null,
  // The ACSC publishes a few notices a week, and fewer over the Australian summer holidays.
  acsc: 30,
  // MITRE publishes CWE three or four times a year. The longest pause was nine months (January to October 2023).
  cwe: 365,
  // MITRE publishes ATT&CK in April and October.
  attack: 270,
  // CAPEC has had no release since version 3.9 of January 2023.
  capec: null,
  // The mapping has about one release a year, and each release needs a changed FEED_ATTACK_MAPPING_URL.
  'attack-mapping': 400,
  // New exploits, modules and repositories appear every week. The date of a Metasploit module is the day on which its
  // vulnerability was disclosed, which is often weeks before the module is added.
  exploitdb: 30,
  metasploit: 60,
  poc: 7,
  // The list of Nuclei templates contains no dates.
  nuclei: null,
  // Anchore corrects NVD's records on most days, and a quarter of its corrections have no date.
  overrides: 30,
  // GitHub and Red Hat change advisories every day.
  ghsa: 7,
  redhat: 7,
  // New advisories appear every day for Go and Bitnami, every week or month for the others.
  'osv-go': 14,
  'osv-bitnami': 14,
  'osv-pypa': 30,
  'osv-almalinux': 30,
  'osv-rustsec': 60,
  // Debian's tracker states no time.
  debian: null,
  // Microsoft revises its documents at least every month, on the second Tuesday.
  msrc: 45,
}

export interface DataSetTimes {
  readonly name: string
  readonly lastSuccessAt: Date | null
  /** Age of the last successful run, in seconds, above which the data set is stale. */
  readonly staleAfterSeconds: number
  /** Time of the newest upstream release or record that is stored; null if upstream states no time. */
  readonly upstreamAt: Date | null
}

/** Returns whether a data set has an entry in the table of limits. */
export function hasDataAgeLimit(name: string): boolean {
  return Object.hasOwn(MAX_DATA_AGE_DAYS, name)
}

/** Returns the maximum age of a data set's newest release in seconds, or null if the data set has no such limit. */
export function maxDataAgeSeconds(name: string): number | null {
  const days = hasDataAgeLimit(name) ? (MAX_DATA_AGE_DAYS[name] ?? null) : null
  return days === null ? null : days * DAY_SECONDS
}

/**
 * Returns the seconds from a time until now, or null without a time. The age is 0 if the time is in the future, because
 * the clock of the worker that stored the time may be ahead of the clock of this process.
 */
export function ageInSeconds(time: Date | null, now: Date): number | null {
  return time && Math.max(0, Math.floor((now.getTime() - time.getTime()) / 1000))
}

/** Returns whether the last successful run or the newest stored release is too old. A data set without a run is stale. */
export function isStale({ name, lastSuccessAt, staleAfterSeconds, upstreamAt }: DataSetTimes, now: Date): boolean {
  const runAge = ageInSeconds(lastSuccessAt, now)
  return runAge === null || runAge > staleAfterSeconds || isOutdated(name, upstreamAt, now)
}

/** Like isStale, but with one limit for both ages instead of the limits of the data set. */
export function isOlderThan({ lastSuccessAt, upstreamAt }: DataSetTimes, maxAgeSeconds: number, now: Date): boolean {
  const [runAge, dataAge] = [ageInSeconds(lastSuccessAt, now), ageInSeconds(upstreamAt, now)]
  return runAge === null || Math.max(runAge, dataAge ?? 0) > maxAgeSeconds
}

/** Returns whether the newest stored release or record of a data set is older than the limit of the data set. */
export function isOutdated(name: string, upstreamAt: Date | null, now: Date): boolean {
  const [dataAge, maxAge] = [ageInSeconds(upstreamAt, now), maxDataAgeSeconds(name)]
  return dataAge !== null && maxAge !== null && dataAge > maxAge
}
