// A node on which people sign in by a link in an e-mail or at an OpenID provider, with the mail server and the provider.
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { startTestIdentity } from '../../../service/test/support/identity.ts'
import { readToken, startMailServer } from '../../../service/test/support/network/mail-server.ts'
import { startOidcProvider } from '../../../service/test/support/network/oidc-provider.ts'
import type { SpawnedServer } from '../../../service/test/support/processes/spawned-server.ts'
import { freePort } from '../../../tools/free-port.ts'

export interface MemberNode {
  readonly url: string
  /** Waits for the next mail to an address and returns the path of its link, `/console/enter#…`. */
  receiveLink(email: string): Promise<string>
  /** Makes the OpenID provider sign in the person with this e-mail. */
  chooseIdentity(email: string): void
}

type StartNode = (environment: Readonly<Record<string, string>>) => Promise<SpawnedServer>

export async function startMemberNode(startNode: StartNode, databaseUrl: string): Promise<MemberNode> {
  const [mail, port] = [await startMailServer(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const provider = await startOidcProvider(url)
  const signIn = {
    ...provider.environment,
    SMTP_URL: mail.url,
    MAIL_FROM: 'console@example.org',
    SIGN_UP: 'open',
  }
  await startTestIdentity({ NODE_ENV: 'test', DATABASE_URL: databaseUrl, ...signIn })
  const node = await startNode({ ...signIn, PORT: String(port) })
  cleanUpAfterTests(() => node.stop())
  return {
    url,
    receiveLink: async (email) => `/console/enter#${readToken(await mail.receive(email))}`,
    chooseIdentity: (email) => provider.choose({ sub: `subject of ${email}`, email, email_verified: true }),
  }
}
