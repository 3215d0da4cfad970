import { describe, expect, it } from 'vitest'
import type { Configuration, CpeMatch } from '../../../src/catalog/model/claim.ts'
import { toJsonText } from '../../../src/catalog/model/storable-text.ts'
import { render } from '../../../src/catalog/render/render.ts'
import { expandConfigurations } from '../../../src/contract/record/add-ons/configurations.ts'
import { getFieldSchema } from '../../../src/contract/record/cve-fields.ts'
import { nvd, configurations as nvdConfigurations, match as nvdMatch, resolved } from '../builders.ts'
import { match, referenceData, resolved as resolvedRecord, sourceData } from '../records.ts'
import { expectValid } from '../schema-assertions.ts'

const or = (...matches: CpeMatch[]) => ({ operator: 'OR', negate: false, matches }) as const
const and = (...nodes: Configuration['nodes']) => ({ operator: 'AND', negate: false, nodes }) as const

const firmware = match('firmware', { versionEndExcluding: '2.0' })
const older = match('firmware', { versionEndExcluding: '1.0' })
const device = match('device', { vulnerable: false })

/** Renders the tree as the publisher does and expands it as the API does. Returns both forms. */
function roundTrip(configurations: readonly Configuration[], matches: readonly CpeMatch[]) {
  const cpe = { configurations, matches, by: 'nvd', time: null, isDerived: false, runnersUp: [] }
  const { fragments } = render(sourceData(), resolvedRecord({ cpe }), referenceData())
  const text = expandConfigurations(fragments.configurations, fragments.cpe)
  if (text === undefined) throw new Error('the tree does not belong to the list')
  expectValid(getFieldSchema('configurations', 'single'), text, 'configurations')
  return { stored: JSON.parse(fragments.configurations), expanded: JSON.parse(text) }
}

/** The served form of a tree: `cpe_match` instead of `matches`. */
const serve = (configurations: readonly Configuration[]) =>
  configurations.map(({ operator, negate, nodes }) => ({
    operator,
    negate,
    nodes: nodes.map(({ matches, ...node }) => ({ ...node, cpe_match: matches })),
  }))

describe('CPE configurations (decision E7)', () => {
  it('keeps AND between firmware and device', () => {
    const tree = [and(or(firmware, older), or(device))]
    const { stored, expanded } = roundTrip(tree, [firmware, older, device])
    expect(expanded).toEqual(serve(tree))
    expect(stored).toEqual([
      [
        'AND',
        [
          ['OR', [0, 2]],
          ['OR', [2, 1]],
        ],
      ],
    ])
  })

  it('keeps a match whose limits are commits, which the list of matches omits', () => {
    const commit = match('firmware', { versionEndExcluding: '7a8aa775e5a267cf8660d83140011a0b7f91e005' })
    const { expanded } = roundTrip([and(or(commit), or(device))], [match('firmware'), device])
    expect(expanded).toEqual(serve([and(or(match('firmware')), or(device))]))
  })

  it('stores nothing for a single list of alternatives, and serves it as one OR node', () => {
    const tree = [{ operator: 'OR', negate: false, nodes: [or(firmware, older, device)] }] as const
    const { stored, expanded } = roundTrip(tree, [firmware, older, device])
    expect(stored).toBeNull()
    expect(expanded).toEqual(serve(tree))
  })

  it('serves an empty list for a CVE without CPE matches', () => {
    expect(roundTrip([], [])).toEqual({ stored: null, expanded: [] })
  })

  it('keeps negated operators and the AND in a node', () => {
    const tree: Configuration[] = [
      {
        operator: 'AND',
        negate: true,
        nodes: [or(firmware), { operator: 'AND', negate: true, matches: [older, device] }],
      },
      { operator: 'OR', negate: false, nodes: [or(device)] },
    ]
    expect(roundTrip(tree, [firmware, older, device]).expanded).toEqual(serve(tree))
  })

  it('repeats a platform match in every configuration that needs it', () => {
    const tree = [and(or(firmware), or(device)), and(or(older), or(device))]
    const { stored, expanded } = roundTrip(tree, [firmware, device, older])
    expect(expanded).toEqual(serve(tree))
    expect(stored).toEqual([
      [
        'AND',
        [
          ['OR', [0, 1]],
          ['OR', [1, 1]],
        ],
      ],
      [
        'AND',
        [
          ['OR', [2, 1]],
          ['OR', [1, 1]],
        ],
      ],
    ])
  })

  it('stores and expands versions that contain JSON syntax, backslashes or lone surrogates', () => {
    const hostile = [',{"vulnerable":', ',{', '"},{"vulnerable":true', '\\', '\ud800'].map((text) =>
      match('thing', { versionEndExcluding: text }),
    )
    const tree = [and(or(...hostile), or(device))]
    const cleaned = JSON.parse(toJsonText(serve(tree)))
    expect(roundTrip(tree, [...hostile, device]).expanded).toEqual(cleaned)
  })

  it('keeps the tree of an NVD record', () => {
    const [plain] = nvdConfigurations(nvdMatch('router'))
    const platform = { operator: 'OR', negate: false, cpe_match: [nvdMatch('board', { vulnerable: false })] }
    const { cpe } = resolved([
      nvd({ configurations: [{ operator: 'AND', nodes: [...(plain?.nodes ?? []), platform] }] }),
    ])
    expect(roundTrip(cpe.configurations, cpe.matches).expanded).toEqual(serve(cpe.configurations))
    expect(cpe.configurations).toMatchObject([{ operator: 'AND' }])
  })
})
