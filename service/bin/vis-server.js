#!/usr/bin/env node
// Runs from source in a checkout and from dist when installed: a package never ships src.
import { existsSync } from 'node:fs'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `vis-server needs Node 24 or newer; this is ${process.version}. In a checkout, "npm ci" brings it: start with "npx vis-server".`,
  )
  process.exit(1)
}

const source = new URL('../src/main.ts', import.meta.url)
const { main } = await import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href)
await main(process.argv)
