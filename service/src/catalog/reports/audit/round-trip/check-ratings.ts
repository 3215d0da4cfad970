// Compares the served scores, vectors and weaknesses with the raw records of their sources.
import { computeBaseScore, toVectorKey } from './base-score.ts'
import type { Attributed, ServedDocument } from './document.ts'
import type { DifferenceKind } from './kinds.ts'
import type { RawCve, RawRecord } from './raw-cve.ts'
import { type Raw, toNumber, toRaw, toRaws, toWordList, toWords } from './raw-json.ts'
import { listContainers, readAdvisoryProvider, toNvdProvider } from './read-statements.ts'
import type { ServedDetail } from './served-values.ts'
import { isSaidBy } from './statement.ts'

interface StatedRating {
  readonly record: string
  readonly provider: string
  readonly vector: string
  readonly score: number | null
}

/** What is served about one rating. */
interface ServedRating {
  readonly vector: string | null
  readonly score: number | null
}

export function readRatings(records: readonly RawRecord[]): readonly StatedRating[] {
  return records.flatMap((each) => listRatings(each)).filter(({ vector }) => vector !== '')
}

function listRatings({ source, content }: RawRecord): readonly StatedRating[] {
  if (source === 'nvd')
    return Object.values(toRaw(content['metrics'])).flatMap((list) =>
      toRaws(list).map((metric) =>
        toRating(source, toNvdProvider(toWords(metric['source'])), toRaw(metric['cvssData'])),
      ),
    )
  if (source === 'cve')
    return listContainers(content).flatMap(({ provider, container }) =>
      toRaws(container['metrics']).flatMap((metric) =>
        Object.entries(metric)
          .filter(([name]) => name.startsWith('cvss'))
          .map(([, cvss]) => toRating(source, provider, toRaw(cvss))),
      ),
    )
  return toRaws(content['scores']).map((each) => ({
    record: source,
    provider: readAdvisoryProvider(source, content),
    vector: toWords(each['vector']) ?? '',
    score: toNumber(each['base_score']),
  }))
}

function toRating(record: string, provider: string, cvss: Raw): StatedRating {
  const [vector, score] = [toWords(cvss['vectorString']) ?? '', toNumber(cvss['baseScore'])]
  return { record, provider, vector, score }
}

const VALUES = ['cvss_v3_1', 'cvss_v4_0', 'cvss_v2_0', 'severity'] as const

export function compareScores(document: ServedDocument, ratings: readonly StatedRating[]): readonly Compared[] {
  return VALUES.flatMap((value) => {
    const shown = readShown(document, value)
    return [
      ...document.from(value).map((each) => compareStatement(each, shown, ratings)),
      ...document.others(value).map((each) => compareStatement(each, { vector: null, score: null }, ratings)),
    ]
  })
}

/** Undefined if both agree. */
export type Compared = DifferenceKind | undefined

/** The members that a statement omits because the record itself shows them. */
function readShown({ cvss, vector, score }: ServedDocument, value: (typeof VALUES)[number]): ServedRating {
  if (value === 'severity') return { vector, score }
  const object = toRaw(cvss[value.replace('cvss_', '')])
  return { vector: toWords(object['vectorString']), score: toNumber(object['baseScore']) }
}

function compareStatement(
  { source, content }: Attributed,
  shown: ServedRating,
  all: readonly StatedRating[],
): Compared {
  const [vector, score] = [toWords(content['vector']) ?? shown.vector, toNumber(content['score']) ?? shown.score]
  const bySource = all.filter((each) => isSaidBy(each, source))
  const stated = toNumber(content['stated_score'])
  return (
    compareRating({ vector, score }, bySource, stated) ?? (stated === null ? undefined : findStated(stated, bySource))
  )
}

function findStated(score: number, ratings: readonly StatedRating[]): Compared {
  return ratings.some((each) => each.score === score) ? undefined : 'score'
}

function compareRating(
  { vector, score }: ServedRating,
  ratings: readonly StatedRating[],
  ...stated: readonly (number | null)[]
): Compared {
  if (vector === null) return 'vector'
  const key = toVectorKey(vector)
  const same = ratings.filter((each) => toVectorKey(each.vector) === key)
  if (same.length === 0) return 'vector'
  const computed = computeBaseScore(vector)
  if (computed !== undefined) return computed === score ? undefined : 'score'
  if (same.some((each) => each.score === score || each.score === null)) return undefined
  return BEYOND_BASE.test(key) || same.some((each) => stated.includes(each.score)) ? 'stated-score' : 'score'
}

/** Metrics of CVSS 4.0 that change the score and are not base metrics. */
const BEYOND_BASE = /\/(?:E|CR|IR|AR|M[A-Z]{1,2}):/

const DETAIL_METRICS = ['cvss_v31', 'cvss_v40', 'cvss_v2'] as const

/** `document` shows the scores that sources state beside the base scores. */
export function compareDetailScores(
  { source, record }: ServedDetail,
  document: ServedDocument,
  all: readonly StatedRating[],
): readonly Compared[] {
  const own = all.filter((each) => each.record === source)
  const beside = [...document.from('cvss_v4_0'), ...document.others('cvss_v4_0')]
  const stated = beside.map(({ content }) => toNumber(content['stated_score']))
  const metrics = toRaw(record['metrics'])
  return DETAIL_METRICS.flatMap((name) => {
    const cvss = toRaw(metrics[name])
    const [vector, score] = [toWords(cvss['vectorString']), toNumber(cvss['baseScore'])]
    return vector === null ? [] : [compareRating({ vector, score }, own, ...stated)]
  })
}

interface StatedWeakness {
  readonly provider: string
  readonly id: string
}

export function readWeaknesses({ records, kev }: RawCve): readonly StatedWeakness[] {
  const inKev = kev === null || kev.isRemoved ? [] : kev.cwes.map((text) => ({ provider: 'cisa-kev', text }))
  return [...records.flatMap(listWeaknesses), ...inKev].flatMap(({ provider, text }) => {
    const number = /^\s*CWE-?0*(\d+)/i.exec(text)?.[1]
    return number === undefined ? [] : { provider, id: `CWE-${number}` }
  })
}

function listWeaknesses({ source, content }: RawRecord): readonly { provider: string; text: string }[] {
  if (source === 'nvd')
    return toRaws(content['weaknesses']).flatMap((each) =>
      toRaws(each['description']).map((text) => ({
        provider: toNvdProvider(toWords(each['source'])),
        text: toWords(text['value']) ?? '',
      })),
    )
  if (source === 'cve')
    return listContainers(content).flatMap(({ provider, container }) =>
      toRaws(container['problemTypes'])
        .flatMap((type) => toRaws(type['descriptions']))
        .map((each) => ({ provider, text: toWords(each['cweId']) ?? toWords(each['description']) ?? '' })),
    )
  return toWordList(content['weaknesses']).map((text) => ({ provider: readAdvisoryProvider(source, content), text }))
}

export function compareWeaknesses(document: ServedDocument, stated: readonly StatedWeakness[]): readonly Compared[] {
  const attributed = document.from('weaknesses')
  const isStated = (source: string, id: string) => stated.some((each) => each.id === id && isSaidBy(each, source))
  const named = attributed.map(({ source, content }) => ({ source, ids: toWordList(content['cwe_list']) }))
  return [
    ...named.flatMap(({ source, ids }) => ids.map((id) => (isStated(source, id) ? undefined : 'weakness'))),
    ...document.weaknesses.map((id) => (named.some(({ ids }) => ids.includes(id)) ? undefined : 'weakness')),
  ]
}
