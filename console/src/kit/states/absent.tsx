/** A word that replaces a missing value in a table cell, such as "unknown". */
export function Absent({ text }: { readonly text: string }) {
  return <span className="text-ink-3">{text}</span>
}
