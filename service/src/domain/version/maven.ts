// Maven artifacts. Dots, hyphens and changes between digits and letters separate items, and whatever follows a hyphen
// or such a change is a nested list. Zeros at the end of each list do not count. The words alpha, beta, milestone, rc
// and snapshot sort before the release, sp and then unknown words after it, and numbers after all words. The reference
// is ComparableVersion of Maven 3.8 and 3.9; Maven 4 differs in rare versions such as 1-0-ga and 1.x-1.
import { compareDigits, compareLists, compareTexts, defineScheme } from './scheme.ts'

type Item =
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'word'; readonly rank: string }
  | { readonly kind: 'list'; readonly items: readonly Item[] }

const FORM = /^[!-~]+$/
const TOKENS = /\d+|[^\d.-]+|[.-]/g
const KINDS_IN_ORDER: readonly Item['kind'][] = ['word', 'list', 'number']
const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp']
const RELEASE = rankWord('')
const ZERO: Item = { kind: 'number', digits: '0' }

export const maven = defineScheme<readonly Item[]>(
  (version) => (FORM.test(version) ? parseMaven(version.toLowerCase()) : undefined),
  compareItemLists,
)

function parseMaven(version: string): readonly Item[] {
  const lists: Item[][] = [[]]
  const add = (item: Item) => lists.at(-1)?.push(item)
  const openIfFilled = () => {
    if (lists.at(-1)?.length !== 0) lists.push([])
  }
  let pending = ''
  for (const token of version.match(TOKENS) ?? []) {
    if (token === '.' || token === '-') {
      add(pending === '' ? ZERO : toItem(pending))
      if (token === '-') lists.push([])
      pending = ''
    } else {
      if (pending !== '' && !isNumber(pending)) openIfFilled()
      if (pending !== '') add(toItem(pending, true))
      if (pending !== '') lists.push([])
      pending = token
    }
  }
  if (pending !== '' && !isNumber(pending)) openIfFilled()
  if (pending !== '') add(toItem(pending))
  return nest(lists)
}

function toItem(text: string, isBeforeNumber = false): Item {
  return isNumber(text) ? { kind: 'number', digits: text } : { kind: 'word', rank: rankWord(text, isBeforeNumber) }
}

function isNumber(text: string): boolean {
  return /^\d/.test(text)
}

/** Returns a text that sorts as the word does. Unknown words come after all known ones, in alphabetical order. */
function rankWord(word: string, isBeforeNumber = false): string {
  const index = QUALIFIERS.indexOf(expandWord(word, isBeforeNumber))
  return index === -1 ? `${QUALIFIERS.length}-${word}` : String(index)
}

function expandWord(word: string, isBeforeNumber: boolean): string {
  if (isBeforeNumber && word === 'a') return 'alpha'
  if (isBeforeNumber && word === 'b') return 'beta'
  if (isBeforeNumber && word === 'm') return 'milestone'
  if (word === 'cr') return 'rc'
  return word === 'ga' || word === 'final' || word === 'release' ? '' : word
}

/** Appends each list to the list before it. */
function nest(lists: readonly (readonly Item[])[]): readonly Item[] {
  return lists.reduceRight<readonly Item[]>(
    (inner, items) => dropZeros(inner.length === 0 ? items : [...items, { kind: 'list', items: inner }]),
    [],
  )
}

/** Also drops words for a release, both at the end and before a list at the end. */
function dropZeros(items: readonly Item[]): readonly Item[] {
  const last = items.findLastIndex((item) => item.kind !== 'list' && compareWithEnd(item) !== 0)
  return items.filter(({ kind }, index) => index <= last || kind === 'list')
}

function compareItemLists(a: readonly Item[], b: readonly Item[]): number {
  return compareLists(a, b, (x, y) => {
    if (x === undefined) return y === undefined ? 0 : -compareWithEnd(y)
    return y === undefined ? compareWithEnd(x) : compareItems(x, y)
  })
}

function compareItems(a: Item, b: Item): number {
  if (a.kind === 'number' && b.kind === 'number') return compareDigits(a.digits, b.digits)
  if (a.kind === 'list' && b.kind === 'list') return compareItemLists(a.items, b.items)
  if (a.kind === 'word' && b.kind === 'word') return compareTexts(a.rank, b.rank)
  return KINDS_IN_ORDER.indexOf(a.kind) - KINDS_IN_ORDER.indexOf(b.kind)
}

/** 1-rc is before 1, 1-sp after it, and 1-0 is equal. */
function compareWithEnd(item: Item): number {
  switch (item.kind) {
    case 'number':
      return compareDigits(item.digits, '0')
    case 'word':
      return compareTexts(item.rank, RELEASE)
    case 'list':
      return item.items.map(compareWithEnd).find((order) => order !== 0) ?? 0
  }
}
