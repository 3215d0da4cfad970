import { readFileSync } from 'node:fs'

/** Reads the version from package.json, which is one folder above both src and dist. */
export function readVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return version
}
