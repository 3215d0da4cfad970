// The address of a one-time link. The token is in the fragment, which browsers never send, so it appears neither in
// server logs nor in the Referer header.

interface Address {
  readonly publicUrl: string | null
  readonly host: string
  readonly port: number
}

/**
 * Without PUBLIC_URL, the link works only on the computer that runs this server. The Host header of a request is never
 * used.
 */
export function buildLink({ publicUrl, host, port }: Address, token: string): string {
  const base = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return `${base.replace(/\/$/, '')}/console/enter#${token}`
}
