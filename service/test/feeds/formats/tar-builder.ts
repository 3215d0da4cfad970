// Builds tar archives for tests. Archives are valid by default; every header field can be set to a wrong value.

export interface TestTarEntry {
  readonly name: string
  readonly content?: string | Buffer
  /** Type flag of the tar entry: `0` is a file, `2` a symbolic link, `5` a directory. */
  readonly type?: string
  readonly prefix?: string
  readonly isGnu?: boolean
  /** Size in the header of the tar entry, if it differs from the size of the content. */
  readonly size?: number | string
  readonly checksum?: number
  readonly magic?: string
}

export function buildTar(entries: readonly TestTarEntry[], end: Buffer = Buffer.alloc(1024)): Buffer {
  return Buffer.concat([...entries.map(buildTarEntry), end])
}

export function buildTarEntry(entry: TestTarEntry): Buffer {
  const content = Buffer.from(entry.content ?? '')
  return Buffer.concat([buildHeader(entry, content.length), content, Buffer.alloc(-content.length & 511)])
}

/** Builds a pax extended header, which applies to the next entry of the archive. */
export function buildPaxHeader(records: Readonly<Record<string, string>>): TestTarEntry {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`
    const bytes = Buffer.byteLength(rest)
    const length = bytes + String(bytes + String(bytes).length).length
    return `${length}${rest}`
  })
  return { name: 'PaxHeaders/next', type: 'x', content: lines.join('') }
}

export function buildGnuLongName(name: string): TestTarEntry {
  return { name: '././@LongLink', type: 'L', content: `${name}\0`, isGnu: true }
}

function buildHeader(entry: TestTarEntry, length: number): Buffer {
  const block = Buffer.alloc(512)
  const { size = length, isGnu = false } = entry
  block.write(entry.name, 0, 100)
  block.write('0000644\0', 100)
  block.write(typeof size === 'string' ? size : `${size.toString(8).padStart(11, '0')}\0`, 124, 12, 'latin1')
  block.write('        ', 148)
  block.write(entry.type ?? '0', 156)
  block.write(entry.magic ?? (isGnu ? 'ustar  \0' : 'ustar\x0000'), 257, 8, 'latin1')
  block.write(entry.prefix ?? '', 345, 155)
  const sum = entry.checksum ?? block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
