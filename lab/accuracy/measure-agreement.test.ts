import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../service/test/catalog/catalog-setup.ts'
import { chosen, rating, resolved, V31 } from '../../service/test/catalog/records.ts'
import { nvdRecord } from '../../service/test/catalog/source-fixtures.ts'
import { type CuratedCve, measureAgreement, readCuratedCves } from './measure-agreement.ts'

function curatedCve(curated: readonly string[], relatedByCapec: readonly string[] = []): CuratedCve {
  return { resolved: resolved({ score: chosen(rating(V31)) }), curated: new Set(curated), relatedByCapec }
}

describe('Agreement of derived techniques with curated ones', () => {
  // V31 is the vector of an exposed service, for which the rules derive T1190.
  const report = measureAgreement([curatedCve(['T1190', 'T1003'], ['T1539']), curatedCve(['T1133'], ['T1133'])])
  const find = (name: string) => report.ruleSets.find((each) => each.name.includes(name))

  it('counts the techniques in both sets, for each rule set', () => {
    expect(report.cves).toBe(2)
    expect(find('(in use)')).toMatchObject({ cves: 2, curated: 3, derived: 2, agreed: 1, precision: 0.5, f1: 0.4 })
    expect(find('(in use)')?.recall).toBeCloseTo(1 / 3)
    expect(find('CAPEC patterns of')).toMatchObject({ derived: 2, agreed: 1 })
    expect(find('in use and CAPEC')).toMatchObject({ derived: 4, agreed: 2 })
    expect(find('T1190 and T1059')).toMatchObject({ derived: 4, agreed: 1 })
  })

  it('counts the rules in use for each derived technique', () => {
    expect(report.techniques).toEqual([
      { technique: 'T1190', curated: 1, derived: 2, agreed: 1, precision: 0.5, recall: 1, f1: 2 / 3 },
    ])
  })

  it('reports ratios of 0 if there are no CVEs', () => {
    expect(measureAgreement([]).ruleSets[0]).toMatchObject({ precision: 0, recall: 0, f1: 0, f1OfParts: [0, 0] })
  })
})

describe('CVEs with curated techniques', () => {
  it('are read with the techniques that CAPEC relates to them, except withdrawn ones', async () => {
    const catalog = await createCatalogHarness()
    await catalog.storeRecord('nvd', 'CVE-2026-1000', nvdRecord('CVE-2026-1000'))
    await catalog.storeRecord('nvd', 'CVE-2026-1001', nvdRecord('CVE-2026-1001'))
    await catalog.selectRows(`
      insert into source.attack_technique (technique_id, name, tactics, is_subtechnique, is_deprecated, content_hash)
      values ('T1190', 'one', '{}', false, false, ''), ('T1539', 'two', '{}', false, false, ''),
             ('T1000', 'three', '{}', false, true, '')`)
    await catalog.selectRows(`
      insert into source.attack_mapping (cve_id, technique_id, mapping_type, content_hash)
      values ('CVE-2026-1000', 'T1190', 'primary_impact', ''), ('CVE-2026-1000', 'T1000', 'primary_impact', ''),
             ('CVE-2026-1001', 'T1000', 'primary_impact', ''), ('CVE-2026-9999', 'T1190', 'primary_impact', '')`)
    await catalog.selectRows(`
      insert into source.capec (capec_id, name, status, cwe_ids, technique_ids, is_deprecated, content_hash)
      values ('CAPEC-1', 'one', 'Stable', '{CWE-20}', '{T1539,T1000}', false, '')`)
    expect(await readCuratedCves(catalog.context.session.db)).toMatchObject([
      { resolved: { cveId: 'CVE-2026-1000' }, curated: new Set(['T1190']), relatedByCapec: ['T1539'] },
    ])
  })
})
