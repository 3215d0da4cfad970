// Splits NVD's records into the first load and what changed in each week. The files have only the newest version of a
// record, so its earlier states are rebuilt from its own dates:
// - A record published and last changed before the first load is in the first load as it is.
// - A record published before it and changed later is in the first load too, without what carries a later date: CISA's
//   KEV members and SSVC assessments. In the week of the change it arrives as it is.
// - A record published later arrives in the week of its publication as NVD publishes new ones, with id, text and links
//   and without an assessment, and as it is in the week of its last change.

export type NvdRecord = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly published: string
  readonly lastModified: string
}

/** The states of a record, each with the time from which it was served. */
export function listStates(
  record: NvdRecord,
  firstLoad: string,
): readonly { readonly at: string; readonly record: NvdRecord }[] {
  const { published, lastModified } = record
  if (lastModified <= firstLoad || lastModified === published) return [{ at: later(published, lastModified), record }]
  if (published <= firstLoad)
    return [
      { at: published, record: withoutLaterFacts({ ...record, lastModified: published }, firstLoad) },
      { at: lastModified, record },
    ]
  return [
    { at: published, record: toReceived(record) },
    { at: lastModified, record },
  ]
}

const later = (one: string, other: string) => (one < other ? other : one)

function withoutLaterFacts(record: NvdRecord, firstLoad: string): NvdRecord {
  const { cisaExploitAdd, cisaActionDue, cisaRequiredAction, cisaVulnerabilityName, ...rest } = record
  const isListed = typeof cisaExploitAdd === 'string' && cisaExploitAdd <= firstLoad.slice(0, 10)
  const kev = isListed ? { cisaExploitAdd, cisaActionDue, cisaRequiredAction, cisaVulnerabilityName } : {}
  return { ...rest, ...kev, metrics: withoutLaterAssessments(record['metrics'], firstLoad) }
}

function withoutLaterAssessments(metrics: unknown, firstLoad: string): unknown {
  if (!isObject(metrics) || !Array.isArray(metrics['ssvcV203'])) return metrics
  const { ssvcV203, ...rest } = metrics
  const earlier = (ssvcV203 as readonly unknown[]).filter((each) => {
    const data = isObject(each) ? each['ssvcData'] : undefined
    const time = isObject(data) ? data['timestamp'] : undefined
    return typeof time === 'string' && time <= firstLoad
  })
  return earlier.length === 0 ? rest : { ...rest, ssvcV203: earlier }
}

function toReceived({ id, sourceIdentifier, published, descriptions, references }: NvdRecord): NvdRecord {
  return {
    id,
    sourceIdentifier,
    published,
    lastModified: published,
    vulnStatus: 'Received',
    cveTags: [],
    descriptions,
    metrics: {},
    references,
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
