// Random source data for property tests.
import fc from 'fast-check'
import { RECORD_SOURCES, type SourceData } from '../../src/catalog/model/source-data.ts'
import {
  cisa,
  configurations,
  cve,
  kevEntry,
  match,
  notice,
  nvd,
  nvdRating,
  override,
  record,
  sourceData,
  ssvc,
  VECTORS,
  vendor,
} from './builders.ts'

const vector = fc.constantFrom(...Object.values(VECTORS))
const instant = fc
  .integer({ min: 0, max: 400 })
  .map((day) => new Date(Date.UTC(2025, 6, 1) + day * 86_400_000).toISOString())
const few = { maxLength: 3 }
const word = fc.constantFrom('alpha', 'beta', 'gamma')
const weakness = fc.constantFrom('CWE-79', 'CWE-20', 'CWE-1021', 'NVD-CWE-noinfo')
const exploitation = fc.constantFrom('none', 'PoC', 'Active')
const text = fc.constantFrom('One.', 'Two.', ' ')

/**
 * The links of each source have their own host name, so that a test can detect links from a source that was removed.
 */
const link = (mark: string) =>
  word.map((path) => ({ url: `https://${mark}.example/${path}`, tags: ['patch', 'exploit'] }))

const anyNvdRecord = fc
  .record({
    vector,
    instant,
    weakness,
    text,
    products: fc.array(word, few),
    links: fc.array(link('nvd'), few),
    status: fc.constantFrom('Analyzed', 'Rejected', 'Deferred'),
  })
  .map((values) =>
    nvd(
      {
        published: values.instant,
        vulnStatus: values.status,
        descriptions: [{ lang: 'en', value: values.text }],
        metrics: { cvssMetricV31: [nvdRating('nvd@nist.gov', values.vector, 5, 'Primary')] },
        weaknesses: [{ source: 'nvd@nist.gov', description: [{ lang: 'en', value: values.weakness }] }],
        configurations: configurations(...values.products.map((each) => match(each))),
        references: values.links,
      },
      values.instant,
    ),
  )

const anyCveRecord = fc
  .record({
    vector,
    instant,
    weakness,
    text,
    exploitation,
    products: fc.array(word, few),
    links: fc.array(link('cve'), few),
    state: fc.constantFrom('PUBLISHED', 'REJECTED'),
  })
  .map((values) =>
    cve(
      {
        metadata: { state: values.state },
        cna: {
          descriptions: [{ lang: 'en', value: values.text }],
          affected: values.products.map((product) => ({
            vendor: 'e',
            product,
            versions: [{ version: '1', lessThan: '2', status: 'affected' }],
          })),
          references: values.links,
        },
        adp: [
          cisa({
            metrics: [ssvc(values.exploitation, values.instant), { cvssV3_1: { vectorString: values.vector } }],
            problemTypes: [{ descriptions: [{ cweId: values.weakness }] }],
          }),
        ],
      },
      values.instant,
    ),
  )

const anyOverride = fc
  .record({ instant, products: fc.array(word, few) })
  .map((values) => override(configurations(...values.products.map((each) => match(each))), values.instant))

const anyVendorRecord = fc
  .record({
    source: fc.constantFrom('ghsa', 'redhat', 'msrc'),
    vector,
    instant,
    text,
    weakness,
    withdrawn: fc.boolean(),
    links: fc.array(link('vendor'), few),
  })
  .map(({ source, instant: modified, ...values }) =>
    vendor(
      source,
      {
        withdrawn: values.withdrawn,
        description: values.text,
        scores: [{ vector: values.vector, base_score: null }],
        weaknesses: [values.weakness],
        references: values.links,
        exploitation: 'poc',
      },
      modified,
    ),
  )

const malformedRecord = fc
  .record({
    source: fc.constantFrom(...RECORD_SOURCES),
    instant,
    value: fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.string(),
    ),
  })
  .map((values) => record(values.source, values.value, values.instant))

/** Generates the data of all sources about a CVE: plausible records of every source and some malformed records. */
export const anySourceData: fc.Arbitrary<SourceData> = fc
  .record({
    records: fc.tuple(
      fc.option(anyNvdRecord),
      fc.option(anyCveRecord),
      fc.option(anyOverride),
      fc.array(anyVendorRecord, { maxLength: 4 }),
      fc.array(malformedRecord, few),
    ),
    kev: fc.option(fc.constant(kevEntry())),
    notices: fc.array(
      instant.map((date) => notice(date)),
      few,
    ),
  })
  .map(({ records: [one, two, three, ...more], ...rest }) =>
    sourceData(
      [one, two, three, ...more.flat()].flatMap((each) => each ?? []),
      rest,
    ),
  )
