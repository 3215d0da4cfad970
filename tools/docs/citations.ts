// Finds citations of decisions, threats, faults, invariants, goals and architecture decision records, and reports those
// that have no entry.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface BrokenReference {
  readonly at: string
  readonly reference: string
  /** Sentence that says what is wrong and what to do. */
  readonly fault: string
}

export interface Citation {
  readonly id: string
  readonly line: number
}

export interface CitationReport {
  readonly citations: number
  readonly broken: readonly BrokenReference[]
}

const DECISIONS = 'docs/decisions.md'
const THREATS = 'docs/threat-model.md'
const RECORDS = 'docs/adr'

const CITING_FILES = [
  '*.md',
  'docs/**/*.md',
  'conformance/**/*.{mjs,md}',
  'tools/**/*.ts',
  'service/**/*.{ts,js,sql,md}',
  '{sdk,cli,console,lab}/**/*.{ts,tsx,js,md}',
  'deploy/**/*.{yml,yaml,json,md}',
]
/** An applied migration never changes, so its comments keep the ids that were valid when it was written. */
const MIGRATIONS = 'service/migrations/'
/** Third-party text, generated files, and the tests of the citation check, which contain wrong citations. */
const NOT_SEARCHED = /(^|\/)(node_modules|dist|fixtures|generated)(\/|$)|^service\/(sample|test\/tools)(\/|$)/

/**
 * Patterns of ids: decisions such as `A1` have no hyphen; threats `T-1` and faults `F-13` have one; invariants are `I1`
 * to `I8`; goals are `C-MET-1` or `C-ROLL`. CVE-2021-1, CWE-79, T1190, UTF-8, SHA-256 and B-tree are not ids, because
 * no letter, digit or hyphen may come directly before or after an id.
 */
const DECISION = '[A-E][1-9]\\d?'
const HYPHENATED = '[TF]-[1-9]\\d?|C-[A-Z]{2,5}(?:-[1-9])?'
const ID = `(?<![\\w-])(?:${HYPHENATED}|${DECISION}|I[1-8])(?![\\w-])`
/** A space, or a line break followed by a comment marker. */
const GAP = '\\s+(?:(?://|\\*|--|#)\\s+)?'
const LIST = `${ID}(?:(?:,${GAP}|${GAP}(?:and|or|to)${GAP}|,${GAP}and${GAP})${ID})*`

/**
 * Text such as `A4` alone is not a citation, because spreadsheets, paper sizes and standards use it, too. A citation is
 * a list of ids
 * - after a word: "decision C13", "decisions A6 and B2", "threat T-29", "invariants I1 to I5";
 * - that fills a pair of parentheses: "(D9)", "(C13, D18)", but not "SUM(A1)" and not "(C0, C1, DEL)";
 * - at the beginning of the title of a test or check: it('D11 …'), check('C9 …');
 * and any id with a hyphen, wherever it occurs.
 */
const PATTERNS: readonly RegExp[] = [
  new RegExp(`\\b(?:[Dd]ecisions?|[Tt]hreats?|[Ff]aults?|[Ii]nvariants?|[Gg]oals?)${GAP}(?<ids>${LIST})`, 'g'),
  new RegExp(`(?<![\\w)\\]])\\((?<ids>${LIST})\\)`, 'g'),
  new RegExp(`\\b(?:it|describe|check)(?:\\.\\w+)?\\(\\s*['"\`](?<ids>${LIST})\\s`, 'g'),
  new RegExp(`(?<![\\w-])(?<ids>${HYPHENATED})(?![\\w-])`, 'g'),
]
/** In the conformance suite, check names also occur in tables, so every string that begins with ids is a citation. */
const IN_CONFORMANCE = [...PATTERNS, new RegExp(`['"\`](?<ids>${LIST})\\s`, 'g')]
/** In docs/decisions.md and docs/threat-model.md, every id of a decision, threat or similar entry is a citation. */
const IN_THE_DOCUMENTS = [new RegExp(ID, 'g')]

const DEFINITION = new RegExp(`^### (${ID})|^\\| (C-[A-Z-]+\\d?) \\|`, 'gm')

export function checkCitations(root: string): CitationReport {
  const defined = { decisions: readDefinitions(root, DECISIONS), threats: readDefinitions(root, THREATS) }
  const files = globSync(CITING_FILES, { cwd: root, exclude: (path) => NOT_SEARCHED.test(path) }).sort()
  const cited = files.flatMap((file) =>
    findCitations(file, readFileSync(join(root, file), 'utf8')).map((citation) => ({ file, ...citation })),
  )
  const broken = cited.flatMap(({ file, id, line }) => {
    const isDecision = new RegExp(`^${DECISION}$`).test(id)
    if ((isDecision ? defined.decisions : defined.threats).has(id)) return []
    const fault = `${isDecision ? DECISIONS : THREATS} has no entry ${id}. Correct the id, or write the entry.`
    return [{ at: `${file}:${line}`, reference: id, fault }]
  })
  const records = new Set(globSync('*.md', { cwd: join(root, RECORDS) }).map((file) => file.slice(0, 4)))
  const brokenRecords = files
    .filter((file) => !file.startsWith(MIGRATIONS))
    .flatMap((file) => findRecords(readFileSync(join(root, file), 'utf8')).map((citation) => ({ file, ...citation })))
    .filter(({ id }) => !records.has(id))
    .map(({ file, id, line }) => ({
      at: `${file}:${line}`,
      reference: `ADR ${id}`,
      fault: `${RECORDS} has no record ${id}. Correct the number.`,
    }))
  return { citations: cited.length, broken: [...broken, ...brokenRecords] }
}

function findRecords(text: string): Citation[] {
  return Array.from(text.matchAll(/\bADR (\d{4})\b/g), ({ 1: id = '', index }) => ({
    id,
    line: text.slice(0, index).split('\n').length,
  }))
}

/** Returns each citation once, even if several patterns match at the same position. */
export function findCitations(file: string, text: string): Citation[] {
  const found = new Map<number, Citation>()
  for (const pattern of choosePatterns(file)) {
    for (const match of text.matchAll(pattern)) {
      const ids = match.groups?.['ids'] ?? match[0]
      const start = match.index + match[0].indexOf(ids)
      for (const id of ids.matchAll(new RegExp(ID, 'g'))) {
        const at = start + id.index
        found.set(at, { id: id[0], line: text.slice(0, at).split('\n').length })
      }
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line)
}

function choosePatterns(file: string): readonly RegExp[] {
  if (file === DECISIONS || file === THREATS) return IN_THE_DOCUMENTS
  return file.startsWith('conformance/') ? IN_CONFORMANCE : PATTERNS
}

function readDefinitions(root: string, file: string): ReadonlySet<string> {
  const [path] = globSync(file, { cwd: root })
  const text = path === undefined ? '' : readFileSync(join(root, path), 'utf8')
  return new Set(Array.from(text.matchAll(DEFINITION), ([, heading, row]) => heading ?? row ?? ''))
}
