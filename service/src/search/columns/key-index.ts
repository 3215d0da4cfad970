// Finds the row of a CVE by its key, in typed arrays: a Map of 260,000 keys would take ten times the memory. The index is
// a hash table with open addressing. Rows are never removed from it, because a CVE that comes back gets its old row.

/** A key is the year times 10^14 plus the number, which is more than a JavaScript number can hold exactly. */
const NUMBER_DIGITS = 14
const EMPTY = -1

export class KeyIndex {
  #count = 0
  #years: Uint16Array
  #numbers: Float64Array
  #slots: Int32Array

  constructor(capacity: number) {
    this.#years = new Uint16Array(capacity)
    this.#numbers = new Float64Array(capacity)
    this.#slots = createSlots(capacity)
  }

  /** Number of rows. */
  get count(): number {
    return this.#count
  }

  get capacity(): number {
    return this.#years.length
  }

  get bytes(): number {
    return this.#years.byteLength + this.#numbers.byteLength + this.#slots.byteLength
  }

  /** Returns undefined for an unknown key. */
  find(key: string): number | undefined {
    const row = this.#slots[this.#findSlot(readYear(key), readNumber(key))] ?? EMPTY
    return row === EMPTY ? undefined : row
  }

  /** Returns the row of the key; a new one if the key is unknown. */
  findOrAdd(key: string): number {
    const [year, number] = [readYear(key), readNumber(key)]
    const slot = this.#findSlot(year, number)
    const known = this.#slots[slot] ?? EMPTY
    if (known !== EMPTY) return known
    const row = this.#count
    this.#count += 1
    if (row === this.capacity) this.#grow()
    this.#years[row] = year
    this.#numbers[row] = number
    this.#slots[this.#findSlot(year, number)] = row
    return row
  }

  #findSlot(year: number, number: number): number {
    const mask = this.#slots.length - 1
    let slot = hash(year, number) & mask
    for (;;) {
      const row = this.#slots[slot] ?? EMPTY
      if (row === EMPTY || (this.#years[row] === year && this.#numbers[row] === number)) return slot
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    const capacity = grownCapacity(this.capacity)
    const [years, numbers] = [this.#years, this.#numbers]
    this.#years = new Uint16Array(capacity)
    this.#years.set(years)
    this.#numbers = new Float64Array(capacity)
    this.#numbers.set(numbers)
    this.#slots = createSlots(capacity)
    for (let row = 0; row < years.length; row += 1)
      this.#slots[this.#findSlot(years[row] ?? 0, numbers[row] ?? 0)] = row
  }
}

export const grownCapacity = (capacity: number) => Math.ceil(capacity * 1.125) + 1024

/** At most half of the slots are used. */
function createSlots(capacity: number): Int32Array {
  return new Int32Array(2 ** Math.ceil(Math.log2(capacity * 2 + 2))).fill(EMPTY)
}

const readYear = (key: string) => Number(key.slice(0, -NUMBER_DIGITS))
const readNumber = (key: string) => Number(key.slice(-NUMBER_DIGITS))

function hash(year: number, number: number): number {
  const mixed = Math.imul((number % 4_294_967_296) ^ Math.imul(year, 0x9e37_79b1), 0x85eb_ca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
