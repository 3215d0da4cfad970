// Reads an advisory of FriendsOfPHP (https://github.com/FriendsOfPHP/security-advisories#contributing).
import { type Static, Type } from 'typebox'
import { parseDateTime } from '../../../domain/instant.ts'
import { buildPurl } from '../../../domain/source/ecosystems.ts'
import type { VendorProduct } from '../../../domain/source/vendor-record.ts'
import { SCHEMES } from '../../../domain/version/schemes.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import type { RepositoryAdvisory } from './forms.ts'

const Branch = Type.Object({
  /** Null if the flaw is not fixed in the branch: its upper bound is then only the end of the branch. */
  time: optionalOrNull(Type.String()),
  versions: Type.Array(Type.String(), { minItems: 1 }),
})

const FORM = compileSchema(
  Type.Object({
    title: Type.String(),
    link: Type.String(),
    reference: Type.String(),
    cve: optionalOrNull(Type.String()),
    branches: Type.Record(Type.String(), Branch),
  }),
)

const ECOSYSTEM = 'Packagist'
const REFERENCE = /^composer:\/\/([^/\s]+\/[^/\s]+)$/

export function readFriendsOfPhp(raw: unknown): RepositoryAdvisory | string {
  if (!FORM.matches(raw)) return FORM.describeMismatch(raw)
  const { title, link, reference, cve, branches } = raw
  const name = REFERENCE.exec(reference)?.[1]
  const purl = name === undefined ? null : buildPurl(ECOSYSTEM, name)
  if (name === undefined || purl === null) return `the reference is not a Composer package: "${reference}"`
  const products: VendorProduct[] = []
  const fixes: Date[] = []
  for (const [branch, content] of Object.entries(branches)) {
    const bounds = readBounds(content)
    if (bounds === undefined) return `the versions of branch "${branch}" cannot be read`
    products.push({ vendor: ECOSYSTEM, product: name, status: 'affected', cpe: null, purl, ...bounds })
    const fixedAt = parseTime(content.time ?? '')
    if (fixedAt) fixes.push(fixedAt)
  }
  const modified = fixes.length === 0 ? null : new Date(Math.max(...fixes.map((each) => each.getTime())))
  return { title, cve: cve ?? null, aliases: [], published: null, modified, products, urls: [link] }
}

/** Some times lack a zero, such as `2017-11-1 0:41:41`, and some have an offset. */
const TIME = /^(\d{4})-(\d\d?)-(\d\d?)[ T](\d\d?)(:\d\d:\d\d) ?(?:([+-]\d\d):?(\d\d))?$/

function parseTime(text: string): Date | undefined {
  const [, year, month = '', day = '', hour = '', rest = '', offset, minutes] = TIME.exec(text.trim()) ?? []
  const pad = (digits: string) => digits.padStart(2, '0')
  const zone = offset === undefined ? 'Z' : `${offset}:${minutes}`
  return parseDateTime(`${year}-${pad(month)}-${pad(day)}T${pad(hour)}${rest}${zone}`)
}

type Bounds = Pick<VendorProduct, 'introduced' | 'after' | 'fixed' | 'before' | 'last_affected'>

const CONSTRAINT = /^(>=|<=|[<>=]|) *([\w.-]+)$/

/** All constraints must hold. Returns undefined if there are two bounds on the same side. */
function readBounds({ time, versions }: Static<typeof Branch>): Bounds | undefined {
  let bounds: Partial<Bounds> = {}
  for (const text of versions) {
    const [, operator, version = ''] = CONSTRAINT.exec(text.trim()) ?? []
    if (operator === undefined || SCHEMES.composer.compare(version, version) === undefined) return undefined
    const added = toBound(operator, version, Boolean(time))
    const isSecond = Object.keys(added).some((side) => SIDES[side as keyof Bounds].some((each) => each in bounds))
    if (isSecond) return undefined
    bounds = { ...bounds, ...added }
  }
  return { introduced: null, fixed: null, last_affected: null, ...bounds }
}

const LOW = ['introduced', 'after'] as const
const HIGH = ['fixed', 'before', 'last_affected'] as const
const SIDES: Readonly<Record<keyof Bounds, readonly (keyof Bounds)[]>> = {
  introduced: LOW,
  after: LOW,
  fixed: HIGH,
  before: HIGH,
  last_affected: HIGH,
}

function toBound(operator: string, version: string, isFixed: boolean): Partial<Bounds> {
  if (operator === '>=') return { introduced: version }
  if (operator === '>') return { after: version }
  if (operator === '<=') return { last_affected: version }
  if (operator === '<') return isFixed ? { fixed: version } : { before: version }
  return { introduced: version, last_affected: version }
}
