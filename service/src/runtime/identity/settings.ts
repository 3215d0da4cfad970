// Sign-in settings: those that depend on each other, and those that are stored as rules in the database.
import type { SignInRules } from '../../accounts/people/sign-in-rules.ts'
import { type Config, ConfigError } from '../../config.ts'
import { PLANS } from '../../domain/account/plan.ts'

export function assertSignInSettings(config: Config): void {
  const errors = findErrors(config)
  if (errors.length > 0) throw new ConfigError(errors)
}

function findErrors({ http, signIn }: Config): readonly string[] {
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

/** Returns the rules that the settings describe. `vis-server migrate` stores them, using the owner's login. */
export function buildSignInRules({ signIn: { signUp, oidc } }: Config): SignInRules {
  return {
    allowsSignUp: signUp.isOpen,
    freeLimitHalf: PLANS.free.monthlyCredits * 2,
    signUpsPerNetwork: signUp.maxPerNetwork,
    signUpsPerDomain: signUp.maxPerDomain,
    emailDomains: oidc.allowedDomains,
    groupAccount: oidc.accountId === 0 ? null : String(oidc.accountId),
    groupRoles: Object.fromEntries(oidc.roles),
  }
}

function isLoopback(url: string): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname)
}
