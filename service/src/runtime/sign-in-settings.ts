// Settings of the sign-in that need each other.
import type { Config } from '../config.ts'

/** Returns what is wrong with the settings of the sign-in: one sentence for each problem. */
export function findSignInErrors({ http, signIn }: Config): readonly string[] {
  const { smtpUrl, mailFrom, oidc, signUp } = signIn
  const errors: string[] = []
  const usesOidc = oidc.issuer !== null
  if ((smtpUrl === null) !== (mailFrom === null))
    errors.push('SMTP_URL and MAIL_FROM need each other: set both or none.')
  if (usesOidc && (oidc.clientId === '' || oidc.clientSecret === null))
    errors.push('OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.')
  if (oidc.issuer?.startsWith('http:') && !isLoopback(oidc.issuer))
    errors.push('OIDC_ISSUER must start with https://. Only a provider on the same computer may use http://.')
  if (oidc.roles.size > 0 && oidc.accountId === 0)
    errors.push('OIDC_ROLES needs OIDC_ACCOUNT: the id of the account that people with a role join.')
  if ((smtpUrl !== null || usesOidc) && http.publicUrl === null)
    errors.push(
      'PUBLIC_URL is missing: links in mails and the sign-in with OpenID Connect need the address of this server.',
    )
  if (signUp.isOpen && smtpUrl === null && !usesOidc)
    errors.push('SIGN_UP=open needs SMTP_URL or OIDC_ISSUER: without them nobody can confirm an e-mail.')
  return errors
}

function isLoopback(url: string): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname)
}
