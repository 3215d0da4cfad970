// The vulnerable products of each CVE in memory: the numbers of a CVE's products lie together in one array, and each
// product has the numbers of its vendor's and of its own name.
import { CodedColumn } from './coded-column.ts'
import { grownCapacity } from './key-index.ts'

const NAME_COLUMNS = ['vendor', 'product'] as const

export interface NamedProduct {
  readonly key: number
  readonly vendor: string
  readonly product: string
}

export class ProductNames {
  /** Position of each row's products in the list. */
  #starts: Uint32Array
  #lengths: Uint32Array
  /** Products of all rows. Parts that no row uses any longer are dropped once they are half of it. */
  #list = new Uint32Array(1024)
  #used = 0
  #unused = 0
  /** Number of a product by its key in catalog.product. */
  readonly #numbers = new Map<number, number>()
  readonly #names = { vendor: createNames(), product: createNames() }

  constructor(capacity: number) {
    this.#starts = new Uint32Array(capacity)
    this.#lengths = new Uint32Array(capacity)
  }

  get bytes(): number {
    const own = this.#starts.byteLength + this.#lengths.byteLength + this.#list.byteLength
    return own + this.#names.vendor.bytes + this.#names.product.bytes
  }

  get starts(): Uint32Array {
    return this.#starts
  }

  get lengths(): Uint32Array {
    return this.#lengths
  }

  get list(): Uint32Array {
    return this.#list
  }

  get count(): number {
    return this.#numbers.size
  }

  getNames(column: (typeof NAME_COLUMNS)[number]): CodedColumn {
    return this.#names[column]
  }

  has(key: number): boolean {
    return this.#numbers.has(key)
  }

  /** Must be called before a row has the product. */
  add({ key, ...names }: NamedProduct): void {
    if (this.#numbers.has(key)) return
    const number = this.#numbers.size
    this.#numbers.set(key, number)
    for (const column of NAME_COLUMNS) {
      if (number >= this.#names[column].rows.length) this.#names[column].grow(grownCapacity(number))
      this.#names[column].set(number, names[column])
    }
  }

  grow(capacity: number): void {
    const [starts, lengths] = [this.#starts, this.#lengths]
    this.#starts = new Uint32Array(capacity)
    this.#starts.set(starts)
    this.#lengths = new Uint32Array(capacity)
    this.#lengths.set(lengths)
  }

  set(row: number, keys: readonly number[]): void {
    this.#unused += this.#lengths[row] ?? 0
    this.#lengths[row] = 0
    if (this.#used + keys.length > this.#list.length) this.#makeRoom(keys.length)
    this.#starts[row] = this.#used
    this.#lengths[row] = keys.length
    for (const key of keys) {
      const number = this.#numbers.get(key)
      if (number === undefined) throw new Error(`The product ${key} was not added.`)
      this.#list[this.#used] = number
      this.#used += 1
    }
  }

  /** Returns which names the products of the given rows have. */
  listUsedNames(column: (typeof NAME_COLUMNS)[number]): Uint8Array {
    const names = this.#names[column]
    const used = new Uint8Array(names.values.length)
    for (let row = 0; row < this.#lengths.length; row += 1) {
      const start = this.#starts[row] ?? 0
      const end = start + (this.#lengths[row] ?? 0)
      for (let place = start; place < end; place += 1) used[names.rows[this.#list[place] ?? 0] ?? 0] = 1
    }
    return used
  }

  #makeRoom(needed: number): void {
    const isWorthCompacting = this.#unused > this.#used / 2
    const live = isWorthCompacting ? this.#used - this.#unused : this.#used
    const list = new Uint32Array(grownCapacity(live + needed))
    if (!isWorthCompacting) {
      list.set(this.#list.subarray(0, this.#used))
      this.#list = list
      return
    }
    let used = 0
    for (let row = 0; row < this.#lengths.length; row += 1) {
      const [start, length] = [this.#starts[row] ?? 0, this.#lengths[row] ?? 0]
      list.set(this.#list.subarray(start, start + length), used)
      this.#starts[row] = used
      used += length
    }
    this.#list = list
    this.#used = used
    this.#unused = 0
  }
}

const createNames = () => new CodedColumn(1024, (raw) => raw)
