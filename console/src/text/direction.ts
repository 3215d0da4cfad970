// Characters that set the direction of text. In a page, they could reorder the words around the text that contains them.

/** Embeddings, overrides and isolates: they turn the text that follows them. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g
/** Invisible marks of one direction. They turn only what is beside them, and copied texts often contain them. */
const MARKS = /[\u061c\u200e\u200f]/g

/** Replaces controls by U+FFFD, so that a reader sees that something was there, and removes marks. */
export function neutralizeDirection(text: string): string {
  return text.replace(CONTROLS, '\ufffd').replace(MARKS, '')
}
