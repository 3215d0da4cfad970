import { describe, expect, it } from 'vitest'
import { publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { renderSparkline } from '../src/render/sparkline.ts'
import { startVisctlSetup } from './visctl-setup.ts'

// The window is given, because the example catalog has scores of fixed days.
const WINDOW = ['--from', '2026-08-14', '--to', '2026-08-21']
const [LOG4SHELL, XZ] = ['CVE-2021-44228', 'CVE-2024-3094']

const { database, visctl, api, key } = await startVisctlSetup()
await publishExamples(database.url)

describe('visctl epss', () => {
  it('prints a sparkline per CVE, and says how many days are missing', async () => {
    const { code, stdout, stderr } = await visctl(['epss', XZ, LOG4SHELL, ...WINDOW])
    expect(code).toBe(0)
    const [heading, one, other] = stdout.trim().split('\n')
    expect(heading).toMatch(/^CVE +FROM +TO +FIRST +LAST +HIGHEST +LEV +SCORES$/)
    expect(one).toMatch(/^CVE-2024-3094 +2026-08-14 +2026-08-21 +61\.2 % +84\.1 % +84\.1 % +▆▇▇█████?$/)
    expect(other).toMatch(/ ████████?$/)
    expect(stderr).toBe('The service has no scores of 1 day of the window; --json lists them.\n')
  })

  it('prints the daily scores as CSV and JSON', async () => {
    expect((await visctl(['epss', XZ, ...WINDOW, '--csv'])).stdout).toContain(
      `${XZ},2026-08-14,0.61207,0.98114,v2026.06.15\r\n`,
    )
    const { stdout } = await visctl(['epss', XZ, ...WINDOW, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ cve_id: XZ, missing_days: [{ from: '2026-08-18', to: '2026-08-18' }] })
  })

  it('lists the CVEs whose scores moved the most', async () => {
    const { stdout } = await visctl(['epss', '--movers', '--min-delta', '0.05'])
    expect(stdout).toMatch(/^CVE +LEVEL +KEV +BEFORE +NOW +RATIO\nCVE-2024-3094 +P\d +61\.2 % +84\.1 % +1\.4\n$/)
    expect(JSON.parse((await visctl(['epss', '--movers', '--json'])).stdout)).toHaveLength(1)
  })

  it('says why nothing can be compared', async () => {
    const { stdout, stderr } = await visctl(['epss', '--movers', '--days', '30'])
    expect(stdout).toBe('')
    expect(stderr).toContain('The service has no EPSS scores of the first day, so nothing can be compared.')
  })

  it('needs either CVE ids or --movers', async () => {
    expect((await visctl(['epss'])).stderr).toContain('Name one or more CVE ids, or use --movers.')
    expect((await visctl(['epss', XZ, '--movers'])).stderr).toContain('leave out the CVE ids')
  })
})

describe('visctl get --history', () => {
  const readUsed = async () => (await api.get('/api/v1/usage', { key })).json.data.usage.credits_used

  it('shows the scores of the last 90 days for 2 additional credits', async () => {
    const before = await readUsed()
    expect((await visctl(['get', XZ])).stdout).not.toContain('highest')
    expect(await readUsed()).toBe(before + 5)
    expect((await visctl(['get', XZ, '--history'])).stdout).toMatch(
      /▆▇▇█+\n +from 2026-08-14 to 2026-08-21; highest 84\.1 %/,
    )
    expect(await readUsed()).toBe(before + 12)
  })

  it('refers to visctl epss for JSON and CSV', async () => {
    expect((await visctl(['get', XZ, '--history', '--json'])).stderr).toContain('visctl epss prints the scores')
  })
})

describe('Sparkline', () => {
  const series = (scores: readonly number[], model: (index: number) => string | null = () => 'v4') =>
    scores.map((score, index) => ({ date: `2026-01-${index}`, score, percentile: null, model: model(index) }))

  it('shows the highest score of several days in each block', () => {
    expect(renderSparkline(series([0, 0.1, 0.2, 0.8, 0.4, 0.4]), 3)).toBe('▂█▅')
  })

  it('marks a change of the EPSS model', () => {
    expect(
      renderSparkline(
        series([0.1, 0.1, 0.8], (index) => (index < 2 ? 'v3' : 'v4')),
        10,
      ),
    ).toBe('▂▂│█')
  })

  it('is empty without scores, and flat if all scores are 0', () => {
    expect(renderSparkline([], 10)).toBe('')
    expect(renderSparkline(series([0, 0]), 10)).toBe('▁▁')
  })
})
