// Names of providers for people.
import type { VendorSource } from '../../domain/source.ts'
import type { Provider } from '../model/claim.ts'

const VENDOR_NAMES: Readonly<Record<VendorSource, string>> = { ghsa: 'GitHub', redhat: 'Red Hat', msrc: 'Microsoft' }

const DISPLAY_NAMES: Readonly<Record<Provider, string>> = { nvd: 'NVD', 'cisa-adp': 'CISA', ...VENDOR_NAMES }

export function toDisplayName(provider: Provider): string {
  return DISPLAY_NAMES[provider] ?? provider.replace(/^(?:cna|adp):/, '')
}
