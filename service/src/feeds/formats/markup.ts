// Markup from strangers, read with suspicion: XML documents and HTML pages, both into plain values.
import { Parser } from 'htmlparser2'
import { FeedError } from '../feed.ts'

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Its own text, without that of its children. */
  readonly text: string
}

export interface Expected {
  /** The file or address, for people: messages begin with it. */
  readonly what: string
  readonly maxBytes: number
  /** Of an XML document that is known to have more than others. */
  readonly maxElements?: number
}

export interface HtmlPage {
  /** What the page calls its own address. */
  readonly canonical: string | undefined
  readonly description: string | undefined
  readonly blocks: readonly HtmlBlock[]
  readonly links: readonly HtmlLink[]
}

/** Text between the edges of block elements: words in it belong together. */
export interface HtmlBlock {
  readonly kind: 'title' | 'heading' | 'item' | 'text'
  readonly text: string
  /** Part of what the page is about, rather than of what surrounds every page. */
  readonly isMain: boolean
}

interface HtmlLink {
  readonly href: string
  readonly isMain: boolean
}

/** The parser works through the open elements at every tag, so depth costs the square of itself. */
const MAX_DEPTH = 256
const MAX_ELEMENTS = 200_000

const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const BLOCKS = namesIn(
  'address article aside blockquote body br button caption dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 head header hr html iframe label legend li main nav ol option p pre section ' +
    'select summary table tbody td textarea tfoot th thead title tr ul',
)
const UNSEEN = namesIn('head script style template noscript svg iframe select textarea button')
const ASIDES = namesIn('nav aside footer form')
const HEADINGS = namesIn('h2 h3 h4 h5 h6')

/** The root element of a document that is whole, has no declarations of its own, and is what was asked for. */
export function readXml(bytes: Buffer, root: string, expected: Expected): XmlElement {
  const text = decoded(bytes, expected)
  const tree = growTree(root, expected)
  const parser = new Parser(
    {
      onprocessinginstruction: (name, declaration) => tree.declare(name, declaration),
      onopentag: (name, attributes) => tree.open(name, attributes, parser.endIndex),
      ontext: (data) => tree.write(data),
      onclosetag: (name, isImplied) => tree.close(name, isImplied, parser.endIndex),
    },
    { xmlMode: true },
  )
  parser.end(text)
  return tree.grown()
}

/** A whole page, so closed by its own end tag: one that was cut off may lack what matters. */
export function readPage(bytes: Buffer, { what, maxBytes }: Expected): HtmlPage {
  const { page, isClosed } = parseHtml(decoded(bytes, { what, maxBytes }), what)
  if (!isClosed) throw new FeedError(`${what} ends before its </html>: it was cut off, or it is no HTML page.`)
  return page
}

/** Words only: tags and scripts gone, entities decoded, whitespace folded. */
export function plainText(html: string, what: string): string {
  return parseHtml(html, what)
    .page.blocks.map(({ text }) => text)
    .join(' ')
}

function decoded(bytes: Buffer, { what, maxBytes }: Expected): string {
  if (bytes.length > maxBytes) throw new FeedError(`${what} has ${bytes.length} bytes; at most ${maxBytes} are read.`)
  if (bytes.length === 0) throw new FeedError(`${what} is empty.`)
  try {
    // PostgreSQL's text has no room for NUL.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\0', '')
  } catch {
    throw new FeedError(`${what} is not text in UTF-8.`)
  }
}

interface Growing extends XmlElement {
  readonly children: Growing[]
  text: string
  readonly openedAt: number
}

function growTree(expectedRoot: string, { what, maxElements }: Expected) {
  const isHtml = `${what} is an HTML page, where XML with <${expectedRoot}> was expected.`
  const open: Growing[] = []
  let root: Growing | undefined
  let count = 0
  return {
    declare(name: string, declaration: string): void {
      if (!name.startsWith('!')) return
      const isPage = /^!doctype\s+html\b/i.test(declaration)
      throw new FeedError(isPage ? isHtml : `${what} has a <${name}> declaration; documents with one are not read.`)
    },
    open(name: string, attributes: Record<string, string>, openedAt: number): void {
      const element: Growing = { name, attributes, children: [], text: '', openedAt }
      if (!root && name.toLowerCase() === 'html') throw new FeedError(isHtml)
      if (!root && name !== expectedRoot)
        throw new FeedError(`${what} begins with <${name}>, where <${expectedRoot}> was expected.`)
      if (root && open.length === 0) throw new FeedError(`${what} goes on with <${name}> after its end.`)
      count += 1
      refuseExcess(what, open.length, count, maxElements)
      open.at(-1)?.children.push(element)
      open.push(element)
      root ??= element
    },
    write(data: string): void {
      const element = open.at(-1)
      if (element) element.text += data
      else if (data.trim() !== '') throw new FeedError(`${what} has text outside of its elements; it is no XML.`)
    },
    close(name: string, isImplied: boolean, at: number): void {
      const element = open.pop()
      // The parser calls the end of <a/> implied as well; only there do begin and end fall together.
      if (isImplied && at !== element?.openedAt)
        throw new FeedError(`${what} was cut off or is broken: <${name}> is never closed.`)
    },
    grown(): XmlElement {
      if (!root) throw new FeedError(`${what} has no element at all, where XML with <${expectedRoot}> was expected.`)
      return root
    },
  }
}

function refuseExcess(what: string, depth: number, elements: number, maxElements = MAX_ELEMENTS): void {
  if (depth > MAX_DEPTH) throw new FeedError(`${what} nests more than ${MAX_DEPTH} elements in one another.`)
  if (elements > maxElements) throw new FeedError(`${what} has more than ${maxElements} elements.`)
}

interface OpenTag {
  readonly isUnseen: boolean
  readonly isMain: boolean
  readonly kind: HtmlBlock['kind']
}

const OUTERMOST: OpenTag = { isUnseen: false, isMain: false, kind: 'text' }

function parseHtml(html: string, what: string): { readonly page: HtmlPage; readonly isClosed: boolean } {
  const [open, blocks, links]: [OpenTag[], HtmlBlock[], HtmlLink[]] = [[], [], []]
  const named: NamedByPage = { canonical: undefined, address: undefined, description: undefined }
  let [text, count, hasMain, isClosed] = ['', 0, false, false]
  const current = () => open.at(-1) ?? OUTERMOST
  const endBlock = () => {
    const words = folded(text)
    if (words !== '') blocks.push({ kind: current().kind, text: words, isMain: current().isMain })
    text = ''
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      count += 1
      refuseExcess(what, open.length, count)
      if (BLOCKS.has(name)) endBlock()
      open.push(within(current(), name, attributes))
      hasMain ||= current().isMain
      noteNames(named, name, attributes)
      const { href } = attributes
      if (name === 'a' && href !== undefined) links.push({ href, isMain: current().isMain })
    },
    ontext(data) {
      if (!current().isUnseen) text += data
    },
    onclosetag(name, isImplied) {
      if (BLOCKS.has(name)) endBlock()
      open.pop()
      isClosed ||= name === 'html' && !isImplied
    },
  })
  parser.end(html)
  endBlock()
  const marked = <T extends { readonly isMain: boolean }>(all: T[]) =>
    hasMain ? all : all.map((each) => ({ ...each, isMain: true }))
  const { canonical = named.address, description } = named
  return { page: { canonical, description, blocks: marked(blocks), links: marked(links) }, isClosed }
}

function within(parent: OpenTag, name: string, attributes: Readonly<Record<string, string>>): OpenTag {
  const isMain = name === 'main' || attributes['role'] === 'main'
  return {
    isUnseen: parent.isUnseen || UNSEEN.has(name),
    isMain: (parent.isMain || isMain) && !ASIDES.has(name),
    kind: kindOf(name) ?? parent.kind,
  }
}

function kindOf(name: string): HtmlBlock['kind'] | undefined {
  if (name === 'h1') return 'title'
  if (HEADINGS.has(name)) return 'heading'
  return name === 'li' ? 'item' : undefined
}

interface NamedByPage {
  canonical: string | undefined
  address: string | undefined
  description: string | undefined
}

function noteNames(named: NamedByPage, name: string, attributes: Readonly<Record<string, string>>): void {
  const { rel = '', href, property, content } = attributes
  if (name === 'link' && rel.toLowerCase().split(/\s+/).includes('canonical')) named.canonical ??= href
  if (name !== 'meta') return
  if (property === 'og:url') named.address ??= content
  if (attributes['name']?.toLowerCase() === 'description') named.description ??= content
}

function folded(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim()
}
