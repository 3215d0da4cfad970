#!/usr/bin/env -S node --conditions=source
// Runs from source in a checkout and from dist when installed: a package never ships src.
import { existsSync } from 'node:fs'

const source = new URL('../src/main.ts', import.meta.url)
const { main } = await import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href)
process.exitCode = await main(process.argv.slice(2), process.env)
