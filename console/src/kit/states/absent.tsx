/** A word in place of a value that does not exist, such as "unknown", in a cell of a table. */
export function Absent({ text }: { readonly text: string }) {
  return <span className="text-ink-3">{text}</span>
}
