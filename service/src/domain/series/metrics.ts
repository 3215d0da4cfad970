// What the metrics of /stats/series and /stats/top count. search/series/metrics.ts has the SQL of each.

/** By which values a bucket is divided. */
export const SPLITS = ['severity', 'priority', 'catalog', 'ransomware'] as const

export type SplitName = (typeof SPLITS)[number]

interface MetricDescription {
  readonly meaning: string
  /** Whose day decides: that of the source of the data, or the day on which this service recorded the change. */
  readonly datedBy: 'source' | 'service'
  readonly by: readonly SplitName[]
}

const EVENT_METRICS = {
  published: {
    meaning: 'CVEs by the day of their publication, including those that were rejected later.',
    datedBy: 'source',
    by: ['severity', 'priority'],
  },
  kev_added: {
    meaning:
      "CVEs in CISA's KEV catalog by the day on which CISA added them. An entry that CISA removed later does not count, so that the numbers are those of CISA's file; GET /kev/history lists it.",
    datedBy: 'source',
    by: ['severity', 'priority', 'catalog', 'ransomware'],
  },
  became_urgent: {
    meaning:
      'CVEs whose priority rose to P0 or P1 from a lower level, or that were published at such a level, by the day on which this service recorded it. A CVE that becomes urgent again after it fell counts again. Changes of the rules or of the EPSS model do not count.',
    datedBy: 'service',
    by: ['severity', 'priority'],
  },
  exploit_added: {
    meaning:
      'CVEs for which this service recorded the first public evidence of an exploit, by the day on which it recorded it: sources often give their evidence an earlier day, or none.',
    datedBy: 'service',
    by: ['severity', 'priority'],
  },
} as const satisfies Readonly<Record<string, MetricDescription>>

const LEVEL_METRICS = {
  unrated: {
    meaning:
      'How many CVEs the priority policy did not rate at the end of each bucket, because nothing was known about them yet. This is a level, not a number of events.',
    datedBy: 'service',
    by: [],
  },
} as const satisfies Readonly<Record<string, MetricDescription>>

export type EventMetricName = keyof typeof EVENT_METRICS

/** A level is a number at the end of each bucket. It is kept only for the whole catalog. */
export type LevelMetricName = keyof typeof LEVEL_METRICS

export type MetricName = EventMetricName | LevelMetricName

// The cast is safe: Object.keys returns the keys of EVENT_METRICS.
export const EVENT_METRIC_NAMES = Object.keys(EVENT_METRICS) as readonly EventMetricName[]

const METRICS: Readonly<Record<MetricName, MetricDescription>> = { ...EVENT_METRICS, ...LEVEL_METRICS }

export const isLevel = (name: MetricName): name is LevelMetricName => name in LEVEL_METRICS

// The cast is safe: Object.keys returns the keys of METRICS.
export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[]

export const describeMetric = (name: MetricName): MetricDescription => METRICS[name]
