// Where output goes, how wide it may be, and whether it may be coloured.
import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

export interface Terminal {
  readonly width: number
  readonly now: Date
  /** The text itself where there are no colours. */
  readonly paint: (style: Style, text: string) => string
  /** Resolves when there is room for more. */
  readonly write: (text: string) => Promise<void>
  /** Beside the output, for people only. */
  readonly remark: (text: string) => void
}

const WIDTH_OF_FILES = 80

export function openTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  const { stdout, stderr } = process
  const hasColours = wantsColours(env, stdout.isTTY)
  return {
    width: stdout.columns ?? (Number(env['COLUMNS']) || WIDTH_OF_FILES),
    now: new Date(),
    // We decide, by the rules below; styleText has rules of its own.
    paint: (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text),
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()))
      }),
    remark: (text) => void stderr.write(text),
  }
}

function wantsColours(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return isTerminal && env['TERM'] !== 'dumb'
}
