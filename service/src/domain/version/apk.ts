// Alpine packages: numbers separated by dots, a letter, suffixes such as _rc1 or _p2, a commit hash and the revision
// -r1. The suffixes _alpha, _beta, _pre and _rc sort before the version without them; _cvs, _svn, _git, _hg and _p sort
// after it. A number with a leading zero is compared as text. The reference is `apk version --test`.
import { compareDigits, compareLists, compareTexts, defineScheme } from './scheme.ts'

interface Token {
  readonly kind: 'number' | 'part' | 'letter' | 'suffix' | 'suffix number' | 'hash' | 'revision'
  readonly text: string
}

const FORM = /^(\d+)((?:\.\d+)*)([a-z]?)((?:_[a-z]+\d*)*)(?:~([\da-f]+))?(?:-r(\d+))?$/
const SUFFIXES_BEFORE = ['alpha', 'beta', 'pre', 'rc']
const SUFFIXES_AFTER = ['cvs', 'svn', 'git', 'hg', 'p']
/**
 * The order matters: a version that continues with an earlier type sorts after one that ends or continues with a later
 * type.
 */
const KINDS: readonly Token['kind'][] = ['number', 'part', 'letter', 'suffix', 'suffix number', 'hash', 'revision']

export const apk = defineScheme<readonly Token[]>(parseApk, (a, b) => compareLists(a, b, compareTokens))

function parseApk(version: string): Token[] | undefined {
  const [isVersion, first = '', parts = '', letter, suffixes = '', hash, revision] = FORM.exec(version) ?? []
  if (isVersion === undefined) return undefined
  const suffixTokens = suffixes.split('_').slice(1).flatMap(parseSuffix)
  if (suffixTokens.some(({ kind, text }) => kind === 'suffix' && rankSuffix(text) === undefined)) return undefined
  return [
    { kind: 'number', text: first },
    ...parts
      .split('.')
      .slice(1)
      .map((text): Token => ({ kind: 'part', text })),
    ...(letter ? [{ kind: 'letter', text: letter } as const] : []),
    ...suffixTokens,
    ...(hash === undefined ? [] : [{ kind: 'hash', text: hash } as const]),
    ...(revision === undefined ? [] : [{ kind: 'revision', text: revision } as const]),
  ]
}

function parseSuffix(suffix: string): Token[] {
  const [text = '', number] = suffix.split(/(\d+)/)
  return [{ kind: 'suffix', text }, ...(number === undefined ? [] : [{ kind: 'suffix number', text: number } as const])]
}

function compareTokens(a: Token | undefined, b: Token | undefined): number {
  if (a !== undefined && b !== undefined && a.kind === b.kind) return compareSameKind(a, b)
  if (isBeforeEnd(a)) return -1
  if (isBeforeEnd(b)) return 1
  return rankKind(b) - rankKind(a)
}

function compareSameKind({ kind, text: a }: Token, { text: b }: Token): number {
  switch (kind) {
    case 'number':
    case 'suffix number':
    case 'revision':
      return compareDigits(a, b)
    case 'part':
      return a.startsWith('0') || b.startsWith('0') ? compareTexts(a, b) : compareDigits(a, b)
    case 'letter':
    case 'hash':
      return compareTexts(a, b)
    case 'suffix':
      return (rankSuffix(a) ?? 0) - (rankSuffix(b) ?? 0)
  }
}

function isBeforeEnd(token: Token | undefined): boolean {
  return token?.kind === 'suffix' && (rankSuffix(token.text) ?? 0) < 0
}

function rankKind(token: Token | undefined): number {
  return token === undefined ? KINDS.length : KINDS.indexOf(token.kind)
}

/** Negative if the suffix sorts before the version without it; undefined for an unknown suffix. */
function rankSuffix(suffix: string): number | undefined {
  if (SUFFIXES_BEFORE.includes(suffix)) return SUFFIXES_BEFORE.indexOf(suffix) - SUFFIXES_BEFORE.length
  return SUFFIXES_AFTER.includes(suffix) ? SUFFIXES_AFTER.indexOf(suffix) + 1 : undefined
}
