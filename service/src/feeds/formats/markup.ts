// Parses untrusted XML documents and HTML pages into plain values, within limits.
import { Parser } from 'htmlparser2'
import { FeedError } from '../feed.ts'

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Text of the XML element itself, without the text of its children. */
  readonly text: string
}

export interface MarkupOptions {
  readonly what: string
  readonly maxBytes: number
  readonly maxElements?: number
}

export interface HtmlPage {
  /** From the page's link or og:url element. */
  readonly canonical: string | undefined
  readonly description: string | undefined
  readonly blocks: readonly HtmlBlock[]
  readonly links: readonly HtmlLink[]
}

/** Text of an HTML page between the boundaries of block elements. */
export interface HtmlBlock {
  readonly kind: 'title' | 'heading' | 'item' | 'text'
  readonly text: string
  /** True for text in the main element of the page, false for navigation, footers and forms. */
  readonly isMain: boolean
}

interface HtmlLink {
  readonly href: string
  readonly isMain: boolean
}

/** The parser scans all open elements at every tag, so its time grows with the square of the depth. */
const MAX_DEPTH = 256
const MAX_ELEMENTS = 200_000

const parseNames = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const BLOCKS = parseNames(
  'address article aside blockquote body br button caption dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 head header hr html iframe label legend li main nav ol option p pre section ' +
    'select summary table tbody td textarea tfoot th thead title tr ul',
)
const INVISIBLE = parseNames('head script style template noscript svg iframe select textarea button')
const ASIDES = parseNames('nav aside footer form')
const HEADINGS = parseNames('h2 h3 h4 h5 h6')

/** Throws a FeedError if the document is truncated, has a DTD, or has a different root element. */
export function readXml(bytes: Buffer, root: string, options: MarkupOptions): XmlElement {
  const text = decode(bytes, options)
  const tree = createTreeBuilder(root, options)
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
  return tree.finish()
}

/** Throws unless the page ends with </html>, because a truncated page may lack its content. */
export function readPage(bytes: Buffer, { what, maxBytes }: MarkupOptions): HtmlPage {
  const { page, isClosed } = parseHtml(decode(bytes, { what, maxBytes }), what)
  if (!isClosed) throw new FeedError(`${what} has no </html>: it is truncated or not an HTML page.`)
  return page
}

/** Returns the visible text of HTML: tags and scripts removed, entities decoded, whitespace collapsed. */
export function toPlainText(html: string, what: string): string {
  return parseHtml(html, what)
    .page.blocks.map(({ text }) => text)
    .join(' ')
}

function decode(bytes: Buffer, { what, maxBytes }: MarkupOptions): string {
  if (bytes.length > maxBytes)
    throw new FeedError(`${what} has ${bytes.length} bytes, at most ${maxBytes} are allowed.`)
  if (bytes.length === 0) throw new FeedError(`${what} is empty.`)
  try {
    // NUL characters are removed, because PostgreSQL text cannot contain them.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\0', '')
  } catch {
    throw new FeedError(`${what} is not valid UTF-8.`)
  }
}

interface OpenElement extends XmlElement {
  readonly children: OpenElement[]
  text: string
  readonly openedAt: number
}

function createTreeBuilder(expectedRoot: string, { what, maxElements }: MarkupOptions) {
  const isHtml = `${what} is an HTML page, expected XML with <${expectedRoot}>.`
  const open: OpenElement[] = []
  let root: OpenElement | undefined
  let count = 0
  return {
    declare(name: string, declaration: string): void {
      if (!name.startsWith('!')) return
      const isPage = /^!doctype\s+html\b/i.test(declaration)
      throw new FeedError(isPage ? isHtml : `${what} has a <${name}> declaration, which is not allowed.`)
    },
    open(name: string, attributes: Record<string, string>, openedAt: number): void {
      const element: OpenElement = { name, attributes, children: [], text: '', openedAt }
      if (!root && name.toLowerCase() === 'html') throw new FeedError(isHtml)
      if (!root && name !== expectedRoot)
        throw new FeedError(`${what} starts with <${name}>, expected <${expectedRoot}>.`)
      if (root && open.length === 0) throw new FeedError(`${what} continues with <${name}> after its end.`)
      count += 1
      assertWithinLimits(what, open.length, count, maxElements)
      open.at(-1)?.children.push(element)
      open.push(element)
      root ??= element
    },
    write(data: string): void {
      const element = open.at(-1)
      if (element) element.text += data
      else if (data.trim() !== '') throw new FeedError(`${what} has text outside its elements, so it is not XML.`)
    },
    close(name: string, isImplied: boolean, at: number): void {
      const element = open.pop()
      // The end of a self-closing <a/> counts as implied too, but its start and end positions are equal.
      if (isImplied && at !== element?.openedAt)
        throw new FeedError(`${what} is truncated or malformed: <${name}> is never closed.`)
    },
    finish(): XmlElement {
      if (!root) throw new FeedError(`${what} has no elements, expected XML with <${expectedRoot}>.`)
      return root
    },
  }
}

function assertWithinLimits(what: string, depth: number, elements: number, maxElements = MAX_ELEMENTS): void {
  if (depth > MAX_DEPTH) throw new FeedError(`${what} nests elements more than ${MAX_DEPTH} levels deep.`)
  if (elements > maxElements) throw new FeedError(`${what} has more than ${maxElements} elements.`)
}

interface OpenTag {
  readonly isInvisible: boolean
  readonly isMain: boolean
  readonly kind: HtmlBlock['kind']
}

const OUTERMOST: OpenTag = { isInvisible: false, isMain: false, kind: 'text' }

function parseHtml(html: string, what: string): { readonly page: HtmlPage; readonly isClosed: boolean } {
  const [open, blocks, links]: [OpenTag[], HtmlBlock[], HtmlLink[]] = [[], [], []]
  const metadata: PageMetadata = { canonical: undefined, address: undefined, description: undefined }
  let [text, count, hasMain, isClosed] = ['', 0, false, false]
  const current = () => open.at(-1) ?? OUTERMOST
  const endBlock = () => {
    const words = collapseWhitespace(text)
    if (words !== '') blocks.push({ kind: current().kind, text: words, isMain: current().isMain })
    text = ''
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      count += 1
      assertWithinLimits(what, open.length, count)
      if (BLOCKS.has(name)) endBlock()
      open.push(openTag(current(), name, attributes))
      hasMain ||= current().isMain
      readMetadata(metadata, name, attributes)
      const { href } = attributes
      if (name === 'a' && href !== undefined) links.push({ href, isMain: current().isMain })
    },
    ontext(data) {
      if (!current().isInvisible) text += data
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
  const { canonical = metadata.address, description } = metadata
  return { page: { canonical, description, blocks: marked(blocks), links: marked(links) }, isClosed }
}

function openTag(parent: OpenTag, name: string, attributes: Readonly<Record<string, string>>): OpenTag {
  const isMain = name === 'main' || attributes['role'] === 'main'
  return {
    isInvisible: parent.isInvisible || INVISIBLE.has(name),
    isMain: (parent.isMain || isMain) && !ASIDES.has(name),
    kind: toBlockKind(name) ?? parent.kind,
  }
}

function toBlockKind(name: string): HtmlBlock['kind'] | undefined {
  if (name === 'h1') return 'title'
  if (HEADINGS.has(name)) return 'heading'
  return name === 'li' ? 'item' : undefined
}

interface PageMetadata {
  canonical: string | undefined
  address: string | undefined
  description: string | undefined
}

function readMetadata(metadata: PageMetadata, name: string, attributes: Readonly<Record<string, string>>): void {
  const { rel = '', href, property, content } = attributes
  if (name === 'link' && rel.toLowerCase().split(/\s+/).includes('canonical')) metadata.canonical ??= href
  if (name !== 'meta') return
  if (property === 'og:url') metadata.address ??= content
  if (attributes['name']?.toLowerCase() === 'description') metadata.description ??= content
}

function collapseWhitespace(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim()
}
