/** Returns the text of a field of a form without the spaces around it, or an empty text. */
export function readFormText(form: HTMLFormElement, field: string): string {
  const value = new FormData(form).get(field)
  return typeof value === 'string' ? value.trim() : ''
}
