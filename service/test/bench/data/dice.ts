// Chance that can be repeated: the same numbers give the same throws, on every machine and in every order.

export interface Dice {
  /** From 0 up to 1, and never 1. */
  share(): number
  /** A whole number from 0 up to count, and never count. */
  below(count: number): number
}

/**
 * One set of dice for each thing that is made, such as the text of the 17th record: whatever is written of a record can
 * then be made again by somebody else, and nobody has to remember a million records.
 */
export function diceFor(...numbers: readonly number[]): Dice {
  let state = numbers.reduce((mixed, each) => scramble(mixed ^ scramble(each | 0)), 0x9e3779b9)
  const share = () => {
    state = (state + 0x9e3779b9) | 0
    return (scramble(state) >>> 0) / 2 ** 32
  }
  return { share, below: (count) => Math.floor(share() * count) }
}

/** The finaliser of MurmurHash3: every bit of the number moves every bit of the result. */
function scramble(number: number): number {
  let mixed = number
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
