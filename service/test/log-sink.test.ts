import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, mkdtempSync, openSync, read, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createLogSink } from '../src/log-sink.ts'
import { cleanUpAfterTests } from './support/cleanup.ts'

const LOG_SINK = new URL('../src/log-sink.ts', import.meta.url).href
const readAsync = promisify(read)
const MAX_BYTES = 256 * 1024
const POLL = { timeout: 60_000, interval: 20 }

const buildLine = (n: number) => `${JSON.stringify({ n, text: 'x'.repeat(n % 300) })}\n`

/** Opens both ends of a new pipe. Nothing is read from the pipe until the test does so; its descriptors stay open. */
function openPipe(): { readonly path: string; readonly readEnd: number; readonly writeEnd: number } {
  const folder = mkdtempSync(join(tmpdir(), 'vis-pipe-'))
  cleanUpAfterTests(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  // Opening the read end without O_NONBLOCK would wait for a writer.
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return { path, readEnd, writeEnd: openSync(path, 'w') }
}

/** Reads a pipe in small steps until the text satisfies the condition. */
async function readUntil(readEnd: number, isComplete: (received: string) => boolean): Promise<string> {
  const [chunk, deadline] = [Buffer.alloc(16 * 1024), performance.now() + 10_000]
  let received = ''
  while (!isComplete(received) && performance.now() < deadline) {
    const { bytesRead } = await readAsync(readEnd, chunk, 0, chunk.length, null).catch(() => ({ bytesRead: 0 }))
    received += chunk.toString('utf8', 0, bytesRead)
    if (bytesRead === 0) await sleep(5)
  }
  return received
}

function parseLines(received: string): { n?: number; droppedLines?: number }[] {
  return received
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('Log sink', () => {
  it('writes all lines in order to a pipe that accepts only part of each write', async () => {
    const { readEnd, writeEnd } = openPipe()
    const sink = createLogSink(writeEnd, 4 * MAX_BYTES)
    const lines = Array.from({ length: 3000 }, (_, n) => buildLine(n))
    for (const line of lines) sink.write(line)

    const received = await readUntil(readEnd, (so) => so.length >= lines.join('').length)

    expect(received).toBe(lines.join(''))
    expect(sink.droppedLines).toBe(0)
  })

  it('drops and counts lines while nothing reads the pipe, and reports their number where they are missing', async () => {
    const { readEnd, writeEnd } = openPipe()
    const sink = createLogSink(writeEnd, MAX_BYTES)
    for (let n = 0; n < 5000; n += 1) {
      sink.write(buildLine(n))
      if (n % 100 === 0) await sleep(0)
    }
    const dropped = sink.droppedLines
    expect(dropped).toBeGreaterThan(1000)

    const firstPart = await readUntil(readEnd, (so) => so.includes('droppedLines') && so.endsWith('\n'))
    sink.write(buildLine(5000))
    const secondPart = await readUntil(readEnd, (so) => so.endsWith('\n'))

    const lines = parseLines(firstPart + secondPart)
    expect(lines.at(-1)?.n).toBe(5000)
    expect(lines.at(-2)?.droppedLines).toBe(dropped)
    expect(lines.slice(0, -2).map(({ n }) => n)).toEqual(Array.from({ length: lines.length - 2 }, (_, n) => n))
    expect(lines.length - 2 + dropped).toBe(5000)
    expect(sink.droppedLines).toBe(dropped)
  })

  it('does not block the event loop when every write fails because the disk is full', async () => {
    const sink = createLogSink(openSync('/dev/full', 'w'), MAX_BYTES)
    for (let n = 0; n < 5000; n += 1) sink.write(buildLine(n))
    const startedAt = performance.now()
    await sleep(200)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(sink.droppedLines).toBeGreaterThan(1000)
  })
})

/** Runs a program that writes `lines` log lines to its standard output and immediately exits with code 3. */
function startProgram(lines: number, stdout: number | 'pipe') {
  const program = `
    import { openStandardOutput } from '${LOG_SINK}'
    const log = openStandardOutput()
    for (let n = 0; n < ${lines}; n += 1) log.write(JSON.stringify({ n }) + '\\n')
    setTimeout(() => process.exit(3), 300)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', stdout, 'pipe'],
  })
  cleanUpAfterTests(() => child.kill('SIGKILL'))
  return child
}

describe('A process that ends with buffered log lines', () => {
  it('writes the lines before it ends', async () => {
    const child = startProgram(100, 'pipe')
    const output = child.stdout ? await text(child.stdout) : ''
    expect(parseLines(output)).toEqual(Array.from({ length: 100 }, (_, n) => ({ n })))
  })

  it('ends even if nothing reads its log', async () => {
    const { writeEnd } = openPipe()
    const child = startProgram(50_000, writeEnd)
    const exited = once(child, 'exit')
    await expect.poll(() => child.exitCode, POLL).toBe(3)
    await exited
  })
})
