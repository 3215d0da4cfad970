// Settings that an operator may make: what each is called, what it may be, and what to say when it is something else.
import { isIP } from 'node:net'

export interface Setting<T> {
  readonly name: string
  /** Completes "NAME must be …". */
  readonly expects: string
  /** Connection strings carry passwords: what was set is not repeated then. */
  readonly isSecret?: boolean
  /** Without it the setting is required. */
  readonly fallback?: T
  parse(sent: string): T | undefined
}

export function complaint(setting: Setting<unknown>, sent: string | undefined): string {
  if (!sent) return `${setting.name} is missing: set it to ${setting.expects}.`
  return `${setting.name} must be ${setting.expects}${setting.isSecret ? '' : `, not ${JSON.stringify(sent.slice(0, 80))}`}.`
}

export function word<const W extends string>(name: string, words: readonly W[], fallback: W): Setting<W> {
  return { name, fallback, expects: `one of ${words.join(', ')}`, parse: (sent) => words.find((each) => each === sent) }
}

export function text(name: string, fallback: string): Setting<string> {
  return { name, fallback, expects: 'text', parse: (sent) => sent }
}

export function integer(name: string, minimum: number, maximum: number, fallback: number): Setting<number> {
  return {
    name,
    fallback,
    expects: `an integer from ${minimum} to ${maximum}`,
    parse: (sent) =>
      /^\d{1,9}$/.test(sent) && Number(sent) >= minimum && Number(sent) <= maximum ? Number(sent) : undefined,
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
    parse: (sent) =>
      protocols.some((each) => sent.toLowerCase().startsWith(`${each}//`)) && URL.canParse(withHost(sent, protocols))
        ? sent
        : undefined,
  }
}

/** PostgreSQL's addresses may leave the host out, for a socket in the file system; the class URL does not let them. */
function withHost(sent: string, protocols: readonly string[]): string {
  return protocols.includes('postgres:') ? sent.replace('@/', '@localhost/') : sent
}

export function addresses(name: string): Setting<readonly string[]> {
  return {
    name,
    fallback: [],
    expects:
      'a comma-separated list of IP addresses of your own proxies, or ranges of them, such as 10.0.0.1,10.0.0.0/8',
    parse: (sent) => {
      const each = sent.split(',').map((address) => address.trim())
      return each.every(isAddressOrRange) ? each : undefined
    },
  }
}

function isAddressOrRange(sent: string): boolean {
  const [address = '', prefix, ...rest] = sent.split('/')
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (prefix === undefined) return longest > 0
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= longest
}

/** Hosts, as an address spells them: with a port unless it is the usual one. */
export function names(name: string): Setting<readonly string[]> {
  return {
    name,
    fallback: [],
    expects: 'a comma-separated list of host names, with a port unless it is the usual one, such as mirror.lan:8080',
    parse: (sent) => {
      const each = sent.split(',').map((host) => host.trim().toLowerCase())
      return each.every((host) => /^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/.test(host)) ? each : undefined
    },
  }
}

/** A password, a token or a key; there is none by default. */
export function secret(name: string, shortest = 1): Setting<string | null> {
  return {
    name,
    isSecret: true,
    fallback: null,
    expects: shortest === 1 ? 'text' : `text of at least ${shortest} characters`,
    parse: (sent) => (sent.length < shortest ? undefined : sent),
  }
}

/** An address that feeds may ask, with the one that everybody uses as its default. */
export function address(name: string, fallback: string): Setting<string> {
  return {
    name,
    fallback,
    expects: `an address that starts with https://, such as ${fallback}`,
    parse: (sent) => (/^https?:\/\//i.test(sent) && URL.canParse(sent) ? sent : undefined),
  }
}
