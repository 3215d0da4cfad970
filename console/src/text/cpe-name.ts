// Parts of a CPE 2.3 name, such as `cpe:2.3:a:apache:http_server:2.4.1:…`.

export interface CpeName {
  /** `a` for an application, `o` for an operating system, `h` for hardware. */
  readonly part: string
  readonly vendor: string
  readonly product: string
  readonly version: string
  readonly update: string
  readonly edition: string
  readonly softwareEdition: string
  readonly targetSoftware: string
  readonly targetHardware: string
}

/** Splits a name at unescaped colons, because vendor and product names may contain escaped colons. */
export function splitCpe(criteria: string): CpeName {
  const values = criteria.split(/(?<!\\):/).map(removeEscapes)
  const [, , part = '', vendor = '', product = '', version = '', update = '', edition = '', , ...rest] = values
  const [softwareEdition = '', targetSoftware = '', targetHardware = ''] = rest
  return { part, vendor, product, version, update, edition, softwareEdition, targetSoftware, targetHardware }
}

function removeEscapes(value: string): string {
  return value.replace(/\\(.)/g, '$1')
}
