// Output streams of visctl, their width and whether their text gets colors.
import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

/** The parts of process.stdout that visctl uses. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string, callback?: (error?: Error | null) => void): boolean
}

export interface Terminal {
  readonly width: number
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
  return {
    width: stdout.columns ?? (Number(env['COLUMNS']) || DEFAULT_WIDTH),
    now: new Date(),
    // With validateStream, styleText would decide by its own rules whether to add colors. areColorsOn has decided that.
    paint: (style, text) => (hasColors ? styleText(style, text, { validateStream: false }) : text),
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()))
      }),
    writeHelp: (text) => void stdout.write(text),
    printNote: (text) => void stderr.write(text),
  }
}

function areColorsOn(env: Environment, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return isTerminal && env['TERM'] !== 'dumb'
}
