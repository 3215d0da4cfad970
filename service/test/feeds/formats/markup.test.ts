import { describe, expect, it } from 'vitest'
import { FeedError } from '../../../src/feeds/feed.ts'
import { plainText, readPage, readXml } from '../../../src/feeds/formats/markup.ts'

const expected = { what: 'list.xml', maxBytes: 1_000_000 }
const xml = (text: string | Buffer) => readXml(Buffer.from(text), 'list', expected)
const page = (text: string | Buffer) => readPage(Buffer.from(text), { ...expected, what: 'page.html' })
const text = (html: string) => plainText(html, 'a text')

const LAUGHS = `<?xml version="1.0"?>
<!DOCTYPE list [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
<list>&c;</list>`

describe('An XML document', () => {
  it('is read with its attributes, its own text, CDATA and the entities that XML itself has', () => {
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

  it('keeps upper and lower case apart, and knows elements of HTML for what they are in XML', () => {
    expect(
      xml('<list><Title>a</Title><br>b</br><link>c</link></list>').children.map(({ name, text }) => name + text),
    ).toEqual(['Titlea', 'brb', 'linkc'])
  })

  it('loses its byte order mark and every NUL', () => {
    expect(xml('\uFEFF<list>a\0b</list>').text).toBe('ab')
  })

  it.each([
    ['a DOCTYPE', '<!DOCTYPE list SYSTEM "file:///etc/passwd"><list/>', 'has a <!DOCTYPE> declaration'],
    ['a DOCTYPE in another letter case', '<!doctype list><list/>', 'has a <!doctype> declaration'],
    ['a DOCTYPE with a NUL in it', '<!DOC\0TYPE list><list/>', 'has a <!DOCTYPE> declaration'],
    ['entities that grow', LAUGHS, 'has a <!DOCTYPE> declaration'],
    ['an entity declared in the middle', '<list><!ENTITY a "b"></list>', 'has a <!ENTITY> declaration'],
    ['an HTML page', '<!DOCTYPE html><html><body>Access denied</body></html>', 'list.xml is an HTML page'],
    ['an HTML page without DOCTYPE', '<HTML><body>Access denied</body></HTML>', 'list.xml is an HTML page'],
    ['another document', '<feed></feed>', 'begins with <feed>, where <list> was expected'],
    ['a document cut off between elements', '<list><item>1</item>', '<list> is never closed'],
    ['a document cut off in a text', '<list><item>1', '<item> is never closed'],
    ['a document cut off in a tag', '<list><item>1</item></li', '<list> is never closed'],
    ['a document cut off in CDATA', '<list><item><![CDATA[1', '<item> is never closed'],
    ['a document cut off right behind a tag', '<list><item>', '<item> is never closed'],
    ['elements that cross', '<list><item>1</list>', '<item> is never closed'],
    ['a second document behind the first', '<list/><list/>', 'goes on with <list> after its end'],
    ['words around the document', 'Error: <list/>', 'text outside of its elements'],
    ['no document at all', '   ', 'has no element at all'],
    ['JSON', '{"list": []}', 'text outside of its elements'],
    ['nothing', '', 'list.xml is empty'],
    ['another encoding', Buffer.from('<list>é</list>', 'latin1'), 'is not text in UTF-8'],
    ['UTF-16', Buffer.from('\uFEFF<list/>', 'utf16le'), 'is not text in UTF-8'],
    ['too many bytes', `<list>${'x'.repeat(10_000_000)}</list>`, 'has 10000013 bytes; at most 1000000 are read'],
    ['too deep a nesting', '<list>'.repeat(100_000), 'nests more than 256 elements'],
    ['too many elements', `<list>${'<a/>'.repeat(200_001)}</list>`, 'has more than 200000 elements'],
  ])('is refused in words: %s', (_name, document, complaint) => {
    const reading = () => xml(document)

    expect(reading).toThrow(FeedError)
    expect(reading).toThrow(complaint)
  })

  it('may have as many elements as its reader expects', () => {
    const read = (maxElements: number) => () =>
      readXml(Buffer.from('<list><a/><b/></list>'), 'list', { ...expected, maxElements })

    expect(read(3)().children).toHaveLength(2)
    expect(read(2)).toThrow('list.xml has more than 2 elements')
  })

  it('may speak of declarations in comments and texts', () => {
    expect(xml('<list><!-- <!DOCTYPE list> --><![CDATA[<!ENTITY a "b">]]></list>').text).toBe('<!ENTITY a "b">')
  })
})

describe('HTML as plain text', () => {
  it('separates the words of blocks, and only those', () => {
    expect(text('before<p>one</p>after')).toBe('before one after')
    expect(text('<p>one</p><p>two<br>three</p><ul><li>four<li>five</ul>CVE-<b>2024</b>-<i>1234</i>')).toBe(
      'one two three four five CVE-2024-1234',
    )
  })

  it('decodes entities and folds whitespace', () => {
    expect(text(' a&nbsp;&nbsp;b\n\t&amp;&#8217;&#x41;  c ')).toBe('a b &’A c')
  })

  it('has no scripts, styles or comments', () => {
    expect(text('a<script>b("<p>x</p>")</script><style>c</style><!-- d --><noscript>e</noscript>f')).toBe('af')
  })

  it('survives what never ends', () => {
    expect(text('<p>a <b>b <a href="x')).toBe('a b')
    expect(text('a &lt;b <!-- c')).toBe('a <b')
  })

  it('refuses to go deep', () => {
    expect(() => text('<b>'.repeat(1_000_000))).toThrow('a text nests more than 256 elements')
  })
})

describe('An HTML page', () => {
  const whole = page(`<!DOCTYPE html><html><head><title>Name | Site</title>
    <link rel="shortcut icon" href="/favicon.ico"><link rel="canonical" href="https://example.org/a">
    <meta property="og:url" content="https://example.org/b"><meta name="Description" content="What it is about"></head>
    <body><nav><a href="/elsewhere">Elsewhere</a></nav>
      <div role="main"><h1>Name</h1><h2>Part</h2><ul><li>First <a href="/first">link</a></li><li><p>Second</p></li></ul>
        <aside>Related</aside><p>End</p></div>
      <footer>Imprint</footer></body></html>`)

  it('says what it calls itself and what it is about', () => {
    expect(whole).toMatchObject({ canonical: 'https://example.org/a', description: 'What it is about' })
    expect(page('<html><meta property="og:url" content="https://example.org/b"></html>').canonical).toBe(
      'https://example.org/b',
    )
  })

  it('is cut into blocks, each with its kind, and its main part is told from the rest', () => {
    expect(whole.blocks.map(({ kind, text, isMain }) => `${kind}: ${text}${isMain ? '' : ' (around)'}`)).toEqual([
      'text: Elsewhere (around)',
      'title: Name',
      'heading: Part',
      'item: First link',
      'item: Second',
      'text: Related (around)',
      'text: End',
      'text: Imprint (around)',
    ])
    expect(whole.links).toEqual([
      { href: '/elsewhere', isMain: false },
      { href: '/first', isMain: true },
    ])
  })

  it('is all main part if it does not tell', () => {
    expect(page('<html><body><p>a</p><a href="/b">b</a></body></html>')).toMatchObject({
      blocks: [{ isMain: true }, { isMain: true }],
      links: [{ isMain: true }],
    })
  })

  it('is refused when it was cut off', () => {
    expect(() => page('<html><body><p>a</p>')).toThrow('page.html ends before its </html>')
    expect(() => page('no page')).toThrow(FeedError)
  })
})
