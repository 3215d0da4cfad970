// Reads a text for people, such as a description, as plain text.

import type { Claim } from '../../model/claim.ts'
import { type JsonObject, textIn } from '../json.ts'
import { cleanText } from '../text/clean-text.ts'

/** Returns null if the text is missing, empty or only formatting. The stored source record keeps the text as it was. */
export function readProse(object: JsonObject, name: string): string | null {
  const text = textIn(object, name)
  return text === null ? null : cleanText(text).trim() || null
}

/** Reads the value of a description. U+FFFD stands for a lost character; cleaning the text replaces some of them. */
export function readDescription(description: JsonObject | undefined): Pick<Claim, 'description' | 'hasLostCharacters'> {
  if (description === undefined) return { description: null }
  const isDamaged = textIn(description, 'value')?.includes('\ufffd') ?? false
  return { description: readProse(description, 'value'), ...(isDamaged && { hasLostCharacters: true }) }
}
