import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fetchAnswer } from '../src/data/fetch-answer.ts'
import { cutText, UpstreamText } from '../src/kit/upstream-text.tsx'
import { neutralizeDirection } from '../src/text/direction.ts'
import { toSummary } from '../src/text/summary.ts'

const CONTROLS = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
const MARKS = '\u061c\u200e\u200f'

describe('neutralizeDirection', () => {
  it('replaces each control character with a visible character and removes marks', () => {
    expect(neutralizeDirection(`a${CONTROLS}b${MARKS}c`)).toBe(`a${'\ufffd'.repeat(9)}bc`)
  })

  it('keeps letters of other scripts and joined characters', () => {
    expect(neutralizeDirection('אבג 漢 👩‍💻')).toBe('אבג 漢 👩‍💻')
  })
})

describe('fetchAnswer', () => {
  const server = createServer((request, response) => {
    if (request.url === '/empty') response.writeHead(204).end()
    else response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ name: `key ${CONTROLS}` }))
  })
  beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
  // Each read names its page.
  beforeAll(() => void vi.stubGlobal('location', { pathname: '/console/' }))
  afterAll(() => {
    vi.unstubAllGlobals()
    server.close()
  })
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  it('replaces direction control characters in the text of a response', async () => {
    const response = await fetchAnswer(address())

    expect([response.status, await response.json()]).toEqual([200, { name: `key ${'\ufffd'.repeat(9)}` }])
  })

  it('returns a response without a body unchanged', async () => {
    expect((await fetchAnswer(`${address()}/empty`)).status).toBe(204)
  })
})

describe('UpstreamText', () => {
  it('isolates its text and renders only the visible part', () => {
    const html = renderToStaticMarkup(<UpstreamText text={'x'.repeat(40_000)} />)

    expect(html).toMatch(/^<bdi dir="auto"[^>]*>x{1200}…<\/bdi>/)
    expect(html).toContain('Show 20,000 of 38,800 more characters')
    expect(html.length).toBeLessThan(2000)
  })

  it('renders a short text without a button', () => {
    expect(renderToStaticMarkup(<UpstreamText text="short" />)).toMatch(/^<bdi[^>]*>short<\/bdi>$/)
  })

  it.each([2, 3])('does not split a character when it cuts text after %i code units', (max) => {
    expect(cutText('😀😀😀', max)).toBe('😀…')
  })

  it('cuts text at the end of a word, and a long word inside it', () => {
    expect(cutText('allows an attacker', 14)).toBe('allows an…')
    expect(cutText(`a ${'x'.repeat(50)}`, 45)).toBe(`a ${'x'.repeat(43)}…`)
  })
})

describe('toSummary', () => {
  it('returns the beginning of a long description', () => {
    expect(toSummary('😀'.repeat(100_000)).length).toBeLessThanOrEqual(1000)
  })
})
