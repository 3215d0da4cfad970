/** An e-mail address that wraps after its `@` if the line is too short, and elsewhere only if a part is too long. */
export function EmailText({ text }: { readonly text: string }) {
  const at = text.indexOf('@') + 1
  return (
    <span className="wrap-anywhere">
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </span>
  )
}
