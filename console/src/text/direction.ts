// Characters that set text direction. On a page, they could reorder the words around the text that contains them.

/** Embeddings, overrides and isolates: they change the direction of the text after them. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g
/** Invisible direction marks. They affect only adjacent text, and copied text often contains them. */
const MARKS = /[\u061c\u200e\u200f]/g

/** Replaces controls with U+FFFD, so that a reader sees that something was there, and removes marks. */
export function neutralizeDirection(text: string): string {
  return text.replace(CONTROLS, '\ufffd').replace(MARKS, '')
}
