import { Type } from 'typebox'
import type { Rejected } from '../../feed.ts'
import { orNull, shapeOf } from '../../schema-check.ts'
import { cveIdsAmong, type EvidenceRow, evidenceRow, parseDay } from '../../stores/exploit-row.ts'

const MODULE = shapeOf(
  Type.Object({
    fullname: Type.String(),
    name: Type.String({ minLength: 1 }),
    rank: orNull(Type.Integer()),
    disclosure_date: orNull(Type.String()),
    references: orNull(Type.Array(Type.String())),
    path: orNull(Type.String()),
  }),
)

const FULL_NAME = /^[a-z]+(?:\/[\w+-][\w.+-]*)+$/
const PATH = /^\/modules(?:\/[\w+-][\w.+-]*)+$/
const SOURCE = 'https://github.com/rapid7/metasploit-framework/blob/master'
/** Folders that are not called like what is in them. */
const FOLDERS: Readonly<Record<string, string>> = {
  exploit: 'exploits',
  payload: 'payloads',
  encoder: 'encoders',
  nop: 'nops',
}
/** How sure it is to work and to do no harm, as Metasploit's documentation calls it. */
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
  const rejected = nameOf(raw)
  if (!MODULE.fits(raw)) return { rejected, reason: MODULE.fault(raw) }
  const { fullname, name, rank, disclosure_date: date, references, path } = raw
  if (!FULL_NAME.test(fullname)) return { rejected, reason: `its fullname is not the name of a module: "${fullname}"` }
  const published = parseDay(date)
  if (published === undefined) return { rejected, reason: `disclosure_date is not a day: "${date}"` }
  const said = {
    id: fullname,
    kind: 'module' as const,
    title: name,
    url: `${SOURCE}${path && PATH.test(path) ? path : pathOf(fullname)}`,
    published,
    rank: rank === null || rank === undefined ? null : (RANKS[rank] ?? String(rank)),
    cveIds: cveIdsAmong(references ?? []),
  }
  return evidenceRow(said, now)
}

/** Nearly all of them are written in Ruby; of the others, upstream says where they are. */
function pathOf(fullname: string): string {
  const [type = '', ...rest] = fullname.split('/')
  return `/modules/${[FOLDERS[type] ?? type, ...rest].join('/')}.rb`
}

function nameOf(raw: unknown): string {
  const name = typeof raw === 'object' && raw !== null && 'fullname' in raw ? raw.fullname : undefined
  return typeof name === 'string' ? name : 'a module without a name'
}
