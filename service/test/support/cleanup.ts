// What is to be undone when the tests of a file are over. vitest takes hooks only while a file is being read, but
// servers and databases are made inside tests too.
import { afterAll } from 'vitest'

const undo: (() => unknown)[] = []

afterAll(async () => {
  // The last made is the first to go: a server before the database it uses.
  for (const each of undo.toReversed()) await each()
})

export function atEnd(work: () => unknown): void {
  undo.push(work)
}
