// What a command of `vis` is: a value, from which help, parsing and shell completion are made.
import type { Client } from '@vis/sdk'
import type { Terminal } from './terminal.ts'

export interface Flag {
  /** A `truth` is a filter: `--kev` means true, `--no-kev` means false, neither means it does not matter. */
  readonly kind: 'text' | 'list' | 'truth' | 'switch'
  readonly about: string
  /** What stands for the value in help; the words themselves where there are only a few. */
  readonly placeholder?: string
  readonly values?: readonly string[]
}

/** By the name of the wire: `published_after` is given as `--published-after`. */
export type Flags = Readonly<Record<string, Flag>>

type FlagValue = string | boolean | readonly string[] | undefined
export type FlagValues = Readonly<Record<string, FlagValue>>

interface Operands {
  readonly placeholder: string
  readonly fewest: number
  readonly most: number
  readonly values?: readonly string[]
}

export interface Invocation {
  readonly operands: readonly string[]
  readonly values: FlagValues
  readonly terminal: Terminal
  /** Made when it is asked for: not every command needs a key. */
  readonly client: () => Promise<Client>
}

export interface Command {
  readonly name: string
  readonly summary: string
  readonly operands?: Operands
  readonly flags: Flags
  readonly examples: readonly string[]
  readonly run: (invocation: Invocation) => Promise<void>
}

/** The caller asked for something that makes no sense: exit code 2. */
export class UsageError extends Error {
  /** What to do instead, if that can be said. */
  readonly next: string | undefined

  constructor(message: string, next?: string) {
    super(message)
    this.name = 'UsageError'
    this.next = next
  }
}

export function flagName(name: string): string {
  return `--${name.replaceAll('_', '-')}`
}
