// A column in memory with numbers that hardly repeat, such as times and EPSS scores. NaN stands for null.

export class NumberColumn {
  #rows: Float64Array<ArrayBuffer>

  constructor(capacity: number) {
    this.#rows = new Float64Array(capacity)
  }

  get bytes(): number {
    return this.#rows.byteLength
  }

  get rows(): Float64Array<ArrayBuffer> {
    return this.#rows
  }

  grow(capacity: number): void {
    const old = this.#rows
    this.#rows = new Float64Array(capacity)
    this.#rows.set(old)
  }

  set(row: number, value: number | null): void {
    this.#rows[row] = value ?? Number.NaN
  }

  /** Replaces all values at once. */
  replace(rows: Float64Array<ArrayBuffer>): void {
    this.#rows = rows
  }
}
