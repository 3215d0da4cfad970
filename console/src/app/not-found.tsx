import { Link } from '@tanstack/react-router'
import { Empty } from '../kit/states/empty.tsx'

export function NotFound() {
  return (
    <Empty title="There is no such page">
      The address is wrong or the page was moved. Go to the{' '}
      <Link to="/cves" className="text-accent underline">
        list of CVEs
      </Link>
      .
    </Empty>
  )
}
