import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Claim, CpeMatch, Reference } from '../../src/catalog/model/claim.ts'
import type { Chosen, Resolved } from '../../src/catalog/model/resolved.ts'
import type { AcscNotice, ExploitItem, KevEntry, SourceData } from '../../src/catalog/model/source-data.ts'
import { renderKev } from '../../src/catalog/render/kev.ts'
import { render } from '../../src/catalog/render/render.ts'
import { kevEntrySchema, kevInBatchSchema, kevInRecentSchema, kevSummarySchema } from '../../src/contract/record/kev.ts'
import {
  CVE_ID,
  claim,
  configurations,
  fixedIn,
  rating,
  referenceData,
  resolved,
  sourceData,
  V2,
  V30,
  V31,
  V40,
} from './records.ts'
import { expectValid, expectValidCve } from './schema-assertions.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', '\ud800', '\udc00x', '"\\', '\\u0000', '</script>', '\u2028'),
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const instant = fc.date({ min: new Date('1988-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
const day = instant.map((date) => date.toISOString().slice(0, 10))
const provider = fc.oneof(
  fc.constantFrom('nvd', 'cisa-adp', 'ghsa', 'anchore'),
  text.map((name) => `cna:${name}`),
)
const chosen = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Chosen<T>> =>
  fc.record({
    value: arbitrary,
    by: provider,
    time: maybe(day),
    runnersUp: fc.array(fc.record({ value: arbitrary, by: provider, time: maybe(day) }), { maxLength: 2 }),
  })

const anyRating = fc.tuple(fc.constantFrom(V31, V30, V40, V2), provider).map(([vector, by]) => rating(vector, by))
const weakness = fc.integer({ min: 1, max: 1500 }).map((number) => `CWE-${number}`)
const match: fc.Arbitrary<CpeMatch> = fc.record(
  {
    vulnerable: fc.boolean(),
    criteria: text,
    matchCriteriaId: text,
    versionStartIncluding: text,
    versionStartExcluding: text,
    versionEndIncluding: text,
    versionEndExcluding: text,
  },
  { requiredKeys: ['vulnerable', 'criteria'] },
)
const few = { maxLength: 4 }
const reference: fc.Arbitrary<Reference> = fc.record({
  url: text,
  by: text,
  tags: fc.array(fc.oneof(fc.constantFrom('Exploit', 'Patch', 'Vendor Advisory'), text), few),
})
const range = fc.record(
  {
    isAffected: fc.boolean(),
    version: maybe(text),
    lessThan: maybe(text),
    lessThanOrEqual: maybe(text),
    isCommit: fc.constant(true as const),
  },
  { requiredKeys: ['isAffected', 'version', 'lessThan', 'lessThanOrEqual'] },
)
const affected = fc.record(
  {
    by: provider,
    vendor: text,
    product: text,
    cpes: fc.array(text, few),
    packageUrl: maybe(text),
    isAffectedByDefault: fc.constant(true as const),
    ranges: fc.array(range, few),
  },
  { requiredKeys: ['by', 'vendor', 'product', 'cpes', 'packageUrl', 'ranges'] },
)
const exploitation = fc.record({
  level: fc.constantFrom('none' as const, 'poc' as const, 'active' as const),
  by: provider,
  date: maybe(day),
})
const anyClaim: fc.Arbitrary<Claim> = fc
  .record({
    source: fc.constantFrom('nvd' as const, 'cve' as const, 'overrides' as const, 'ghsa' as const, 'redhat' as const),
    modified: instant,
    tags: fc.array(fc.record({ name: text, by: provider }), few),
    ratings: fc.array(anyRating, few),
    weaknesses: fc.array(fc.record({ id: weakness, by: provider }), few),
    configurations: fc.array(match, few).map(configurations),
    configurationsBy: provider,
    affected: fc.array(affected, few),
    references: fc.array(reference, few),
    severityWord: maybe(fc.oneof(fc.constantFrom('Important', 'low'), text)),
  })
  .map(claim)

const anyResolved: fc.Arbitrary<Resolved> = fc
  .record({
    sourceTag: fc.constantFrom('nvd' as const, 'cve' as const, 'kev' as const),
    published: maybe(chosen(instant)),
    modified: chosen(instant),
    status: chosen(text),
    description: maybe(chosen(text)),
    score: maybe(chosen(anyRating)),
    v3: maybe(chosen(fc.constantFrom(rating(V31), rating(V30)))),
    v4: maybe(chosen(fc.constant(rating(V40)))),
    weaknesses: fc.array(fc.record({ id: weakness, by: fc.array(provider, few) }), few),
    cpe: fc.record({
      configurations: fc.constant([]),
      matches: fc.array(match, few),
      by: maybe(provider),
      time: maybe(day),
      isDerived: fc.boolean(),
      runnersUp: fc.constant([]),
    }),
    tags: fc.array(text, few),
    affected: fc.array(affected, few),
    references: fc.array(reference, few),
    exploitation: maybe(chosen(exploitation)),
    fix: maybe(chosen(text.map((version) => fixedIn(version)))),
    sources: fc.subarray(['cve', 'ghsa', 'msrc', 'nvd', 'redhat']),
    claims: fc.array(anyClaim, few),
  })
  .map(resolved)

const anyKev: fc.Arbitrary<KevEntry> = fc.record({
  vendorProject: text,
  product: text,
  vulnerabilityName: text,
  dateAdded: day,
  shortDescription: text,
  requiredAction: text,
  dueDate: maybe(day),
  knownRansomware: fc.boolean(),
  notes: maybe(text),
  cwes: fc.array(text, few),
  removedAt: maybe(instant),
})
const anyNotice: fc.Arbitrary<AcscNotice> = fc.record({
  id: text,
  title: text,
  type: fc.constantFrom('alert', 'advisory'),
  priority: maybe(text),
  published: instant,
  updated: maybe(instant),
  url: text,
  summary: maybe(text),
  affectedProducts: fc.array(text, few),
})
const anyExploit: fc.Arbitrary<ExploitItem> = fc.record({
  feed: fc.constantFrom('exploitdb' as const, 'metasploit' as const, 'nuclei' as const, 'poc' as const),
  id: text,
  kind: text,
  title: text,
  url: text,
  published: maybe(day),
  rank: maybe(fc.oneof(fc.constant('verified'), text)),
  firstSeen: maybe(day),
})
const anySourceData: fc.Arbitrary<SourceData> = fc
  .record({
    kev: maybe(anyKev),
    notices: fc.array(anyNotice, few),
    exploits: fc.array(anyExploit, { maxLength: 60 }),
    mappings: fc.array(fc.record({ techniqueId: fc.constantFrom('T1190', 'T9') }), few),
    epssScore: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(sourceData)

const REFERENCE_DATA = referenceData({
  weaknesses: new Map([['CWE-79', { name: 'A name', description: 'A description.' }]]),
  activeTechniques: new Set(['T1190']),
})

describe('CVE rendering of random records', () => {
  it('renders every record as well-formed JSON that matches the OpenAPI schemas', () => {
    fc.assert(
      fc.property(anySourceData, anyResolved, (data, resolvedCve) => {
        const rendered = render(data, resolvedCve, REFERENCE_DATA)
        expectValidCve(rendered)
        const all = [
          ...Object.values(rendered.fragments),
          ...rendered.details.map(({ record }) => record),
          rendered.search.text,
        ]
        expect(all.every((each) => each.isWellFormed() && !each.includes('\0'))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('renders detail records only for sources that have a record of the CVE', () => {
    fc.assert(
      fc.property(anySourceData, anyResolved, (data, resolvedCve) => {
        const claimed = new Set<string>(resolvedCve.claims.map(({ source }) => source))
        const { details } = render(data, resolvedCve, REFERENCE_DATA)
        expect(details.every(({ source }) => claimed.has(source) && resolvedCve.sources.includes(source))).toBe(true)
      }),
    )
  })
})

describe('KEV rendering of random entries', () => {
  it('renders every KEV entry in four response formats that match the OpenAPI schemas', () => {
    fc.assert(
      fc.property(anyKev, (entry) => {
        const rendered = renderKev(CVE_ID, entry)
        expectValid(kevSummarySchema, rendered.summary, 'summary')
        expectValid(kevInBatchSchema, rendered.inBatch, 'inBatch')
        expectValid(kevInRecentSchema, rendered.inRecent, 'inRecent')
        expectValid(kevEntrySchema, rendered.entry, 'entry')
      }),
    )
  })
})
