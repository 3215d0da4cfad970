// Files and parts of documents that are written from the code.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = dirname(dirname(import.meta.dirname))
const END = '<!-- end of the generated text -->'

/** Replaces the part of a document that the program `tool` writes. Throws if the document lacks the marks. */
export function replaceGenerated(text: string, tool: string, content: string): string {
  const start = `<!-- generated: the text up to the end mark is written by tools/generate/${tool} -->`
  const from = text.indexOf(start)
  const to = text.indexOf(END, from)
  if (from < 0 || to < 0)
    throw new Error(`The document lacks the marks of the text that tools/generate/${tool} writes.`)
  return `${text.slice(0, from + start.length)}\n\n${content}\n${text.slice(to)}`
}

/** Writes a file of the repository. With --check, fails instead if the file differs. */
export function writeOrCheck(path: string, render: (written: string) => string): void {
  const written = readFileSync(join(ROOT, path), 'utf8')
  const current = render(written)
  if (!process.argv.includes('--check')) writeFileSync(join(ROOT, path), current)
  else if (written !== current) {
    console.log(`${path} differs from the code. Run "npm run generate" and commit the result.`)
    process.exitCode = 1
  }
}
