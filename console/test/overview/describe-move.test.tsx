import { renderToStaticMarkup } from 'react-dom/server'
import type { EpssMoverPage } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { describeMove } from '../../src/pages/overview/describe-move.ts'
import { MoversTable } from '../../src/pages/overview/movers-table.tsx'

describe('Overview: EPSS movers', () => {
  it('describes a change in points, and as a ratio if the ratio says more', () => {
    expect(describeMove({ delta: 0.123, ratio: 4.13 })).toBe('+12.3 points, 4.1 times')
    expect(describeMove({ delta: 0.0061, ratio: 61.2 })).toBe('+0.61 points, 61 times')
    expect(describeMove({ delta: 0.05, ratio: 1.06 })).toBe('+5.0 points')
    expect(describeMove({ delta: 0.05, ratio: null })).toBe('+5.0 points')
    expect(describeMove({ delta: -0.2, ratio: 2 })).toBe('−20.0 points')
  })

  it('says what a period with two models leaves out, and that no score rose', () => {
    const window: EpssMoverPage['window'] = {
      days: 7,
      from: '2026-06-10',
      to: '2026-06-17',
      comparable: false,
      not_comparable_reason: 'model_changed',
    }
    const html = renderToStaticMarkup(<MoversTable window={window} items={[]} />)
    expect(html).toContain('The EPSS model changed within these days.')
    expect(html).toContain('The service compared the releases of 2026-06-10 and 2026-06-17.')
    expect(
      renderToStaticMarkup(
        <MoversTable window={{ ...window, from: null, not_comparable_reason: 'no_earlier_release' }} items={[]} />,
      ),
    ).toContain('does not have two releases of EPSS yet')
    expect(
      renderToStaticMarkup(
        <MoversTable window={{ ...window, comparable: true, not_comparable_reason: null }} items={[]} />,
      ),
    ).not.toContain('model changed')
  })
})
