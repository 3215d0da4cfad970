import type { Claim } from '../../model/claim.ts'
import { type JsonObject, textIn } from '../json.ts'
import { cleanText } from '../text/clean-text.ts'

/** Returns plain text, or null if the text is missing, empty or only formatting. */
export function readProse(object: JsonObject, name: string): string | null {
  const text = textIn(object, name)
  return text === null ? null : cleanText(text).trim() || null
}

export function readTitle(object: JsonObject): Pick<Claim, 'title'> {
  const title = readProse(object, 'title')
  return title === null ? {} : { title }
}

/** U+FFFD stands for a lost character. Cleaning the text restores some of them. */
export function readDescription(description: JsonObject | undefined): Pick<Claim, 'description' | 'hasLostCharacters'> {
  if (description === undefined) return { description: null }
  const isDamaged = textIn(description, 'value')?.includes('\ufffd') ?? false
  return { description: readProse(description, 'value'), ...(isDamaged && { hasLostCharacters: true }) }
}
