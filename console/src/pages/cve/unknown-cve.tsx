// Pages for an id that is unknown to the service, and for text that is not an id.
import { Link } from '@tanstack/react-router'
import { buttonClasses } from '../../kit/controls/button.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { isAlias } from '../../text/alias.ts'
import { ExternalLink } from './parts/external-link.tsx'

export function UnknownCve({ id }: { readonly id: string }) {
  return (
    <Page title={id}>
      <Panel>
        <Empty title="The service has no record of this CVE">
          <p>The id may be reserved and not yet published, or it may have a typing error.</p>
          <p className="mt-3 flex flex-wrap justify-center gap-2">
            <Link to="/cves" search={{ q: id }} className={buttonClasses()}>
              Search for {id}
            </Link>
            <Link to="/cves" className={buttonClasses()}>
              All CVEs
            </Link>
          </p>
          <p className="mt-3">
            <ExternalLink url={`https://www.cve.org/CVERecord?id=${id}`}>Look it up at cve.org</ExternalLink>
          </p>
        </Empty>
      </Panel>
    </Page>
  )
}

const MAX_SHOWN_LENGTH = 60

export function InvalidId({ text }: { readonly text: string }) {
  const shown = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
  return (
    <Page title="Not a CVE id">
      <Panel>
        <Empty title={`"${shown}" is not a CVE id`}>
          <p>A CVE id has a year and a number of four or more digits, such as CVE-2021-44228.</p>
          <p className="mt-3 flex flex-wrap justify-center gap-2">
            {isAlias(text) && (
              <Link to="/alias/$alias" params={{ alias: text }} className={buttonClasses('primary')}>
                CVEs of {text}
              </Link>
            )}
            <Link to="/cves" search={{ q: text }} className={buttonClasses()}>
              Search for this text
            </Link>
            <Link to="/cves" className={buttonClasses()}>
              All CVEs
            </Link>
          </p>
        </Empty>
      </Panel>
    </Page>
  )
}
