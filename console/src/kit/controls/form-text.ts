/** Returns the trimmed text of a form field, or an empty string. */
export function readFormText(form: HTMLFormElement, field: string): string {
  const value = new FormData(form).get(field)
  return typeof value === 'string' ? value.trim() : ''
}
