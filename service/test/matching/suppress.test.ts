// What entries of a call and states of an account hide, and what it costs to find them.
import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { readComponent } from '../../src/domain/component/component.ts'
import { parseCveId } from '../../src/domain/cve-id.ts'
import { parsePurl } from '../../src/domain/purl/parse-purl.ts'
import { OPENVEX_CONTEXT, toStatement } from '../../src/domain/triage/openvex.ts'
import { compileScope, parseScope } from '../../src/domain/triage/scope.ts'
import { REOPENERS } from '../../src/domain/triage/words.ts'
import type { Subject } from '../../src/matching/read/read-subjects.ts'
import { readSuppressions } from '../../src/matching/sbom/suppressions.ts'
import { createAssess } from '../../src/matching/suppress.ts'
import { createStateFinder } from '../../src/matching/triage/account-states.ts'

const NOW = new Date('2026-08-22T00:00:00Z')
const ID = 'CVE-2021-23337'
const SUBJECT: Subject = {
  id: ID,
  isCve: true,
  aliases: [],
  kind: null,
  rank: null,
  score: null,
  severityWord: null,
  isInKev: false,
  epss: null,
  facts: null,
}

function component(text: string) {
  const purl = parsePurl(text)
  if ('error' in purl) throw new Error(purl.error)
  return readComponent({ purl })
}

function exportState(text: string, versions = '') {
  const [scope, cveId] = [parseScope(text, versions), parseCveId(ID)]
  if ('error' in scope || cveId === undefined) throw new Error('the state is wrong')
  const texts = { justification: null, impactStatement: null, actionStatement: null, note: null, until: null }
  const { statement } = toStatement({
    ...texts,
    cveId,
    scope,
    state: 'fixed',
    unless: REOPENERS,
    effect: 'suppresses',
    setAt: '2026-08-01T00:00:00Z',
  })
  return { '@context': OPENVEX_CONTEXT, statements: [statement] }
}

describe('A document of the triage export that a scan gets as suppress', () => {
  it.each([
    ['pkg:npm/lodash', '', 'pkg:npm/lodash@5.0.0', true],
    ['pkg:npm/lodash', '=4.0.0', 'pkg:npm/lodash@4.0.0', true],
    ['pkg:npm/lodash', '=4.0.0', 'pkg:npm/lodash@5.0.0', false],
    ['pkg:npm/lodash', '<4.0.0', 'pkg:npm/lodash@5.0.0', false],
    ['pkg:deb/debian/openssl?distro=debian-12', '', 'pkg:deb/debian/openssl@3.0?distro=bookworm', true],
    ['pkg:deb/debian/openssl?distro=debian-12', '', 'pkg:deb/debian/openssl@3.0?distro=debian-11', false],
    ['pkg:deb/debian/openssl?distro=debian-12', '<3.1', 'pkg:deb/debian/openssl@3.5?distro=debian-12', false],
    ['*', '', 'pkg:npm/lodash@5.0.0', false],
  ])('hides no more than the state %s %s: %s', (scope, versions, purl, isHidden) => {
    const assess = createAssess(readSuppressions(exportState(scope, versions)), [], NOW)
    expect(assess(SUBJECT, component(purl)).entry !== undefined).toBe(isHidden)
  })
})

describe('The states of an account', () => {
  const createStates = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      cveId: index === 0 ? ID : `CVE-2020-${10_000 + index}`,
      scope: 'pkg:deb/debian/openssl?distro=debian-12',
      versions: '>=3.0|<4.0',
      state: 'fixed' as const,
      reason: '',
      until: null,
      unless: [],
      known: { level: null, isExploited: false },
      actor: 'key:1',
    }))

  it('are read only for CVEs that a call finds', () => {
    const openssl = component('pkg:deb/debian/openssl@3.5?distro=debian-12')
    const [few, all] = [createStates(2000), createStates(20_000)]
    const measure = (work: () => void) => {
      const startedAtMs = performance.now()
      work()
      return performance.now() - startedAtMs
    }
    const readingMs = measure(() => few.map((state) => compileScope(state)))
    const findingMs = measure(() => {
      expect(createStateFinder(all, NOW)(SUBJECT, openssl)?.state).toBe(all[0])
    })
    expect(findingMs).toBeLessThan(readingMs)
  })
})
