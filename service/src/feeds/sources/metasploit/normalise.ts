import { Type } from 'typebox'
import { type EvidenceRow, parseDay, toEvidenceRow } from '../../evidence-feed.ts'
import type { Rejected } from '../../feed.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import { parseCveIds } from '../../stores/extract-ids.ts'

const MODULE = compileSchema(
  Type.Object({
    fullname: Type.String(),
    name: Type.String({ minLength: 1 }),
    rank: optionalOrNull(Type.Integer()),
    disclosure_date: optionalOrNull(Type.String()),
    references: optionalOrNull(Type.Array(Type.String())),
    path: optionalOrNull(Type.String()),
  }),
)

const FULL_NAME = /^[a-z]+(?:\/[\w+-][\w.+-]*)+$/
const PATH = /^\/modules(?:\/[\w+-][\w.+-]*)+$/
const SOURCE = 'https://github.com/rapid7/metasploit-framework/blob/master'
/** Types whose folder has another name. */
const FOLDERS: Readonly<Record<string, string>> = {
  exploit: 'exploits',
  payload: 'payloads',
  encoder: 'encoders',
  nop: 'nops',
}
/** Metasploit's names for its ranks, which rate how reliable and how safe a module is. */
const RANKS: Readonly<Record<number, string>> = {
  0: 'manual',
  100: 'low',
  200: 'average',
  300: 'normal',
  400: 'good',
  500: 'great',
  600: 'excellent',
}

export function normaliseModule(raw: unknown, now: Date): EvidenceRow | Rejected {
  const rejected = describeModule(raw)
  if (!MODULE.matches(raw)) return { rejected, reason: MODULE.describeMismatch(raw) }
  const { fullname, name, rank, disclosure_date: date, references, path } = raw
  if (!FULL_NAME.test(fullname)) return { rejected, reason: `fullname is not a module name: "${fullname}"` }
  const published = parseDay(date)
  if (published === undefined) return { rejected, reason: `disclosure_date is not a date: "${date}"` }
  const item = {
    id: fullname,
    kind: 'module' as const,
    title: name,
    url: `${SOURCE}${path && PATH.test(path) ? path : buildPath(fullname)}`,
    published,
    rank: rank === null || rank === undefined ? null : (RANKS[rank] ?? String(rank)),
    cveIds: parseCveIds(references ?? []),
  }
  return toEvidenceRow(item, now)
}

/** Builds the path of a Metasploit module in Ruby. For modules in other languages, upstream gives the path. */
function buildPath(fullname: string): string {
  const [type = '', ...rest] = fullname.split('/')
  return `/modules/${[FOLDERS[type] ?? type, ...rest].join('/')}.rb`
}

function describeModule(raw: unknown): string {
  const name = typeof raw === 'object' && raw !== null && 'fullname' in raw ? raw.fullname : undefined
  return typeof name === 'string' ? name : 'a module without a name'
}
