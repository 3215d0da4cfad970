// The address of a one-time link. The token is in the fragment, which browsers send to nobody: neither logs of servers nor
// the Referer header contain it.

interface Address {
  readonly publicUrl: string | null
  readonly host: string
  readonly port: number
}

/** Without PUBLIC_URL, the link works on the computer of this server only. The Host header of a request never counts. */
export function buildLink({ publicUrl, host, port }: Address, token: string): string {
  const base = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return `${base.replace(/\/$/, '')}/console/enter#${token}`
}
