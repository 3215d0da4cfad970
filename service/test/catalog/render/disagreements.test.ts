import { describe, expect, it } from 'vitest'
import type { Claim, CpeMatch, Ssvc } from '../../../src/catalog/model/claim.ts'
import type { Resolved } from '../../../src/catalog/model/resolved.ts'
import type { SourceData } from '../../../src/catalog/model/source-data.ts'
import { collectFacts } from '../../../src/catalog/render/decision-facts.ts'
import { listDisagreements } from '../../../src/catalog/render/disagreements.ts'
import { assessExploits } from '../../../src/catalog/render/exploitability.ts'
import {
  affected,
  attributed,
  chosen,
  claim,
  configurations,
  kev,
  match,
  rating,
  resolved,
  sourceData,
  V2,
  V30,
  V31,
} from '../records.ts'

function listAll(cve: Partial<Resolved>, data: Partial<SourceData> = {}) {
  const [source, merged] = [sourceData(data), resolved(cve)]
  return listDisagreements(merged, collectFacts(source, merged, assessExploits(source, merged)))
}

/** Returns the subjects by which a search finds the CVE. */
function list(cve: Partial<Resolved>, data: Partial<SourceData> = {}): readonly string[] {
  return listAll(cve, data).flatMap(({ subject }) => subject ?? [])
}

/** CVSS 3.1 vector with the score 7.5. */
const HIGH_V31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'
/** CVSS 2.0 vector with the score 7.5, which has the level HIGH. */
const HIGH_V2 = 'AV:N/AC:L/Au:N/C:P/I:P/A:P'

/** Ratings as pairs of vector and provider, highest precedence first. */
function ratings(...pairs: readonly (readonly [string, string])[]) {
  const [first, ...others] = pairs.map(([vector, by]) => attributed(rating(vector, by), by))
  return first === undefined ? null : { ...first, runnersUp: others }
}

describe('Disagreement about the score', () => {
  it('exists if two providers give the CVE different severity levels under the same CVSS major version', () => {
    expect(list({ v3: ratings([V31, 'nvd'], [V30, 'cna:maker']) })).toEqual(['score'])
    expect(list({ v2: ratings([HIGH_V2, 'nvd'], [V2, 'cna:maker']) })).toEqual(['score'])
  })

  it('does not exist if the levels are the same', () => {
    const lower = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N'
    expect(rating(lower).score).not.toBe(rating(V31).score)
    expect(list({ v3: ratings([V31, 'nvd'], [lower, 'cna:maker']) })).toEqual([])
  })

  it('does not exist between ratings from different major versions', () => {
    expect(list({ v3: ratings([V31, 'nvd']), v2: ratings([V2, 'cna:maker']) })).toEqual([])
  })

  it('does not exist between ratings by the same provider', () => {
    expect(list({ v3: ratings([V31, 'nvd'], [V30, 'nvd']) })).toEqual([])
  })

  it("does not exist if one of several ratings by a provider has the other provider's level", () => {
    expect(list({ v3: ratings([V31, 'nvd'], [HIGH_V31, 'nvd'], [HIGH_V31, 'cna:maker']) })).toEqual([])
  })
})

describe('Disagreement about the metrics of a score', () => {
  const about = (cve: Partial<Resolved>) => listAll(cve).map(({ about }) => about)

  it('does not exist if one source adds temporal or environmental metrics, or uses CVSS 3.0 instead of 3.1', () => {
    const temporal = `${HIGH_V31}/E:P/RL:O/RC:C`
    const in30 = HIGH_V31.replace('3.1', '3.0')
    expect(about({ v3: ratings([HIGH_V31, 'nvd'], [temporal, 'cna:maker'], [in30, 'cisa-adp']) })).toEqual([])
  })

  it('exists between different metrics of the same severity level, although no filter finds it', () => {
    const lower = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N'
    expect(listAll({ v3: ratings([V31, 'nvd'], [lower, 'cna:apache']) })).toEqual([
      {
        about: 'cvss_v3_1',
        text: 'The sources give different base metrics by CVSS 3.x: NVD 9.8 (critical); Apache 9.1 (critical).',
      },
    ])
  })

  it('says which source gives which severity level', () => {
    expect(listAll({ v2: ratings([HIGH_V2, 'nvd'], [V2, 'cna:maker']) })).toEqual([
      {
        about: 'cvss_v2_0',
        subject: 'score',
        text: expect.stringMatching(
          /different severity levels by CVSS 2\.0: NVD 7\.5 \(high\); maker \d+\.\d \(\w+\)\.$/,
        ),
      },
    ])
  })
})

describe('Disagreement about SSVC values', () => {
  const assessment = (by: string, automatable: Ssvc['automatable']) =>
    attributed({ by, date: null, exploitation: null, automatable, technicalImpact: null }, by)

  it('names the values of both providers', () => {
    const ssvc = { ...assessment('cisa-adp', 'no'), runnersUp: [assessment('cna:maker', 'yes')] }
    expect(listAll({ ssvc })).toEqual([
      { about: 'automatable', text: 'The SSVC assessments differ about automatable: CISA no; maker yes.' },
    ])
  })

  it('does not exist between two assessments by the same provider', () => {
    const ssvc = { ...assessment('cisa-adp', 'no'), runnersUp: [assessment('cisa-adp', 'yes')] }
    expect(listAll({ ssvc })).toEqual([])
  })
})

type Limit = Pick<CpeMatch, 'versionEndExcluding' | 'versionEndIncluding'>

/** Claims in which NVD and a CNA give these limits for the same product. */
function limitedBy(nvd: readonly Limit[], cna: readonly Limit[]): { readonly claims: readonly Claim[] } {
  const toClaim = (source: 'nvd' | 'cve', by: string, limits: readonly Limit[]) =>
    claim({
      source,
      configurationsBy: by,
      configurations: configurations(limits.map((each) => match('thing', each))),
    })
  return { claims: [toClaim('nvd', 'nvd', nvd), toClaim('cve', 'cna:maker', cna)] }
}

const before = (version: string): Limit => ({ versionEndExcluding: version })
const upTo = (version: string): Limit => ({ versionEndIncluding: version })

describe('Disagreement about affected versions', () => {
  it.each([
    [[before('2.4')], [before('2.5')]],
    [[upTo('2.4')], [upTo('2.5')]],
    [[before('2.4')], [upTo('2.4')]],
    [[before('2.4')], [upTo('2.5')]],
    [
      [before('1.2'), before('2.4')],
      [before('1.2'), before('2.5')],
    ],
  ])('exists for the limits %j from NVD and %j from the CNA', (nvd, cna) => {
    expect(list(limitedBy(nvd, cna))).toEqual(['affected'])
    expect(list(limitedBy(cna, nvd))).toEqual(['affected'])
  })

  it.each([
    [[before('2.4')], [before('2.4.0')]],
    [[before('2.4')], [upTo('2.3.9')]],
    [[before('1.2'), before('2.4')], [before('2.4')]],
    [[before('2.4')], [{}]],
    [[before('2.4')], []],
    [[before('2.4')], [before('release-a')]],
    [[before('2.4')], [before('8c8d0a2f4b6e1d3c5a7f9b0e2d4c6a8f0b1e3d5c')]],
  ])('does not exist for the limits %j from NVD and %j from the CNA', (nvd, cna) => {
    expect(list(limitedBy(nvd, cna))).toEqual([])
    expect(list(limitedBy(cna, nvd))).toEqual([])
  })

  it('names each product once, with both limits', () => {
    expect(listAll(limitedBy([before('2.4')], [upTo('2.5')]))).toEqual([
      {
        about: 'affected',
        subject: 'affected',
        text: 'The sources end the affected versions differently: maker:thing – NVD before 2.4, maker up to 2.5.',
      },
    ])
  })

  it('does not exist between limits for different products', () => {
    const { claims } = limitedBy([before('2.4')], [])
    const other = claim({
      source: 'cve',
      configurationsBy: 'cna:maker',
      configurations: configurations([match('other', before('9.9'))]),
    })
    expect(list({ claims: [...claims, other] })).toEqual([])
  })

  it('exists even if the CNA names the product in free text instead of a CPE name', () => {
    const ranges = [{ isAffected: true, version: '1.0', lessThan: '2.5', lessThanOrEqual: null }]
    const { claims } = limitedBy([before('2.4')], [])
    const cna = claim({ source: 'cve', affected: [affected({ ranges })] })
    expect(list({ claims: [...claims, cna] })).toEqual(['affected'])
  })
})

describe('Disagreement about a rejection', () => {
  const [rejected, listed] = [{ status: 'Rejected' }, { status: null }]
  const claims = (nvd: Partial<Claim>, cve: Partial<Claim>) => ({
    claims: [claim({ source: 'nvd', ...nvd }), claim({ source: 'cve', ...cve })],
  })

  it('exists if NVD rejects the CVE and the CVE List does not, or the reverse', () => {
    expect(list(claims(rejected, listed))).toEqual(['rejected'])
    expect(list(claims(listed, rejected))).toEqual(['rejected'])
  })

  it('exists if KEV lists the rejected CVE', () => {
    expect(list({ claims: [claim(rejected), claim({ source: 'kev' })] })).toEqual(['rejected'])
  })

  it('says who rejects the CVE and who does not', () => {
    const texts = listAll(claims(listed, rejected)).map(({ text }) => text)
    expect(texts).toEqual(['Rejected by the CVE List, but not by NVD.'])
  })

  it('does not exist if NVD and the CVE List both reject the CVE, neither does, or only a vendor has another record', () => {
    expect(list(claims(rejected, rejected))).toEqual([])
    expect(list(claims(listed, listed))).toEqual([])
    expect(list({ claims: [claim(rejected), claim({ source: 'redhat' })] })).toEqual([])
  })
})

describe('Disagreement between KEV and SSVC', () => {
  const assessedBy = (by: string, exploitation: Ssvc['exploitation']): Partial<Resolved> => ({
    ssvc: chosen({ by, date: null, exploitation, automatable: null, technicalImpact: null }, by),
  })

  it('exists if CISA lists the CVE in KEV and its SSVC assessment does not say active', () => {
    for (const level of ['none', 'poc'] as const)
      expect(list(assessedBy('cisa-adp', level), { kev: kev() })).toEqual(['kev_ssvc'])
  })

  it('exists if the assessment says active and KEV does not list the CVE', () => {
    expect(list(assessedBy('cisa-adp', 'active'))).toEqual(['kev_ssvc'])
    const removed = kev({ removedAt: new Date('2026-08-01T00:00:00Z') })
    expect(list(assessedBy('cisa-adp', 'active'), { kev: removed })).toEqual(['kev_ssvc'])
  })

  it('says what KEV and the assessment state', () => {
    const inKev = listAll(assessedBy('cisa-adp', 'poc'), { kev: kev({ dateAdded: '2026-08-02' }) })
    expect(inKev.map(({ text }) => text)).toEqual([
      'CISA assesses the exploitation as poc (SSVC), but KEV lists the CVE since 2026-08-02.',
    ])
    expect(listAll(assessedBy('cisa-adp', 'active')).map(({ text }) => text)).toEqual([
      'CISA assesses the exploitation as active (SSVC), but KEV does not list the CVE.',
    ])
  })

  it('does not exist if both agree, or if CISA has no assessment', () => {
    expect(list(assessedBy('cisa-adp', 'active'), { kev: kev() })).toEqual([])
    expect(list(assessedBy('cisa-adp', 'none'))).toEqual([])
    expect(list(assessedBy('cna:maker', 'none'), { kev: kev() })).toEqual([])
    expect(list({}, { kev: kev() })).toEqual([])
  })

  it('does not exist for a rejected CVE', () => {
    const cve = { ...assessedBy('cisa-adp', 'none'), status: chosen('Rejected') }
    expect(list(cve, { kev: kev() })).toEqual([])
  })
})
