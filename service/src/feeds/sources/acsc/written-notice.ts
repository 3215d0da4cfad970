// Checks a notice that an operator wrote into a file. Its members have the names under which the API serves them.
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { parseWrittenDate } from './dates.ts'
import {
  NOTICE_TYPES,
  type NoticeAddress,
  type NoticeType,
  PRIORITIES,
  parseNoticeAddress,
  parsePriority,
} from './notice.ts'

interface CheckedNotice {
  readonly address: NoticeAddress
  readonly title: string
  readonly type: NoticeType
  readonly priority: string | null
  readonly published: Date
  readonly updated: Date | null
  readonly summary: string | null
  readonly affectedProducts: readonly string[]
  readonly cveIds: readonly CveId[]
}

const MAX_CVE_IDS = 500
const MAX_PRODUCTS = 100
const MAX_PRODUCT_LENGTH = 200
const MAX_SHOWN = 60

const A_DATE = 'a day in Sydney ("2026-09-28") or a time with its zone ("2026-09-28T09:30:00+10:00")'

/** What each member must be. */
const MEMBERS = {
  title: 'a text that is not empty',
  url: 'an http or https address with a path, such as "https://www.cyber.gov.au/alerts/a-notice"',
  type: NOTICE_TYPES.map(quote).join(' or '),
  publishedDate: A_DATE,
  cves: `a list of at most ${MAX_CVE_IDS} CVE ids such as ["CVE-2024-3094"]; [] if the notice names none`,
  lastUpdated: `${A_DATE}, not before publishedDate`,
  priority: `one of ${PRIORITIES.map(quote).join(', ')}`,
  summary: 'a text',
  affectedProducts: `a list of at most ${MAX_PRODUCTS} texts of at most ${MAX_PRODUCT_LENGTH} characters`,
} as const

type Member = keyof typeof MEMBERS

class NoticeIssue extends Error {}

export function checkWrittenNotice(written: unknown): CheckedNotice | { readonly issue: string } {
  try {
    return readNotice(written)
  } catch (error) {
    if (error instanceof NoticeIssue) return { issue: error.message }
    throw error
  }
}

function readNotice(written: unknown): CheckedNotice {
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    throw new NoticeIssue(`a notice must be an object with the members ${listMembers()}`)
  const unknown = Object.keys(written).find((name) => !Object.hasOwn(MEMBERS, name))
  if (unknown !== undefined)
    throw new NoticeIssue(`there is no member ${show(unknown)}; the members of a notice are ${listMembers()}`)
  const notice = createReader(written as Readonly<Record<string, unknown>>)
  const published = notice.required('publishedDate', toDate)
  return {
    title: notice.required('title', (value) => toText(value) || undefined),
    address: notice.required('url', (value) => (typeof value === 'string' ? parseNoticeAddress(value) : undefined)),
    type: notice.required('type', (value) => NOTICE_TYPES.find((each) => each === value)),
    published,
    cveIds: notice.required('cves', toCveIds),
    updated: notice.optional('lastUpdated', (value) => toLaterDate(value, published)),
    priority: notice.optional('priority', (value) => parsePriority(toText(value))),
    summary: notice.optional('summary', toText) || null,
    affectedProducts: notice.optional('affectedProducts', toProducts) ?? [],
  }
}

function createReader(written: Readonly<Record<string, unknown>>) {
  const read = <T>(member: Member, convert: (value: unknown) => T | undefined): T => {
    const converted = convert(written[member])
    if (converted !== undefined) return converted
    throw new NoticeIssue(`${member} is ${show(written[member])}; it must be ${MEMBERS[member]}`)
  }
  return {
    required<T>(member: Member, convert: (value: unknown) => T | undefined): T {
      if (written[member] === undefined) throw new NoticeIssue(`${member} is missing; it must be ${MEMBERS[member]}`)
      return read(member, convert)
    },
    optional<T>(member: Member, convert: (value: unknown) => T | undefined): T | null {
      return written[member] === undefined || written[member] === null ? null : read(member, convert)
    },
  }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replaceAll(/\s+/gu, ' ').trim() : undefined
}

function toDate(value: unknown): Date | undefined {
  return typeof value === 'string' ? parseWrittenDate(value.trim()) : undefined
}

function toLaterDate(value: unknown, published: Date): Date | undefined {
  const date = toDate(value)
  return date && date >= published ? date : undefined
}

/** Throws for the first entry that is not a CVE id, because the whole list would be too long to show. */
function toCveIds(value: unknown): readonly CveId[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_CVE_IDS) return undefined
  const ids = value.map((each: unknown, index) => {
    const id = typeof each === 'string' ? parseCanonicalCveId(each.trim()) : undefined
    if (id === undefined)
      throw new NoticeIssue(`cves[${index}] is ${show(each)}; it must be a CVE id such as "CVE-2024-3094"`)
    return id
  })
  return [...new Set(ids)]
}

function toProducts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_PRODUCTS) return undefined
  const products = value.map((each: unknown) => toText(each) ?? '')
  const isUsable = products.every((each) => each !== '' && each.length <= MAX_PRODUCT_LENGTH)
  return isUsable ? [...new Set(products)] : undefined
}

function listMembers(): string {
  return Object.keys(MEMBERS).join(', ')
}

function quote(text: string): string {
  return `"${text}"`
}

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
