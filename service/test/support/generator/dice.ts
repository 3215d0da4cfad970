// A repeatable random number generator: equal seed numbers give equal values on every machine.

export interface Dice {
  /** Returns a number from 0 (included) to 1 (excluded). */
  share(): number
  /** Returns a whole number from 0 (included) to count (excluded). */
  below(count: number): number
}

/**
 * Creates a random generator for one subject, such as the text of the 17th record. The writers of different files can
 * thus generate the same record again, so that a million records need not be kept in memory.
 */
export function createDice(...numbers: readonly number[]): Dice {
  let state = numbers.reduce((mixed, number) => scramble(mixed ^ scramble(number | 0)), 0x9e3779b9)
  const share = () => {
    state = (state + 0x9e3779b9) | 0
    return (scramble(state) >>> 0) / 2 ** 32
  }
  return { share, below: (count) => Math.floor(share() * count) }
}

/** Finaliser of MurmurHash3: every bit of the input affects every bit of the result. */
function scramble(number: number): number {
  let mixed = number
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
