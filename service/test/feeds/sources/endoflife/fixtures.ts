// Invented products in the form of endoflife.date.
type Members = Readonly<Record<string, unknown>>

export const cycle = (name: string, changed: Members = {}): Record<string, unknown> => ({
  name,
  codename: null,
  label: name,
  releaseDate: '2020-01-01',
  isLts: false,
  ltsFrom: null,
  isEol: false,
  eolFrom: null,
  isMaintained: true,
  latest: null,
  ...changed,
})

export const ended = (name: string, day: string, changed: Members = {}) =>
  cycle(name, { isEol: true, eolFrom: day, isMaintained: false, ...changed })

export const endOfLifeProduct = (name: string, changed: Members = {}): Record<string, unknown> => ({
  name,
  label: 'Larkfield',
  aliases: [],
  category: 'server-app',
  tags: ['server-app'],
  identifiers: [{ type: 'purl', id: 'pkg:npm/larkfield' }],
  labels: { eol: 'Security Support' },
  links: { html: `https://endoflife.date/${name}` },
  releases: [cycle('2'), ended('1', '2024-05-06')],
  ...changed,
})

export const endOfLifeList = (products: readonly unknown[], total = products.length): string =>
  JSON.stringify({ schema_version: '1.2.0', generated_at: '2026-08-20T00:00:00+00:00', total, result: products })
