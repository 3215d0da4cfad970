import { describe, expect, it } from 'vitest'
import type { ChangeContent, Diff } from '../../../src/domain/change/change.ts'
import { CHANGE_TYPES, findChangeTypes } from '../../../src/domain/change/types.ts'

const changed = (diff: Diff, fields: readonly string[] = []): ChangeContent => ({ kind: 'changed', fields, diff })
const fromTo = (old: unknown, current: unknown) => ({ old, new: current })

/** Each case: a change and its types. */
const CASES: readonly (readonly [string, ChangeContent, readonly string[]])[] = [
  ['a new CVE', { kind: 'added', fields: [], diff: {} }, ['published']],
  [
    'a new CVE that is urgent and has an exploit',
    {
      kind: 'added',
      fields: [],
      diff: { 'priority.level': fromTo(null, 'P1'), 'enrichment.exploit_flag': fromTo(false, true) },
    },
    ['became_urgent', 'exploit_added', 'published'],
  ],
  [
    'a level that became urgent',
    changed({ 'priority.level': fromTo('P3', 'P1') }),
    ['became_urgent', 'priority_raised'],
  ],
  ['a level that was urgent before', changed({ 'priority.level': fromTo('P1', 'P0') }), ['priority_raised']],
  [
    'a new CVE that is in KEV',
    {
      kind: 'added',
      fields: [],
      diff: { 'kev.dateAdded': fromTo(null, '2026-08-19'), 'kev.knownRansomware': fromTo(null, true) },
    },
    ['kev_added', 'published', 'ransomware_added'],
  ],
  ['a removed CVE', { kind: 'removed', fields: [], diff: {} }, ['removed']],
  [
    'a new advisory without a CVE',
    { kind: 'advisory', fields: [], diff: { 'advisory.id': fromTo(null, 'GHSA-1') } },
    ['advisory_published'],
  ],
  [
    'a changed advisory without a CVE',
    { kind: 'advisory', fields: [], diff: { 'advisory.id': fromTo('GHSA-1', 'GHSA-1') } },
    ['advisory_changed'],
  ],
  [
    'a withdrawn advisory without a CVE',
    { kind: 'advisory', fields: [], diff: { 'advisory.id': fromTo('GHSA-1', null) } },
    ['advisory_withdrawn'],
  ],
  ['other affected versions alone', changed({}, ['affected']), ['affected_changed']],
  ['another description', changed({}, ['modified', 'description']), ['updated']],
  ['a score in the same band', changed({ severity: fromTo(7.5, 8.1) }), ['score_changed']],
  ['a score in another band', changed({ severity: fromTo(8.9, 9) }), ['score_changed', 'severity_band_changed']],
  ['a first score', changed({ severity: fromTo(null, 0) }), ['score_changed', 'severity_band_changed']],
  ['a withdrawn score', changed({ severity: fromTo(5, null) }), ['score_changed', 'severity_band_changed']],
  ['another status', changed({ status: fromTo('Received', 'Analyzed') }), ['status_changed']],
  ['a rejection', changed({ status: fromTo('Analyzed', 'Rejected') }), ['rejected', 'status_changed']],
  ['a withdrawn rejection', changed({ status: fromTo('Rejected', 'Analyzed') }), ['status_changed', 'unrejected']],
  ['an added KEV entry', changed({ 'kev.dateAdded': fromTo(null, '2026-08-19') }, ['kev']), ['kev_added']],
  ['a removed KEV entry', changed({ 'kev.dateAdded': fromTo('2026-08-19', null) }, ['kev']), ['kev_removed']],
  ['a KEV entry with another text', changed({}, ['kev']), ['kev_updated']],
  [
    'another date of addition to KEV',
    changed({ 'kev.dateAdded': fromTo('2026-08-19', '2026-08-20') }, ['kev']),
    ['kev_updated'],
  ],
  [
    'ransomware campaigns in KEV',
    changed({ 'kev.knownRansomware': fromTo(false, true) }, ['kev']),
    ['kev_updated', 'ransomware_added'],
  ],
  [
    'ransomware campaigns removed from KEV',
    changed({ 'kev.knownRansomware': fromTo(true, false) }, ['kev']),
    ['kev_updated'],
  ],
  ['a first exploit', changed({ 'enrichment.exploit_flag': fromTo(false, true) }), ['exploit_added']],
  ['the last exploit removed', changed({ 'enrichment.exploit_flag': fromTo(true, false) }), ['updated']],
  ['a more mature exploit', changed({ 'exploits.maturity': fromTo('poc', 'weaponized') }), ['maturity_raised']],
  ['a less mature exploit', changed({ 'exploits.maturity': fromTo('active', 'poc') }), ['updated']],
  ['a first fix', changed({ 'enrichment.patch_available': fromTo(false, true) }), ['patch_added']],
  ['the last fix removed', changed({ 'enrichment.patch_available': fromTo(true, false) }), ['updated']],
  ['other CPE matches', changed({}, ['cpe']), ['affected_changed']],
  ['another configuration', changed({}, ['configurations']), ['affected_changed']],
  ['other weaknesses', changed({ 'enrichment.cwe_list': fromTo(['CWE-20'], []) }), ['cwe_changed']],
  ['an additional notice', changed({ 'acsc.count': fromTo(1, 2) }), ['notice_added']],
  ['a removed notice', changed({ 'acsc.count': fromTo(2, 1) }), ['updated']],
  ['a more urgent level', changed({ 'priority.level': fromTo('P1', 'P0') }), ['priority_raised']],
  ['a less urgent level', changed({ 'priority.level': fromTo('P0', 'P4') }), ['priority_lowered']],
  ['the level of a rejected CVE', changed({ 'priority.level': fromTo('P0', null) }), ['updated']],
  ['an EPSS jump', { kind: 'epss', fields: ['epss'], diff: { 'epss.score': fromTo(0.1, 0.2) } }, ['epss_jump']],
  [
    'an EPSS release',
    { kind: 'epss', fields: ['epss'], diff: { 'epss.date': fromTo('2026-08-20', '2026-08-21') } },
    ['epss_released'],
  ],
  [
    'the first EPSS release',
    { kind: 'epss', fields: ['epss'], diff: { 'epss.model_version': fromTo(null, 'v5') } },
    ['epss_released'],
  ],
  [
    'an EPSS release from another model',
    { kind: 'epss', fields: ['epss'], diff: { 'epss.model_version': fromTo('v4', 'v5') } },
    ['epss_model_changed', 'epss_released'],
  ],
  ['the first load', { kind: 'loaded', fields: [], diff: { 'loaded.cves': fromTo(0, 9) } }, ['loaded']],
  ['a new entry in EU KEV', changed({ 'eu_kev.listed': fromTo(false, true) }), ['eu_kev_added']],
  ['an entry removed from EU KEV', changed({ 'eu_kev.listed': fromTo(true, false) }), ['eu_kev_removed']],
  [
    'a new CVE that is in EU KEV',
    { kind: 'added', fields: [], diff: { 'eu_kev.listed': fromTo(false, true) } },
    ['eu_kev_added', 'published'],
  ],
  ['other rules', { kind: 'rules', fields: [], diff: {} }, ['rules_changed']],
]

describe('Types of a change', () => {
  it.each(CASES)('are correct for %s', (_title, change, types) => {
    expect(findChangeTypes(change)).toEqual(types)
  })

  it('each have a case here', () => {
    expect(new Set(CASES.flatMap(([, , types]) => types))).toEqual(new Set(Object.keys(CHANGE_TYPES)))
  })
})
