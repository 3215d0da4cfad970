// A column in memory whose values repeat: each row holds the number of its value in a list of distinct values. A filter
// tests each distinct value once and then only compares numbers.

/** As JSON: text, a number, null, or a list of texts without spaces. */
export type RawValue = string | number | null | readonly string[]

export class CodedColumn {
  /** Distinct values. Those that no row has any longer stay until all rows are read again. */
  readonly values: unknown[] = []
  readonly #codes = new Map<string | number | null, number>()
  readonly #decode: (raw: RawValue) => unknown
  #rows: Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

  constructor(capacity: number, decode: (raw: RawValue) => unknown) {
    this.#rows = new Uint16Array(capacity)
    this.#decode = decode
  }

  get bytes(): number {
    return this.#rows.byteLength
  }

  /** The number of each row's value. */
  get rows(): Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> {
    return this.#rows
  }

  grow(capacity: number): void {
    const old = this.#rows
    this.#rows = old instanceof Uint16Array ? new Uint16Array(capacity) : new Uint32Array(capacity)
    this.#rows.set(old)
  }

  set(row: number, raw: RawValue): void {
    const code = this.#encode(raw)
    if (code > 0xffff && this.#rows instanceof Uint16Array) this.#rows = Uint32Array.from(this.#rows)
    this.#rows[row] = code
  }

  #encode(raw: RawValue): number {
    const key = raw === null || typeof raw !== 'object' ? raw : raw.join(' ')
    const known = this.#codes.get(key)
    if (known !== undefined) return known
    const code = this.values.push(this.#decode(raw)) - 1
    this.#codes.set(key, code)
    return code
  }
}
