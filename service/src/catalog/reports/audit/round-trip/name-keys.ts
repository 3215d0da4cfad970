// Keys by which served names are compared with the names in raw records.

/** Returns the key of a CPE name in either form (`cpe:2.3:a:vendor:product:…` or `cpe:/a:vendor:product`). */
export function readCpeKey(criteria: string): string | undefined {
  const [vendor, product] = readCpeValues(criteria).slice(1)
  return vendor === undefined || product === undefined ? undefined : toCpeKey(vendor, product)
}

export function toCpeKey(vendor: string, product: string): string {
  return `cpe ${fold(vendor)}:${fold(product)}`
}

/** Returns part, vendor, product, version, update and so on, without escapes. */
export function readCpeValues(criteria: string): readonly string[] {
  const isUri = /^cpe:\//i.test(criteria)
  const values = isUri ? criteria.slice('cpe:/'.length).split(':') : criteria.split(/(?<!\\):/).slice(2)
  return values.map((each) => (isUri ? decode(each) : each.replaceAll(/\\(.)/g, '$1')).trim())
}

/** Returns the key of a package URL; version, qualifiers and subpath are ignored. */
export function readPurlKey(purl: string): string | undefined {
  const path = /^pkg:\/{0,2}([^?#]+)/i.exec(purl)?.[1]
  if (path === undefined) return undefined
  const version = path.lastIndexOf('@')
  const named = version > 0 && path[version - 1] !== '/' ? path.slice(0, version) : path
  const parts = named.split('/').filter((each) => each !== '')
  if (parts.length < 2) return undefined
  return toPurlKey(parts.slice(0, -1).map(decode).join('/'), decode(parts.at(-1) ?? ''))
}

/** Registries treat dots, hyphens and underscores in names as equal, or allow only one of them. */
export function toPurlKey(typeAndNamespace: string, name: string): string {
  return `purl ${typeAndNamespace.toLowerCase()}/${name.toLowerCase()}`.replaceAll(/[-_.]+/g, '-')
}

function fold(value: string): string {
  return value.trim().toLowerCase().replaceAll(/\s+/g, '_')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
