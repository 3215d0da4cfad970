// Settings that operators can change.
import { isIP } from 'node:net'
import { EMAIL_FORM, parseEmail } from './account/email.ts'
import { parseRole, ROLES, type Role } from './account/role.ts'

export interface Setting<T> {
  readonly name: string
  /** Completes the sentence "NAME must be …". */
  readonly expects: string
  /** Error messages must not repeat the value, for example a connection string with a password. */
  readonly isSecret?: boolean
  /** A setting without a default is required. */
  readonly fallback?: T
  parse(value: string): T | undefined
}

export function describeSettingError(setting: Setting<unknown>, value: string | undefined): string {
  if (!value) return `${setting.name} is missing: set it to ${setting.expects}.`
  return `${setting.name} must be ${setting.expects}${setting.isSecret ? '' : `, not ${JSON.stringify(value.slice(0, 80))}`}.`
}

export function word<const W extends string>(name: string, words: readonly W[], fallback: W): Setting<W> {
  return {
    name,
    fallback,
    expects: `one of ${words.join(', ')}`,
    parse: (value) => words.find((each) => each === value),
  }
}

export function text(name: string, fallback: string): Setting<string> {
  return { name, fallback, expects: 'text', parse: (value) => value }
}

export function integer(name: string, minimum: number, maximum: number, fallback: number): Setting<number> {
  return {
    name,
    fallback,
    expects: `an integer from ${minimum} to ${maximum}`,
    parse: (value) =>
      /^\d{1,9}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum ? Number(value) : undefined,
  }
}

export function url(name: string, protocols: readonly string[]): Setting<string>
export function url(name: string, protocols: readonly string[], fallback: null): Setting<string | null>
export function url(name: string, protocols: readonly string[], fallback?: null): Setting<string | null> {
  const example = `${protocols[0]}//${protocols[0] === 'postgres:' ? 'vis@127.0.0.1:5432/vis' : '127.0.0.1'}`
  return {
    name,
    isSecret: true,
    ...(fallback === undefined ? {} : { fallback }),
    expects: `an address that starts with ${protocols.map((each) => `${each}//`).join(' or ')}, such as ${example}`,
    parse: (value) =>
      protocols.some((each) => value.toLowerCase().startsWith(`${each}//`)) && URL.canParse(addHost(value, protocols))
        ? value
        : undefined,
  }
}

/** The address of a Unix socket has no host, and URL.canParse would reject it. */
function addHost(value: string, protocols: readonly string[]): string {
  return protocols.includes('postgres:') ? value.replace('@/', '@localhost/') : value
}

const toLowerCase = (item: string) => item.toLowerCase()

function list(
  name: string,
  items: string,
  isValid: (item: string) => boolean,
  spell: (item: string) => string = (item) => item,
): Setting<readonly string[]> {
  return {
    name,
    fallback: [],
    expects: `a comma-separated list of ${items}`,
    parse: (value) => {
      const each = value.split(',').map((item) => spell(item.trim()))
      return each.every(isValid) ? each : undefined
    },
  }
}

export function addresses(name: string): Setting<readonly string[]> {
  const items = 'IP addresses of your own proxies, or ranges of them, such as 10.0.0.1,10.0.0.0/8'
  return list(name, items, isAddressOrRange)
}

function isAddressOrRange(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/')
  const maxPrefix = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (prefix === undefined) return maxPrefix > 0
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= maxPrefix
}

/** Reads host names, each with a port unless it is the protocol's default. */
export function names(name: string, fallback: readonly string[] = []): Setting<readonly string[]> {
  const items = 'host names, with a port unless it is the default port, such as mirror.lan:8080'
  const setting = list(
    name,
    items,
    (host) => /^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/.test(host),
    toLowerCase,
  )
  return { ...setting, fallback }
}

/** Reads addresses for vulnerability reports, in the forms that RFC 9116 allows in security.txt. */
export function contacts(name: string): Setting<readonly string[]> {
  const items = 'addresses that start with mailto:, https:// or tel:, such as mailto:security@example.org'
  return list(name, items, isContact)
}

function isContact(value: string): boolean {
  return /^(?:mailto:[^@\s]+@[^@\s]+|https:\/\/\S+|tel:[\d+-]+)$/.test(value) && URL.canParse(value)
}

export function secret(name: string, minLength = 1): Setting<string | null> {
  return {
    name,
    isSecret: true,
    fallback: null,
    expects: minLength === 1 ? 'text' : `text of at least ${minLength} characters`,
    parse: (value) => (value.length < minLength ? undefined : value),
  }
}

/** Reads an upstream's base address; the default is its public one. */
export function address(name: string, fallback: string): Setting<string>
/** Without a public address, the setting has none by default. */
export function address(name: string, fallback: string | null, example: string): Setting<string | null>
export function address(name: string, fallback: string | null, example = fallback): Setting<string | null> {
  return {
    name,
    fallback,
    expects: `an address that starts with https://, such as ${example}`,
    parse: (value) => (/^https?:\/\//i.test(value) && URL.canParse(value) ? value : undefined),
  }
}

export function email(name: string): Setting<string | null> {
  return { name, fallback: null, expects: EMAIL_FORM, parse: parseEmail }
}

export function domains(name: string): Setting<readonly string[]> {
  const isDomain = (domain: string) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(domain)
  return list(name, 'domains, such as example.org,example.com', isDomain, toLowerCase)
}

/** Reads the roles of groups, such as vis-admins:admin,analysts:viewer. */
export function groupRoles(name: string): Setting<ReadonlyMap<string, Role>> {
  return {
    name,
    fallback: new Map(),
    expects: `a comma-separated list of group:role, with the roles ${ROLES.join(', ')}, such as vis-admins:admin,analysts:viewer`,
    parse: (value) => {
      const pairs = value.split(',').map((pair) => splitAtLastColon(pair.trim()))
      const roles = new Map<string, Role>()
      for (const [group, text] of pairs) {
        const role = parseRole(text)
        if (group === '' || role === undefined) return undefined
        roles.set(group, role)
      }
      return roles
    },
  }
}

function splitAtLastColon(text: string): readonly [string, string] {
  const at = text.lastIndexOf(':')
  return [text.slice(0, Math.max(0, at)), text.slice(at + 1)]
}
