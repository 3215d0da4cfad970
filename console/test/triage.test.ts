import type { TriageEntry } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { tidyDraft } from '../src/kit/triage/state-dialog.tsx'
import { describeIdleReopener } from '../src/text/reopeners.ts'
import {
  applyChanges,
  describeChanges,
  describeEffect,
  findEntry,
  listScopes,
  sortEntries,
  TRIAGE_STATES,
} from '../src/text/triage.ts'

function entry(more: Partial<TriageEntry> = {}): TriageEntry {
  return {
    cve_id: 'CVE-2026-0001',
    scope: '*',
    version_range: null,
    state: 'affected',
    justification: null,
    impact_statement: null,
    action_statement: null,
    note: null,
    until_day: null,
    unless: [],
    level_when_set: null,
    exploited_when_set: false,
    revision: 3,
    set_at: '2026-08-20T10:00:00Z',
    set_by: 'member:3',
    effect: 'shown',
    reopened_by: [],
    priority_level: null,
    ...more,
  }
}

describe('The entries of a CVE', () => {
  it('start with one that is open again, then the CVE as such, then the newest', () => {
    const entries = [
      entry({ scope: 'pkg:npm/a', set_at: '2026-08-01T00:00:00Z' }),
      entry({ scope: 'pkg:npm/b', set_at: '2026-08-02T00:00:00Z' }),
      entry(),
      entry({ scope: 'pkg:npm/c', effect: 'reopened', set_at: '2020-01-01T00:00:00Z' }),
    ]

    expect(sortEntries(entries).map(({ scope }) => scope)).toEqual(['pkg:npm/c', '*', 'pkg:npm/b', 'pkg:npm/a'])
  })

  it('say why one is open again, and how long one hides findings', () => {
    expect(describeEffect(entry({ effect: 'reopened', reopened_by: ['exploited'] }))).toMatch(/^Open again, because /)
    expect(describeEffect(entry({ effect: 'suppresses', until_day: '2027-01-31' }))).toBe(
      'Hides findings in its scope until 2027-01-31',
    )
    expect(describeEffect(entry())).toBeUndefined()
  })
})

describe('A condition that opens a state again', () => {
  const exploited = { isExploited: true, level: 'P0' } as const
  const other = { isExploited: false, level: 'P2' } as const

  it('is explained if it has come true for all the CVEs already', () => {
    expect(describeIdleReopener('exploited', [exploited])).toMatch(/^It is known to be exploited already/)
    expect(describeIdleReopener('exploited', [exploited, exploited])).toMatch(/^They are/)
    expect(describeIdleReopener('priority_raised', [exploited])).toMatch(/^Its level is P0 already/)
  })

  it('can be chosen if it can come true for one of them', () => {
    expect(describeIdleReopener('exploited', [exploited, other])).toBeUndefined()
    expect(describeIdleReopener('priority_raised', [other])).toBeUndefined()
    expect(describeIdleReopener('priority_raised', [{ isExploited: false, level: null }])).toBeUndefined()
    expect(describeIdleReopener('exploited', [])).toBeUndefined()
  })
})

describe('A change that is shown before the service has answered', () => {
  it('replaces the entry of the same scope and versions, and leaves other scopes alone', () => {
    const other = entry({ scope: 'pkg:npm/a' })
    const change = { cve_id: 'CVE-2026-0001', scope: '*', state: 'fixed', revision: 3 } as const
    const [made, ...kept] = applyChanges([entry(), other], ['CVE-2026-0001'], [change], 'member:9')

    expect(made).toMatchObject({ state: 'fixed', revision: 4, set_by: 'member:9', effect: 'shown' })
    expect(kept).toEqual([other])
  })

  it('does not appear in a list without the CVE', () => {
    const change = { cve_id: 'CVE-2026-0002', scope: '*', state: 'fixed' } as const

    expect(applyChanges([entry()], ['CVE-2026-0001'], [change], 'you')).toEqual([entry()])
  })
})

describe('A draft of a state', () => {
  it('is sent without members that the state cannot have', () => {
    const draft = {
      scope: ' * ',
      state: 'affected',
      unless: ['exploited'],
      justification: 'component_not_present',
      impact_statement: 'x',
      action_statement: 'Upgrade',
      version_range: '<2',
      note: ' ',
    } as const

    expect(tidyDraft(draft)).toEqual({
      scope: '*',
      state: 'affected',
      unless: ['exploited'],
      action_statement: 'Upgrade',
    })
    expect(tidyDraft({ ...draft, state: 'not_affected', scope: 'pkg:npm/a' })).toMatchObject({
      justification: 'component_not_present',
      version_range: '<2',
    })
  })

  it('replaces the entry with the same scope and versions only', () => {
    const ranged = entry({ scope: 'pkg:npm/a', version_range: '<2' })

    expect(findEntry([entry(), ranged], { scope: 'pkg:npm/a', version_range: '<2' })).toBe(ranged)
    expect(findEntry([entry(), ranged], { scope: 'pkg:npm/a' })).toBeUndefined()
  })
})

describe('Texts about states', () => {
  it('count what was set and what somebody else had changed', () => {
    expect(describeChanges({ done: 3, total: 3, conflicts: 0, refused: [] })).toBe('The state of 3 CVEs was set.')
    expect(describeChanges({ done: 2, total: 3, conflicts: 1, refused: [] })).toBe(
      'The state of 2 of 3 CVEs was set. 1 was changed by somebody else meanwhile and left as it is.',
    )
  })

  it('offer scopes without a version', () => {
    const cpe = [{ vulnerable: true, criteria: 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*' }]

    expect(listScopes({ cpe })).toEqual(['cpe:2.3:a:apache:log4j:*:*:*:*:*:*:*:*'])
    expect(TRIAGE_STATES).toHaveLength(5)
  })
})
