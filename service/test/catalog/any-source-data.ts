import fc from 'fast-check'
import { type Facts, RECORD_SOURCES } from '../../src/catalog/model/source-data.ts'
import {
  cisa,
  configurations,
  cve,
  facts,
  kevEntry,
  match,
  notice,
  nvd,
  nvdRating,
  override,
  record,
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

/** Every source says something that no other one does, so that whatever is left of it can be told. */
const link = (mark: string) =>
  word.map((path) => ({ url: `https://${mark}.example/${path}`, tags: ['patch', 'exploit'] }))

const ofNvd = fc
  .record({
    vector,
    instant,
    weakness,
    text,
    products: fc.array(word, few),
    links: fc.array(link('nvd'), few),
    status: fc.constantFrom('Analyzed', 'Rejected', 'Deferred'),
  })
  .map((said) =>
    nvd(
      {
        published: said.instant,
        vulnStatus: said.status,
        descriptions: [{ lang: 'en', value: said.text }],
        metrics: { cvssMetricV31: [nvdRating('nvd@nist.gov', said.vector, 5, 'Primary')] },
        weaknesses: [{ source: 'nvd@nist.gov', description: [{ lang: 'en', value: said.weakness }] }],
        configurations: configurations(...said.products.map((each) => match(each))),
        references: said.links,
      },
      said.instant,
    ),
  )

const ofCve = fc
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
  .map((said) =>
    cve(
      {
        metadata: { state: said.state },
        cna: {
          descriptions: [{ lang: 'en', value: said.text }],
          affected: said.products.map((product) => ({
            vendor: 'e',
            product,
            versions: [{ version: '1', lessThan: '2', status: 'affected' }],
          })),
          references: said.links,
        },
        adp: [
          cisa({
            metrics: [ssvc(said.exploitation, said.instant), { cvssV3_1: { vectorString: said.vector } }],
            problemTypes: [{ descriptions: [{ cweId: said.weakness }] }],
          }),
        ],
      },
      said.instant,
    ),
  )

const ofAnchore = fc
  .record({ instant, products: fc.array(word, few) })
  .map((said) => override(configurations(...said.products.map((each) => match(each))), said.instant))

const ofVendor = fc
  .record({
    source: fc.constantFrom('ghsa', 'redhat', 'msrc'),
    vector,
    instant,
    text,
    weakness,
    withdrawn: fc.boolean(),
    links: fc.array(link('vendor'), few),
  })
  .map(({ source, instant: modified, ...said }) =>
    vendor(
      source,
      {
        withdrawn: said.withdrawn,
        description: said.text,
        scores: [{ vector: said.vector, base_score: null }],
        weaknesses: [said.weakness],
        references: said.links,
        exploitation: 'poc',
      },
      modified,
    ),
  )

const hostile = fc
  .record({
    source: fc.constantFrom(...RECORD_SOURCES),
    instant,
    value: fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.string(),
    ),
  })
  .map((said) => record(said.source, said.value, said.instant))

/** What every source might say, and something that none of them should. */
export const someFacts: fc.Arbitrary<Facts> = fc
  .record({
    records: fc.tuple(
      fc.option(ofNvd),
      fc.option(ofCve),
      fc.option(ofAnchore),
      fc.array(ofVendor, { maxLength: 4 }),
      fc.array(hostile, few),
    ),
    kev: fc.option(fc.constant(kevEntry())),
    notices: fc.array(
      instant.map((date) => notice(date)),
      few,
    ),
  })
  .map(({ records: [one, two, three, ...more], ...rest }) =>
    facts(
      [one, two, three, ...more.flat()].flatMap((each) => each ?? []),
      rest,
    ),
  )
