import { describe, expect, it } from 'vitest'
import { FeedError } from '../../../src/feeds/feed.ts'
import { readPage, readXml, toPlainText } from '../../../src/feeds/formats/markup.ts'

const options = { what: 'list.xml', maxBytes: 1_000_000 }
const xml = (text: string | Buffer) => readXml(Buffer.from(text), 'list', options)
const page = (text: string | Buffer) => readPage(Buffer.from(text), { ...options, what: 'page.html' })
const text = (html: string) => toPlainText(html, 'a text')

const ENTITY_EXPANSION = `<?xml version="1.0"?>
<!DOCTYPE list [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
<list>&c;</list>`

describe('XML parser', () => {
  it('reads attributes, text, CDATA and the predefined XML entities', () => {
    const list = xml(
      '<?xml version="1.0"?><list kind="a&amp;b"><item>1 &lt; 2</item><item><![CDATA[<b>&amp;]]></item><end/></list>',
    )

    expect(list).toMatchObject({ name: 'list', attributes: { kind: 'a&b' }, text: '' })
    expect(list.children.map(({ name, text }) => [name, text])).toEqual([
      ['item', '1 < 2'],
      ['item', '<b>&amp;'],
      ['end', ''],
    ])
  })

  it('is case-sensitive and gives HTML element names no special meaning', () => {
    expect(
      xml('<list><Title>a</Title><br>b</br><link>c</link></list>').children.map(({ name, text }) => name + text),
    ).toEqual(['Titlea', 'brb', 'linkc'])
  })

  it('removes a byte order mark and NUL characters', () => {
    expect(xml('\uFEFF<list>a\0b</list>').text).toBe('ab')
  })

  it.each([
    ['a DOCTYPE', '<!DOCTYPE list SYSTEM "file:///etc/passwd"><list/>', 'has a <!DOCTYPE> declaration'],
    ['a DOCTYPE in another letter case', '<!doctype list><list/>', 'has a <!doctype> declaration'],
    ['a DOCTYPE with a NUL in it', '<!DOC\0TYPE list><list/>', 'has a <!DOCTYPE> declaration'],
    ['entities that expand exponentially', ENTITY_EXPANSION, 'has a <!DOCTYPE> declaration'],
    ['an entity declared in the middle', '<list><!ENTITY a "b"></list>', 'has a <!ENTITY> declaration'],
    ['an HTML page', '<!DOCTYPE html><html><body>Access denied</body></html>', 'list.xml is an HTML page'],
    ['an HTML page without DOCTYPE', '<HTML><body>Access denied</body></HTML>', 'list.xml is an HTML page'],
    ['an unexpected root element', '<feed></feed>', 'starts with <feed>, expected <list>'],
    ['a document truncated between elements', '<list><item>1</item>', '<list> is never closed'],
    ['a document truncated in a text', '<list><item>1', '<item> is never closed'],
    ['a document truncated in a tag', '<list><item>1</item></li', '<list> is never closed'],
    ['a document truncated in CDATA', '<list><item><![CDATA[1', '<item> is never closed'],
    ['a document truncated right after a tag', '<list><item>', '<item> is never closed'],
    ['overlapping elements', '<list><item>1</list>', '<item> is never closed'],
    ['a second document after the first', '<list/><list/>', 'continues with <list> after its end'],
    ['text before the root element', 'Error: <list/>', 'text outside its elements'],
    ['only whitespace', '   ', 'has no elements'],
    ['a JSON document', '{"list": []}', 'text outside its elements'],
    ['an empty file', '', 'list.xml is empty'],
    ['Latin-1 text', Buffer.from('<list>é</list>', 'latin1'), 'is not valid UTF-8'],
    ['UTF-16 text', Buffer.from('\uFEFF<list/>', 'utf16le'), 'is not valid UTF-8'],
    ['too many bytes', `<list>${'x'.repeat(10_000_000)}</list>`, 'has 10000013 bytes, at most 1000000 are allowed'],
    ['elements nested too deeply', '<list>'.repeat(100_000), 'nests elements more than 256 levels deep'],
    ['too many elements', `<list>${'<a/>'.repeat(200_001)}</list>`, 'has more than 200000 elements'],
  ])('throws a FeedError for %s', (_name, document, message) => {
    const reading = () => xml(document)

    expect(reading).toThrow(FeedError)
    expect(reading).toThrow(message)
  })

  it('accepts at most maxElements elements', () => {
    const read = (maxElements: number) => () =>
      readXml(Buffer.from('<list><a/><b/></list>'), 'list', { ...options, maxElements })

    expect(read(3)().children).toHaveLength(2)
    expect(read(2)).toThrow('list.xml has more than 2 elements')
  })

  it('accepts <!DOCTYPE> and <!ENTITY> declarations inside comments and CDATA sections', () => {
    expect(xml('<list><!-- <!DOCTYPE list> --><![CDATA[<!ENTITY a "b">]]></list>').text).toBe('<!ENTITY a "b">')
  })
})

describe('HTML to plain text conversion', () => {
  it('separates the text of block elements with spaces, but not that of inline elements', () => {
    expect(text('before<p>one</p>after')).toBe('before one after')
    expect(text('<p>one</p><p>two<br>three</p><ul><li>four<li>five</ul>CVE-<b>2024</b>-<i>1234</i>')).toBe(
      'one two three four five CVE-2024-1234',
    )
  })

  it('decodes entities and collapses whitespace', () => {
    expect(text(' a&nbsp;&nbsp;b\n\t&amp;&#8217;&#x41;  c ')).toBe('a b &’A c')
  })

  it('drops scripts, styles and comments', () => {
    expect(text('a<script>b("<p>x</p>")</script><style>c</style><!-- d --><noscript>e</noscript>f')).toBe('af')
  })

  it('reads HTML with unclosed tags and comments', () => {
    expect(text('<p>a <b>b <a href="x')).toBe('a b')
    expect(text('a &lt;b <!-- c')).toBe('a <b')
  })

  it('throws an error for HTML nested more than 256 levels deep', () => {
    expect(() => text('<b>'.repeat(1_000_000))).toThrow('a text nests elements more than 256 levels deep')
  })
})

describe('HTML page parser', () => {
  const whole = page(`<!DOCTYPE html><html><head><title>Name | Site</title>
    <link rel="shortcut icon" href="/favicon.ico"><link rel="canonical" href="https://example.org/a">
    <meta property="og:url" content="https://example.org/b"><meta name="Description" content="What it is about"></head>
    <body><nav><a href="/elsewhere">Elsewhere</a></nav>
      <div role="main"><h1>Name</h1><h2>Part</h2><ul><li>First <a href="/first">link</a></li><li><p>Second</p></li></ul>
        <aside>Related</aside><p>End</p></div>
      <footer>Imprint</footer></body></html>`)

  it('reads the canonical URL and the description of a page', () => {
    expect(whole).toMatchObject({ canonical: 'https://example.org/a', description: 'What it is about' })
    expect(page('<html><meta property="og:url" content="https://example.org/b"></html>').canonical).toBe(
      'https://example.org/b',
    )
  })

  it('splits a page into blocks with their type and marks the blocks in the main element', () => {
    expect(whole.blocks.map(({ kind, text, isMain }) => `${kind}: ${text}${isMain ? '' : ' (outside main)'}`)).toEqual([
      'text: Elsewhere (outside main)',
      'title: Name',
      'heading: Part',
      'item: First link',
      'item: Second',
      'text: Related (outside main)',
      'text: End',
      'text: Imprint (outside main)',
    ])
    expect(whole.links).toEqual([
      { href: '/elsewhere', isMain: false },
      { href: '/first', isMain: true },
    ])
  })

  it('marks all blocks of a page as main blocks if it has no main element', () => {
    expect(page('<html><body><p>a</p><a href="/b">b</a></body></html>')).toMatchObject({
      blocks: [{ isMain: true }, { isMain: true }],
      links: [{ isMain: true }],
    })
  })

  it('throws an error for a page without </html>', () => {
    expect(() => page('<html><body><p>a</p>')).toThrow('page.html has no </html>')
    expect(() => page('no page')).toThrow(FeedError)
  })
})
