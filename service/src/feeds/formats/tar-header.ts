// What a tar archive says of the file that comes next: POSIX ustar with its pax extensions, and GNU's long names.
import { FeedError } from '../feed.ts'

export interface TarHeader {
  readonly name: string
  readonly size: number
  /** `0` is a file, `5` a folder. */
  readonly type: string
}

/** Where a header has what, in bytes from its beginning. */
const NAME = [0, 100] as const
const SIZE = [124, 136] as const
const CHECKSUM = [148, 156] as const
const TYPE = [156, 157] as const
const MAGIC = [257, 263] as const
const PREFIX = [345, 500] as const

const POSIX = 'ustar\0'
const GNU = 'ustar '
const SPACE = 0x20

export function isEmptyBlock(block: Buffer): boolean {
  return block.every((byte) => byte === 0)
}

export function readHeader(block: Buffer): TarHeader {
  const magic = block.toString('latin1', ...MAGIC)
  if (magic !== POSIX && magic !== GNU) throw new FeedError('it is no tar archive, or is damaged')
  if (octal(block, CHECKSUM) !== checksumOf(block))
    throw new FeedError('it is damaged: the checksum of a header differs')
  // GNU keeps other things where POSIX has the beginning of a long name.
  const prefix = magic === POSIX ? text(block, PREFIX) : ''
  const name = text(block, NAME)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: octal(block, SIZE),
    type: block.toString('latin1', ...TYPE),
  }
}

/** With its own eight bytes taken for spaces. */
function checksumOf(block: Buffer): number {
  const [from, until] = CHECKSUM
  return block.reduce((sum, byte, at) => sum + (at >= from && at < until ? SPACE : byte), 0)
}

/** GNU's binary numbers are for files of more than 8 GB. */
function octal(block: Buffer, [from, until]: readonly [number, number]): number {
  const digits = /^ *([0-7]+)[ \0]*$/.exec(block.toString('latin1', from, until))?.[1]
  if (digits === undefined) throw new FeedError('it is damaged: a number in a header is none')
  return Number.parseInt(digits, 8)
}

function text(block: Buffer, [from, until]: readonly [number, number]): string {
  return untilZero(block.subarray(from, until))
}

export function longNameIn(bytes: Buffer): string {
  return untilZero(bytes)
}

function untilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? undefined : end)
}

/** Those of pax: `<length> <key>=<value>\n`, one after another, the length being that of all of it. */
export function recordsIn(bytes: Buffer): { readonly name?: string; readonly size?: number } {
  let found: { readonly name?: string; readonly size?: number } = {}
  for (let at = 0; at < bytes.length; ) {
    const [, digits = ''] = /^(\d{1,6}) /.exec(bytes.toString('latin1', at, at + 8)) ?? []
    const record = bytes.toString('utf8', at + digits.length + 1, at + Number(digits))
    const [, key, value] = /^([^=]+)=(.*)\n$/s.exec(record) ?? []
    if (key === undefined || value === undefined) throw new FeedError('it is damaged: a note on a file cannot be read')
    found = { ...found, ...meaningOf(key, value) }
    at += Number(digits)
  }
  return found
}

function meaningOf(key: string, value: string): { readonly name?: string; readonly size?: number } {
  if (key === 'path') return { name: value }
  if (key !== 'size') return {}
  if (!/^\d{1,15}$/.test(value)) throw new FeedError('it is damaged: the size of a file is no number')
  return { size: Number(value) }
}
