// Input and output streams of visctl, the output width, and whether the output is colored.
import { styleText } from 'node:util'
import { wrap } from './text.ts'

export type Style = Parameters<typeof styleText>[0]

/** The parts of process.stdout that visctl uses. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string, callback?: (error?: Error | null) => void): boolean
}

/** The parts of process.stdin that visctl uses. */
export interface InputStream extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean
}

export interface Input {
  /** Whether a person types the input. If so, visctl does not wait for CVE ids. */
  readonly isTerminal: boolean
  readonly readText: () => Promise<string>
  readonly readBytes: () => Promise<Uint8Array>
}

export interface Terminal {
  /** Width of cards and help in columns. */
  readonly width: number
  /** Width of tables in columns: infinite if a file or another program receives the table, so that no text is cut. */
  readonly tableWidth: number
  readonly now: Date
  /** Adds a color or style to text. Returns the text unchanged when colors are off. */
  readonly paint: (style: Style, text: string) => string
  /** Writes text to standard output. Resolves when the stream accepts more text. */
  readonly write: (text: string) => Promise<void>
  /** Writes the help of a command to standard output. */
  readonly writeHelp: (text: string) => void
  /** Writes a message for people to standard error. */
  readonly printNote: (text: string) => void
}

const DEFAULT_WIDTH = 80

export type Environment = Readonly<Record<string, string | undefined>>

export function openTerminal(env: Environment, stdout: OutputStream, stderr: OutputStream): Terminal {
  const hasColors = areColorsOn(env, stdout.isTTY === true)
  const width = stdout.columns ?? Number(env['COLUMNS'])
  return {
    width: width || DEFAULT_WIDTH,
    tableWidth: width || (stdout.isTTY === true ? DEFAULT_WIDTH : Number.POSITIVE_INFINITY),
    now: new Date(),
    // With validateStream, styleText would decide itself whether to add colors. areColorsOn has already decided that.
    paint: (style, text) => (hasColors ? styleText(style, text, { validateStream: false }) : text),
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()))
      }),
    writeHelp: (text) => void stdout.write(text),
    printNote: (text) =>
      void stderr.write(stderr.isTTY === true ? wrapLines(text, stderr.columns ?? DEFAULT_WIDTH) : text),
  }
}

/** Wraps lines between words, because a terminal would break them in the middle of words. */
function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith(' ') ? [line] : wrap(line, width)))
    .join('\n')
}

export function openInput(stdin: InputStream): Input {
  return {
    isTerminal: stdin.isTTY === true,
    readText: async () => new TextDecoder().decode(await readBytes(stdin)),
    readBytes: () => readBytes(stdin),
  }
}

async function readBytes(stdin: InputStream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return Buffer.concat(chunks)
}

function areColorsOn(env: Environment, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return isTerminal && env['TERM'] !== 'dumb'
}
