import { describe, expect, it } from 'vitest'
import { type Manifest, measureParts } from '../../../tools/check-console-size.ts'

const MANIFEST: Manifest = {
  'index.html': { file: 'index.js', css: ['index.css'], imports: ['_shared.js'], isEntry: true },
  '_shared.js': { file: 'shared.js' },
  '_chart.js': { file: 'chart.js', imports: ['_shared.js'] },
  'pages/cve/page.tsx': {
    file: 'cve.js',
    css: ['cve.css'],
    imports: ['_shared.js', '_chart.js'],
    isDynamicEntry: true,
  },
  'pages/cve/tabs/history.tsx': { file: 'history.js', imports: ['_chart.js', '_days.js'], isDynamicEntry: true },
  '_days.js': { file: 'days.js' },
  'pages/kev/page.tsx': { file: 'kev.js', imports: ['index.html'], isDynamicEntry: true },
}

const BYTES: Readonly<Record<string, number>> = {
  'index.js': 1000,
  'index.css': 200,
  'shared.js': 30,
  'chart.js': 4,
  'cve.js': 500_000,
  'cve.css': 2,
  'history.js': 60,
  'days.js': 5,
  'kev.js': 7,
}

describe('Console sizes', () => {
  it('count the scripts, styles and imports of the first load, and only additional files for each page and its parts', () => {
    const parts = measureParts(MANIFEST, (file) => BYTES[file] ?? Number.NaN)

    expect(parts.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['first load', 1230],
      ['pages/cve/page.tsx', 500_006],
      ['pages/cve/tabs/history.tsx', 65],
      ['pages/kev/page.tsx', 7],
    ])
    expect(parts.filter(({ bytes, maxBytes }) => bytes > maxBytes).map(({ name }) => name)).toEqual([
      'pages/cve/page.tsx',
    ])
  })
})
